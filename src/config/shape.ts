/** What a value of the configuration may be; one description for the checks and the published schema. */
export type Shape = { description?: string } & (
  | { type: "boolean" | "string" | "anything" }
  | { type: "scalar" }
  | { type: "integer"; min: number; max: number; default: number }
  | { type: "enum"; values: readonly (string | boolean)[] }
  | { type: "list"; items: Shape }
  | { type: "map"; values: Shape }
  | ObjectShape
  | { type: "either"; options: readonly Shape[] }
);

export interface ObjectShape {
  type: "object";
  fields: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  /** Whether every unknown key deserves a word, or only one that looks like a misspelling. */
  unknown?: "warn" | "tolerate";
  /** Keys of the real product that this toolchain does not read, so that they are no misspellings. */
  elsewhere?: readonly string[];
  /** Of these keys exactly one must be there. */
  oneOf?: readonly string[];
}

/** How a message names what a shape wants. */
export function expectation(shape: Shape): string {
  switch (shape.type) {
    case "boolean":
      return "true or false";
    case "string":
      return "text in quotes";
    case "scalar":
      return "text, a number or a boolean";
    case "integer":
      return "a whole number";
    case "enum":
      return listed(shape.values.map((value) => JSON.stringify(value)));
    case "list":
      return "a list";
    case "map":
    case "object":
      return "an object";
    case "either":
      return listed([...new Set(shape.options.flatMap(alternatives))]);
    case "anything":
      return "any value";
  }
}

function alternatives(shape: Shape): string[] {
  if (shape.type === "boolean") return ["true", "false"];
  if (shape.type === "enum") return shape.values.map((value) => JSON.stringify(value));
  return [expectation(shape)];
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** JSON Schema (2020-12) of a shape, for editors. */
export function toJsonSchema(shape: Shape): Record<string, unknown> {
  const description = shape.description === undefined ? {} : { description: shape.description };
  switch (shape.type) {
    case "anything":
      return description;
    case "boolean":
    case "string":
      return { type: shape.type, ...description };
    case "scalar":
      return { type: ["string", "number", "boolean"], ...description };
    case "integer":
      return {
        type: "integer",
        minimum: shape.min,
        maximum: shape.max,
        default: shape.default,
        ...description,
      };
    case "enum":
      return { enum: shape.values, ...description };
    case "list":
      return { type: "array", items: toJsonSchema(shape.items), ...description };
    case "map":
      return { type: "object", additionalProperties: toJsonSchema(shape.values), ...description };
    case "either":
      return { anyOf: shape.options.map(toJsonSchema), ...description };
    case "object":
      return {
        type: "object",
        ...description,
        properties: Object.fromEntries(
          Object.entries(shape.fields).map(([name, field]) => [name, toJsonSchema(field)]),
        ),
        ...(shape.required === undefined ? {} : { required: shape.required }),
        ...(shape.oneOf === undefined ? {} : { oneOf: shape.oneOf.map((key) => ({ required: [key] })) }),
      };
  }
}
