import type { McpConnection, ServerFacts } from "./connection.js";
import type { ListedTool, ServerListing } from "./types.js";

/** Cursors are opaque, so an endless list can only be noticed by its length. */
export const LIST_CAPS = { pages: 200, tools: 5_000 };

/**
 * Everything a connected server lists. Pages are asked for until a cursor is absent or null; an empty
 * cursor and one that repeats are cursors like others. A cap or the time ends the list, and `incomplete`
 * says which.
 * @param timeoutMs for all pages together
 * @throws when not even the first page arrives
 */
export async function listServer(
  connection: McpConnection,
  facts: ServerFacts,
  timeoutMs: number,
): Promise<ServerListing> {
  const deadline = Date.now() + timeoutMs;
  const tools = new Map<string, ListedTool>();
  let incomplete: string | undefined;
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    let answer: Record<string, unknown>;
    try {
      answer = (await connection.request("tools/list", cursor === undefined ? {} : { cursor }, {
        timeoutMs: Math.max(1, deadline - Date.now()),
        what: "the list of tools",
      })) as Record<string, unknown>;
    } catch (error) {
      // Servers that offer resources or prompts only need not know the method at all.
      if (page === 0 && isUnknownMethod(error) && (facts.resources || facts.prompts)) break;
      if (page === 0) throw error;
      incomplete = `page ${page + 1} did not arrive`;
      break;
    }
    for (const tool of Array.isArray(answer.tools) ? answer.tools : []) {
      const listed = readTool(tool);
      if (listed !== undefined && !tools.has(listed.name)) tools.set(listed.name, listed);
    }
    const next = answer.nextCursor;
    if (next === undefined || next === null) break;
    if (typeof next !== "string") incomplete = "the cursor of the next page is not text";
    else if (page + 1 >= LIST_CAPS.pages) incomplete = `there are more than ${LIST_CAPS.pages} pages`;
    else if (tools.size >= LIST_CAPS.tools) incomplete = `there are more than ${LIST_CAPS.tools} tools`;
    else if (Date.now() >= deadline) incomplete = "the rest took too long";
    if (incomplete !== undefined) break;
    cursor = next as string;
  }
  return { ...facts, tools: [...tools.values()], ...(incomplete === undefined ? {} : { incomplete }) };
}

function isUnknownMethod(error: unknown): boolean {
  return (error as { cause?: { code?: unknown } }).cause?.code === -32601;
}

/** The parts of a listed tool that are used, each only in the form it must have; undefined without a name. */
function readTool(value: unknown): ListedTool | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, title, description, inputSchema, annotations } = value as Record<string, unknown>;
  if (typeof name !== "string" || name === "") return undefined;
  const annotated = (annotations as { title?: unknown } | null | undefined)?.title;
  const label = typeof title === "string" ? title : typeof annotated === "string" ? annotated : undefined;
  return {
    name,
    ...(label === undefined ? {} : { title: label }),
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof inputSchema === "object" && inputSchema !== null && !Array.isArray(inputSchema)
      ? { inputSchema }
      : {}),
  };
}
