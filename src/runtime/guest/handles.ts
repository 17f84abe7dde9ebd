import type { SearchHit } from "../bridge/methods.js";
import { inputJson, optionJson } from "./arguments.js";
import type { ToolNames } from "./install.js";
import { setMetadata } from "./metadata.js";
import { defineProperty, fix, freeze, parseJson } from "./primordials.js";
import { request } from "./requests.js";
import { quote } from "./text.js";

type Handle = (input?: unknown) => Promise<unknown>;
type McpHit = Extract<SearchHit, { callableName: string }>;

const handles = { __proto__: null } as unknown as Record<string, Handle>;

/** The handle of a catalog id this cell has seen. */
export function handleOf(id: string): Handle | undefined {
  return handles[id];
}

export function nativeHandle(tool: ToolNames): Handle {
  const id = quote(tool.id);
  const handle: Handle = (input) => request("callValue", `[${id},${inputJson(input)}]`);
  return finish(handle, tool.id, tool, () => request("describe", `[${id},"handle"]`));
}

/** The handle of an MCP tool a search found; it calls the same member as the namespace does. */
export function mcpHandle(hit: McpHit): Handle {
  const known = handles[hit.id];
  if (known !== undefined) return known;
  const handle = mcpMember(hit.id);
  const selector = `[${quote(hit.server)},${quote(hit.method)},{"schema":true}]`;
  return finish(handle, hit.id, hit, () => request("mcp.api", selector));
}

/** A member of an MCP namespace: its arguments cross as they are, the host allows one object. */
export function mcpMember(id: string): (...args: unknown[]) => Promise<unknown> {
  return (...args: unknown[]) => {
    let text = "";
    for (let index = 0; index < args.length; index++) {
      text += `${index === 0 ? "" : ","}${optionJson(args[index])}`;
    }
    return request("mcp", `[${quote(id)},[${text}]]`);
  };
}

function finish(handle: Handle, id: string, about: ToolNames | McpHit, describe: () => unknown): Handle {
  let metadata = "";
  const field = (key: string, value: unknown): void => {
    if (typeof value !== "string") return;
    fix(handle, key, value);
    metadata += `${metadata === "" ? "" : ","}"${key}":${quote(value)}`;
  };
  field("callableName", about.callableName);
  field("toolName", about.toolName);
  field("label", about.label);
  field("description", about.description);
  field("source", about.source);
  if ("apiPath" in about) field("apiPath", about.apiPath);
  if ("input" in about) {
    field("input", about.input);
    field("output", about.output);
  }
  metadata = `{${metadata}}`;
  fix(handle, "describe", describe);
  fix(handle, "name", about.callableName, false);
  fix(handle, "toJSON", metadataReader(metadata), false);
  freeze(handle);
  setMetadata(handle, metadata);
  handles[id] = handle;
  return handle;
}

function metadataReader(metadata: string): () => unknown {
  return () => parseJson(metadata);
}

/** Gives a function of ours its public name. */
export function named<F extends (...args: never[]) => unknown>(name: string, fn: F): F {
  defineProperty(fn, "name", { __proto__: null, value: name, configurable: true } as PropertyDescriptor);
  return fn;
}
