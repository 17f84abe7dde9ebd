/** Whose memory a tool call may touch, as the host resolved it. Never infer it from anything else. */
export type MemoryAudience =
  | { kind: "owner-private"; agentId: string }
  | { kind: "conversation"; agentId: string; sessionKey: string; sessionId: string };

/** Where the input of the current turn came from, stamped by the host. */
export interface InputProvenance {
  kind: string;
  sourceTool?: string;
  runId?: string;
  [extra: string]: unknown;
}

interface ToolContextFields {
  config?: Record<string, unknown>;
  runtimeConfig?: Record<string, unknown>;
  getRuntimeConfig?(): Record<string, unknown>;
  fsPolicy?: unknown;
  workspaceDir?: string;
  agentDir?: string;
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  runId?: string;
  inputProvenance?: InputProvenance;
  toolBindings?: unknown;
  activeProjectKeys?: string[];
  conversationRecall?: unknown;
  activeModel?: { provider?: string; modelId?: string; modelRef?: string };
  browser?: { sandboxBridgeUrl?: string; allowHostControl?: boolean };
  messageChannel?: string;
  agentAccountId?: string;
  hasAuthForProvider?(providerId: string): boolean;
  resolveApiKeyForProvider?(providerId: string): Promise<string | undefined> | string | undefined;
  deliveryContext?: unknown;
  /** Sends to the active conversation; absent where a gateway owns delivery. */
  delivery?: { send(message: { text?: string; mediaUrl?: string }): Promise<unknown> };
  nativeChannelId?: string;
  requesterSenderId?: string;
  /** Says whether to offer a tool; it authorises no effect. */
  senderIsOwner?: boolean;
  approvalReviewerDeviceIds?: string[];
  conversationReadOrigin?: unknown;
  memoryAudience?: MemoryAudience;
  /** Throws once a session of the captured lineage has changed. */
  assertMemoryAudienceCurrent?(): void;
  /** Admits bytes a client supplied, at the storage owner's last guard. */
  assertInputCommitAllowed?(): void;
  sandboxed?: boolean;
  oneShotCliRun?: boolean;
}

/**
 * What a factory is told about the run its tool is made for. Version 2 is for tools that act with the
 * owner's authority: `assertInvocationCurrent` is then always there and must be called right before
 * each effect.
 */
export type OpenClawPluginToolContext<Version extends 1 | 2 = 1> = ToolContextFields &
  (Version extends 2 ? { assertInvocationCurrent(): void } : { assertInvocationCurrent?(): void });
