import { BridgeFailure } from "./failure.js";
import type { BridgeMethods } from "./methods.js";

/** A paired node, as `nodes.list()` shows it. */
interface NodeRow {
  id: string;
  name: string;
  platform?: string;
  connected: boolean;
  commands: string[];
}

/** Calls the native `nodes` tool with this input and returns its `details`. */
export type CallNodes = (input: Record<string, unknown>) => Promise<unknown>;

/** The `nodes` global, made of calls of the native tool of that name. */
export interface Nodes {
  list(call: CallNodes): Promise<NodeRow[]>;
  get(call: CallNodes, idOrName: unknown): Promise<BridgeMethods["nodes.get"]["reply"]>;
  invoke(call: CallNodes, id: unknown, command: unknown, params: unknown): Promise<unknown>;
  listDir(call: CallNodes, id: unknown, path: unknown): Promise<unknown>;
}

export const NODES: Nodes = { list, get, invoke, listDir };

async function list(call: CallNodes): Promise<NodeRow[]> {
  const details = await call({ action: "status" });
  const listed = Array.isArray(details) ? details : (details as { nodes?: unknown } | null)?.nodes;
  if (!Array.isArray(listed)) {
    throw new BridgeFailure("the nodes tool answered without a list of nodes", "tool_error");
  }
  return listed.flatMap((node) => rowOf(node) ?? []);
}

function rowOf(node: unknown): NodeRow | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const { nodeId, id, displayName, name, platform, paired, connected, commands } = node as Record<
    string,
    unknown
  >;
  const key = nodeId ?? id;
  if (typeof key !== "string" || paired !== true) return undefined;
  const shown = displayName ?? name;
  return {
    id: key,
    name: typeof shown === "string" ? shown : key,
    ...(typeof platform === "string" ? { platform } : {}),
    connected: connected === true,
    commands: Array.isArray(commands) ? commands.filter((command) => typeof command === "string") : [],
  };
}

async function get(call: CallNodes, idOrName: unknown): Promise<BridgeMethods["nodes.get"]["reply"]> {
  const wanted = text(idOrName, "nodes.get needs the id or the name of a node");
  const rows = await list(call);
  const byName = rows.filter((row) => row.name === wanted);
  const found = rows.find((row) => row.id === wanted) ?? byName[0];
  if (found === undefined) {
    const known = rows.map((row) => `${row.name} (${row.id})`).join(", ");
    throw new BridgeFailure(
      `no paired node ${JSON.stringify(wanted.slice(0, 80))}; paired nodes: ${known || "(none)"}`,
      "invalid_input",
    );
  }
  if (found.id !== wanted && byName.length > 1) {
    const ids = byName.map((row) => row.id).join(", ");
    throw new BridgeFailure(
      `several nodes are called ${JSON.stringify(wanted)}: use an id (${ids})`,
      "invalid_input",
    );
  }
  return { id: found.id, name: found.name, listDir: found.commands.includes("fs.listDir") };
}

function invoke(call: CallNodes, id: unknown, command: unknown, params: unknown): Promise<unknown> {
  const invokeCommand = text(command, "a node is invoked with a command, a non-empty string");
  const node = text(id, "a node is invoked by its id");
  return call({ action: "invoke", node, invokeCommand, invokeParamsJson: JSON.stringify(params ?? {}) });
}

function listDir(call: CallNodes, id: unknown, path: unknown): Promise<unknown> {
  return invoke(call, id, "fs.listDir", { path: text(path, "listDir needs a path, a non-empty string") });
}

function text(value: unknown, otherwise: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new BridgeFailure(otherwise, "invalid_input");
}
