import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { CommandFailure, messageOf, systemReason } from "../../errors.js";
import type { PluginManifest } from "../types.js";

export const MANIFEST_NAME = "openclaw.plugin.json";

/** Largest manifest that is read, in bytes. */
export const MAX_MANIFEST_BYTES = 262_144;

function invalid(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure("manifest_invalid", message, cause === undefined ? {} : { cause });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The manifest's text, as it is.
 * @throws CommandFailure `manifest_missing` or `manifest_invalid`
 */
export async function readManifestText(rootDir: string): Promise<string> {
  const file = join(rootDir, MANIFEST_NAME);
  let info: Awaited<ReturnType<typeof stat>>;
  try {
    info = await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new CommandFailure("manifest_missing", `plugin manifest not found: ${file}`, {
        hint: "Run `openclaw plugins build` in the plugin's folder to write it.",
      });
    }
    throw invalid(`plugin manifest cannot be read: ${file}: ${systemReason(error)}`, error);
  }
  if (!info.isFile()) throw invalid(`plugin manifest is not a file: ${file}`);
  if (info.size > MAX_MANIFEST_BYTES) {
    throw invalid(
      `plugin manifest is too large: ${file} has ${info.size} bytes, at most ${MAX_MANIFEST_BYTES} are read`,
    );
  }
  const [real, realRoot] = await Promise.all([realpath(file), realpath(rootDir)]);
  if (!real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) {
    throw invalid(`plugin manifest leads out of the plugin's folder: ${file} -> ${real}`);
  }
  return readFile(file, "utf8");
}

/**
 * A manifest's text as a value. JSON first, since nearly every file is JSON; JSON5 (comments, trailing
 * commas) loads on demand.
 * @throws CommandFailure `manifest_invalid`
 */
export async function parseManifestText(text: string, file: string): Promise<unknown> {
  const source = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(source);
  } catch {
    const { default: JSON5 } = await import("json5");
    try {
      return JSON5.parse(source);
    } catch (error) {
      throw invalid(`plugin manifest does not parse: ${file}: ${messageOf(error)}`, error);
    }
  }
}

function optionalText(raw: Record<string, unknown>, key: string): { [key: string]: string } {
  const value = raw[key];
  return typeof value === "string" && value.trim() !== "" ? { [key]: value } : {};
}

function contractsOf(raw: Record<string, unknown>, file: string): PluginManifest["contracts"] {
  const contracts = raw.contracts ?? {};
  if (!isRecord(contracts)) throw invalid(`plugin manifest contracts must be an object: ${file}`);
  const tools = contracts.tools ?? [];
  if (!Array.isArray(tools) || tools.some((name) => typeof name !== "string" || name === "")) {
    throw invalid(`plugin manifest contracts.tools must be a list of tool names: ${file}`);
  }
  return { ...contracts, tools: [...tools] };
}

/**
 * Checks a parsed manifest and gives it its typed form. Unknown keys stay in `raw`.
 * @param file named in messages
 * @throws CommandFailure `manifest_invalid`
 */
export function toManifest(raw: unknown, file: string): PluginManifest {
  if (!isRecord(raw)) throw invalid(`plugin manifest must be an object: ${file}`);
  if (typeof raw.id !== "string" || raw.id.trim() === "") {
    throw invalid(`plugin manifest needs an id (a non-empty string): ${file}`);
  }
  if (!isRecord(raw.configSchema)) {
    throw invalid(`plugin manifest needs a configSchema (an object): ${file}`);
  }
  const metadata = isRecord(raw.toolMetadata) ? raw.toolMetadata : {};
  return {
    id: raw.id.trim(),
    ...optionalText(raw, "name"),
    ...optionalText(raw, "description"),
    ...optionalText(raw, "version"),
    configSchema: raw.configSchema,
    contracts: contractsOf(raw, file),
    toolMetadata: Object.fromEntries(
      Object.entries(metadata).filter((entry): entry is [string, Record<string, unknown>] =>
        isRecord(entry[1]),
      ),
    ),
    raw,
  };
}

/**
 * Reads `openclaw.plugin.json` of a plugin: JSON or JSON5, with or without a byte order mark, at most
 * 262,144 bytes, and really inside the folder. Runs no plugin code.
 * @throws CommandFailure `manifest_missing` or `manifest_invalid`, naming the file and the first problem
 */
export async function readManifest(rootDir: string): Promise<PluginManifest> {
  const file = join(rootDir, MANIFEST_NAME);
  return toManifest(await parseManifestText(await readManifestText(rootDir), file), file);
}
