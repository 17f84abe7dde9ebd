import { ToolArgumentValidationError } from "./tool-plugin.js";

export interface StringParamOptions {
  required?: boolean;
  /** On by default. */
  trim?: boolean;
  /** Name in messages; the key by default. */
  label?: string;
  allowEmpty?: boolean;
}

export interface NumberParamOptions {
  required?: boolean;
  label?: string;
  integer?: boolean;
}

type Params = Record<string, unknown>;

/** `camelCase` parameters are also read under their `snake_case` name, which models like to write. */
function paramOf(params: Params, key: string): unknown {
  if (key in params) return params[key];
  return params[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function missing(key: string, options: { required?: boolean; label?: string }): undefined {
  if (options.required) throw new ToolArgumentValidationError(`${options.label ?? key} required`);
  return undefined;
}

export function readStringParam(
  params: Params,
  key: string,
  options: StringParamOptions & { required: true },
): string;
export function readStringParam(
  params: Params,
  key: string,
  options?: StringParamOptions,
): string | undefined;
/**
 * A text parameter, trimmed.
 * @throws ToolArgumentValidationError when it is required and absent, blank or no text
 */
export function readStringParam(
  params: Params,
  key: string,
  options: StringParamOptions = {},
): string | undefined {
  const raw = paramOf(params, key);
  if (typeof raw !== "string") return missing(key, options);
  const value = options.trim === false ? raw : raw.trim();
  return value === "" && !options.allowEmpty ? missing(key, options) : value;
}

/**
 * A numeric parameter; text that is a number counts.
 * @throws ToolArgumentValidationError when it is required and absent or no number
 */
export function readNumberParam(
  params: Params,
  key: string,
  options: NumberParamOptions = {},
): number | undefined {
  const raw = paramOf(params, key);
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  if (typeof value !== "number" || !Number.isFinite(value)) return missing(key, options);
  return options.integer ? Math.trunc(value) : value;
}

/** A whole number above zero. */
export function readPositiveIntegerParam(
  params: Params,
  key: string,
  options: NumberParamOptions = {},
): number | undefined {
  const value = readNumberParam(params, key, options);
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value > 0) return value;
  throw new ToolArgumentValidationError(`${options.label ?? key} must be a positive integer`);
}

/** A list of texts; one text counts as a list of one. */
export function readStringArrayParam(
  params: Params,
  key: string,
  options: StringParamOptions = {},
): string[] | undefined {
  const raw = paramOf(params, key);
  const list = (Array.isArray(raw) ? raw : [raw])
    .filter((item): item is string => typeof item === "string")
    .map((item) => (options.trim === false ? item : item.trim()))
    .filter((item) => item !== "");
  return list.length === 0 ? missing(key, options) : list;
}
