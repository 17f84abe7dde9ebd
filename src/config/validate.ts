import { nearest } from "../text/nearest.js";
import { type ConfigPath, formatPath, isRecord } from "./document.js";
import { expectation, type ObjectShape, type Shape } from "./shape.js";

export interface ConfigIssue {
  level: "error" | "warning";
  path: ConfigPath;
  /** What to point at: the value, or the key that should not be there. */
  at: "key" | "value";
  message: string;
}

/** Everything that is wrong with a parsed value, measured against a shape, in document order. */
export function validateShape(value: unknown, shape: Shape, path: ConfigPath = []): ConfigIssue[] {
  const wrong = (message: string, at: "key" | "value" = "value", where = path): ConfigIssue => ({
    level: "error",
    path: where,
    at,
    message,
  });
  const mismatch = (): ConfigIssue[] => [
    wrong(`${name(path)} must be ${expectation(shape)}, not ${kindOf(value, shape)}${advice(value, shape)}`),
  ];
  switch (shape.type) {
    case "anything":
      return [];
    case "boolean":
    case "string":
      return typeof value === shape.type ? [] : mismatch();
    case "scalar":
      return ["string", "number", "boolean"].includes(typeof value) ? [] : mismatch();
    case "enum":
      return (shape.values as readonly unknown[]).includes(value) ? [] : mismatch();
    case "integer": {
      if (typeof value !== "number" || !Number.isInteger(value)) return mismatch();
      const used = Math.min(shape.max, Math.max(shape.min, value));
      if (used === value) return [];
      const range = `${shape.min} to ${shape.max}`;
      return [
        {
          ...wrong(`${name(path)} is ${value}, outside ${range}; ${used} is used instead`),
          level: "warning",
        },
      ];
    }
    case "list":
      return Array.isArray(value)
        ? value.flatMap((item, index) => validateShape(item, shape.items, [...path, index]))
        : mismatch();
    case "map":
      return isRecord(value)
        ? Object.entries(value).flatMap(([key, item]) => validateShape(item, shape.values, [...path, key]))
        : mismatch();
    case "either": {
      const fitting = shape.options.find((option) => sameKind(value, option));
      return fitting === undefined ? mismatch() : validateShape(value, fitting, path);
    }
    case "object":
      return isRecord(value) ? validateObject(value, shape, path) : mismatch();
  }
}

function validateObject(value: Record<string, unknown>, shape: ObjectShape, path: ConfigPath): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, key];
    if (Object.hasOwn(shape.fields, key))
      issues.push(...validateShape(item, shape.fields[key] as Shape, here));
    else issues.push(...unknownKey(key, shape, here));
  }
  for (const key of shape.required ?? []) {
    if (!Object.hasOwn(value, key)) {
      issues.push({
        level: "error",
        path,
        at: "value",
        message: `${name(path)} needs ${JSON.stringify(key)}`,
      });
    }
  }
  const choice = shape.oneOf?.filter((key) => Object.hasOwn(value, key));
  if (shape.oneOf !== undefined && choice?.length !== 1) {
    const words = shape.oneOf.map((key) => JSON.stringify(key)).join(" or ");
    const message =
      choice?.length === 0 ? `${name(path)} needs ${words}` : `${name(path)} has both ${words}; keep one`;
    issues.push({ level: "error", path, at: "value", message });
  }
  return issues;
}

function unknownKey(key: string, shape: ObjectShape, path: ConfigPath): ConfigIssue[] {
  if (shape.unknown === "tolerate" || shape.elsewhere?.includes(key)) return [];
  const [close] = nearest(key, Object.keys(shape.fields), 1);
  if (close === undefined && shape.unknown !== "warn") return [];
  const parent = path.length === 1 ? "openclaw.json" : formatPath(path.slice(0, -1));
  const known = close === undefined ? "" : `; did you mean \`${close}\`?`;
  return [
    {
      level: "warning",
      path,
      at: "key",
      message: `${formatPath(path)} is no setting of ${parent} and is ignored${known}`,
    },
  ];
}

/** Which option of a choice the value means to be. */
function sameKind(value: unknown, shape: Shape): boolean {
  if (shape.type === "object" || shape.type === "map") return isRecord(value);
  return validateShape(value, shape).length === 0;
}

function name(path: ConfigPath): string {
  return path.length === 0 ? "the file" : formatPath(path);
}

/** Values may be credentials: only a value that should have been a keyword is repeated. */
function kindOf(value: unknown, shape: Shape): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") {
    const keyword = shape.type === "enum" || shape.type === "boolean" || shape.type === "either";
    return keyword && value.length <= 24 ? JSON.stringify(value) : "text";
  }
  return String(value);
}

function advice(value: unknown, shape: Shape): string {
  if (typeof value !== "string") return "";
  if (shape.type === "integer" && /^\d+$/.test(value.trim())) return "; remove the quotes";
  const keywords = shape.type === "either" ? shape.options.flatMap((option) => [option]) : [shape];
  const takesBoolean = keywords.some(
    (option) => option.type === "boolean" || (option.type === "enum" && option.values.includes(true)),
  );
  return takesBoolean && /^(true|false)$/i.test(value.trim()) ? "; remove the quotes" : "";
}
