import { acceptsEmptyInput } from "./accepts-empty.js";
import { type InputDiscriminator, readDiscriminator } from "./discriminator.js";
import { oneLine } from "./render-parts.js";
import { snapshot } from "./snapshot.js";
import type { TypeStyle } from "./type-members.js";
import { MOST_TYPE_TEXT, type TypeText, typeText } from "./type-writer.js";

export interface NativeTool {
  /** Final name: a legal identifier that is free as a global. */
  callableName: string;
  /** `client` schemas are not trusted and say nothing. */
  source: string;
  parameters?: unknown;
  outputSchema?: unknown;
}

/** The annotation of an output schema that says nothing usable; the tool must not run either. */
export class MalformedDiscriminator extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedDiscriminator";
  }
}

/**
 * The declarations of one native tool, without a comment header and without a final newline: helper
 * types, then `declare function <callableName>(...)`. Sound (every value the schemas accept has the
 * declared type) and bounded: 32,768 characters for each schema. `input` is optional exactly when the
 * schema accepts `{}`. With an input discriminator, a first overload ties the result to the argument.
 * Throws `MalformedDiscriminator`.
 */
export function declareNative(tool: NativeTool): string {
  const { callableName: name } = tool;
  if (tool.source === "client") return `declare function ${name}(input: unknown): Promise<unknown>;`;
  const discriminator = tool.outputSchema ? readDiscriminator(tool.outputSchema) : NONE;
  if (discriminator.kind === "malformed") throw new MalformedDiscriminator(discriminator.message);
  const prefix = `__OpenClaw_${name}_`;
  const input: TypeText =
    tool.parameters === undefined
      ? { text: "unknown", aliases: [] }
      : typeText(snapshot(tool.parameters).value, { ...STYLE, aliasPrefix: `${prefix}In_` });
  const optional = acceptsEmptyInput(tool.parameters) ? "?" : "";
  const special =
    discriminator.kind === "selector" ? overloads(name, discriminator, input, optional, prefix) : undefined;
  if (special !== undefined) return special;

  const output: TypeText = tool.outputSchema
    ? typeText(snapshot(tool.outputSchema).value, { ...STYLE, aliasPrefix: `${prefix}Out_` })
    : { text: "unknown", aliases: [] };
  return [
    ...fallbackNote(discriminator),
    ...aliasLines(input),
    ...aliasLines(output),
    `declare function ${name}(input${optional}: ${input.text}): Promise<${output.text}>;`,
  ].join("\n");
}

const NONE: InputDiscriminator = { kind: "none" };

const STYLE: TypeStyle = {
  depth: 12,
  aliasPrefix: "",
  rootIsObject: false,
  fieldOrder: "sorted",
  defaultsOptional: false,
};

function fallbackNote(discriminator: InputDiscriminator): string[] {
  if (discriminator.kind === "selector") {
    return ["// One result type per input would not fit the output allowance; this is the union of all."];
  }
  if (discriminator.kind !== "fallback") return [];
  return discriminator.reason === "references"
    ? [
        "// The output schema holds references, so its result is not told apart by input; this is the union of all.",
      ]
    : ["// The output schema is too complex to be told apart by input; this is the union of all results."];
}

function aliasLines({ aliases }: TypeText): string[] {
  return aliases.map(({ name, text }) => `type ${name} = ${text};`);
}

/** Declarations that select the result by a literal input; undefined when they would be too long. */
function overloads(
  name: string,
  discriminator: Extract<InputDiscriminator, { kind: "selector" }>,
  input: TypeText,
  optional: string,
  prefix: string,
): string | undefined {
  const outputs = Array.from({ length: discriminator.branches }, (_, index) => `${prefix}Output${index}`);
  const lines: string[] = [];
  let length = 0;
  const add = (...more: string[]): boolean => {
    for (const line of more) length += line.length + 1;
    lines.push(...more);
    return length <= MOST_TYPE_TEXT;
  };
  for (const [index, alias] of outputs.entries()) {
    // References never come here, so a branch needs no aliases of its own.
    const branch = typeText(snapshot(discriminator.branchSchema(index)).value, STYLE);
    if (!add(`type ${alias} = ${branch.text};`)) return undefined;
  }
  const all = outputs.join(" | ");
  const selector = oneLine(JSON.stringify(discriminator.inputProperty));
  const byInput = `${prefix}OutputByInput`;
  const fits = add(
    `type ${byInput} = {`,
    ...[...discriminator.mapping].map(
      ([value, index]) => `${oneLine(JSON.stringify(value))}: ${outputs[index]};`,
    ),
    "};",
    `declare function ${name}<const Input extends ${prefix}Input>(input: Input): Promise<Input extends { ${selector}: infer Value } ? Value extends keyof ${byInput} ? ${byInput}[Value] : ${all} : ${all}>;`,
    `declare function ${name}(input${optional}: ${prefix}Input): Promise<${all}>;`,
  );
  if (!fits) return undefined;
  return [...aliasLines(input), `type ${prefix}Input = ${input.text};`, ...lines].join("\n");
}
