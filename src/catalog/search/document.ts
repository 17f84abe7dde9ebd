import { isObject } from "../../schema/keywords.js";
import { snapshot } from "../../schema/snapshot.js";
import type { CatalogEntry } from "../types.js";

/** Levels of a parameter schema whose names and descriptions are indexed. */
const PARAMETER_DEPTH = 4;
/** Indexed characters of one tool: a server may list a description of any length, a schema any number of fields. */
const MAX_TEXT = 20_000;

/** What is searched of an entry. Parameters count for native tools only: other schemas are untrusted. */
export function searchText(entry: CatalogEntry): string {
  const { tool } = entry;
  const text = new BoundedText();
  text.add(tool.name);
  text.add(entry.id);
  // An MCP tool is known by its name on the server as well as by the registered one. A label that only
  // repeats the name would make the name weigh more than that of a tool without a label.
  const label = entry.source === "mcp" ? entry.toolName : entry.label;
  if (label !== tool.name) text.add(label);
  text.add(tool.description);
  if (entry.source === "openclaw") addParameters(snapshot(tool.parameters).value, 0, text);
  return text.toString();
}

class BoundedText {
  #text = "";

  get full(): boolean {
    return this.#text.length >= MAX_TEXT;
  }

  add(part: unknown): void {
    if (typeof part === "string" && part.trim() !== "" && !this.full) this.#text += ` ${part}`;
  }

  toString(): string {
    return this.#text.slice(0, MAX_TEXT);
  }
}

function addParameters(schema: unknown, depth: number, text: BoundedText): void {
  if (depth > PARAMETER_DEPTH || !isObject(schema)) return;
  text.add(schema.description);
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (text.full) return;
    text.add(name);
    addParameters(property, depth + 1, text);
  }
  addParameters(schema.items, depth + 1, text);
}
