import { readStringParam } from "./param-readers.js";

/** Where a message tool's call would send something. */
export interface ToolSendTarget {
  to: string;
  accountId?: string;
  threadId?: string;
}

/** The target of a call of a tool that sends messages; `null` for any other action. */
export function extractToolSend(
  args: Record<string, unknown>,
  expectedAction = "sendMessage",
): ToolSendTarget | null {
  if (readStringParam(args, "action") !== expectedAction) return null;
  const to = readStringParam(args, "to");
  if (to === undefined) return null;
  const accountId = readStringParam(args, "accountId");
  const threadId = readStringParam(args, "threadId");
  return {
    to,
    ...(accountId === undefined ? {} : { accountId }),
    ...(threadId === undefined ? {} : { threadId }),
  };
}
