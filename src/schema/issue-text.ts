import type { ErrorObject } from "ajv/dist/2020.js";

const MOST_VALUES = 12;
const MOST_LITERAL = 80;

/**
 * What one validator error means, in words; undefined for errors that only repeat others. Shows parts
 * of the schema, never of the value.
 */
export function issueText(error: ErrorObject): string | undefined {
  const { params } = error;
  const name = error.propertyName === undefined ? "" : "property name ";
  switch (error.keyword) {
    case "type":
      return `${name}must be ${either([params.type].flat() as string[])}`;
    case "required":
      return "is required";
    case "dependentRequired":
      return `is required when ${quoted(params.property)} is present`;
    case "enum":
      return `${name}must be one of ${literals(params.allowedValues as unknown[])}`;
    case "const":
      return `${name}must be ${literal(params.allowedValue)}`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `must be ${params.comparison} ${params.limit}`;
    case "multipleOf":
      return `must be a multiple of ${params.multipleOf}`;
    case "pattern":
      return `${name}must match the pattern ${quoted(params.pattern)}`;
    case "minLength":
      return `${name}must have at least ${count(params.limit, "character")}`;
    case "maxLength":
      return `${name}must have at most ${count(params.limit, "character")}`;
    case "minItems":
      return `must have at least ${count(params.limit, "item")}`;
    case "maxItems":
      return `must have at most ${count(params.limit, "item")}`;
    case "minProperties":
      return `must have at least ${count(params.limit, "property")}`;
    case "maxProperties":
      return `must have at most ${count(params.limit, "property")}`;
    case "items":
      return `is one item too many: at most ${count(params.limit, "item")} allowed`;
    case "unevaluatedItems":
      return `is one item too many: at most ${count(params.len, "item")} allowed`;
    case "uniqueItems":
      return `must not repeat an item (${params.j} and ${params.i} are equal)`;
    case "contains":
      return params.maxContains === undefined
        ? `must contain at least ${count(params.minContains, "item")} of the required kind`
        : `must contain ${params.minContains} to ${params.maxContains} items of the required kind`;
    case "not":
      return `${name}must not match what the schema excludes`;
    case "anyOf":
      return `${name}must match one of ${(error.schema as unknown[]).length} alternatives`;
    case "oneOf": {
      const passing = params.passingSchemas as number[] | null;
      return passing === null || passing === undefined
        ? `${name}must match one of ${(error.schema as unknown[]).length} alternatives`
        : `${name}must match exactly one alternative, but matches ${passing.map((at) => at + 1).join(" and ")}`;
    }
    case "false schema":
      return `${name}is not allowed`;
    case "alternatives":
      return `${name}must be ${either(params.choices as string[])}`;
    // The errors of the branch, or of the name, say it.
    case "if":
    case "propertyNames":
      return undefined;
    default:
      return `does not satisfy ${quoted(error.keyword)}`;
  }
}

/** `"a"`, `1`, `null`: a literal of the schema on one line, cut when long. */
export function literal(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length <= MOST_LITERAL ? text : `${text.slice(0, MOST_LITERAL)}…`;
}

function literals(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map(literal);
  const rest = values.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` … (${rest} more)` : "");
}

function either(choices: readonly string[]): string {
  const shown = choices.slice(0, MOST_VALUES);
  const rest = choices.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} … (${rest} more)`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown[shown.length - 1]}`;
}

function quoted(value: unknown): string {
  return literal(String(value));
}

function count(limit: unknown, noun: string): string {
  if (limit === 1) return `1 ${noun}`;
  return `${limit} ${noun === "property" ? "properties" : `${noun}s`}`;
}
