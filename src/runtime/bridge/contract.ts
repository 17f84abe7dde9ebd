import type { CatalogEntry } from "../../catalog/types.js";
import { type CompiledSchema, schemaCompiler } from "../../schema/compile.js";
import { type InputDiscriminator, readDiscriminator } from "../../schema/discriminator.js";
import { describeInputIssues, describeInvalidContract, describeOutputIssues } from "../../schema/messages.js";
import { BridgeFailure } from "./failure.js";

type Usable = Extract<CompiledSchema, { ok: true }>;

/** What one call's result must satisfy; undefined means anything. */
export type OutputRule = Usable | undefined;

/** The schemas of one tool, ready to judge its calls. */
export interface ToolContract {
  /**
   * @param origin who made the input, when it was not the cell: `a hook rewrote`
   * @throws BridgeFailure `input_contract` that lists every failing place
   */
  checkInput(input: unknown, origin?: string): void;
  /** The refusal of an input for a reason the schema does not know. */
  refusedInput(reason: string): BridgeFailure;
  /**
   * The rule for results of calls with this input: the branch its discriminator selects, or the whole
   * schema.
   */
  outputFor(input: unknown): OutputRule;
  /**
   * Checks a result in the JSON form the cell would get against the rule of the input that ran and of
   * the input the cell passed.
   * @throws BridgeFailure `output_contract` that lists failing places, never values
   */
  checkOutput(json: string, executed: OutputRule, advertised: OutputRule): void;
}

/**
 * The contract of a tool, compiled before anything of it runs. Only core and plugin tools have one: the
 * schemas of servers and clients are hints from strangers, and judging their data is theirs.
 * @throws BridgeFailure `input_contract` or `invalid_contract` when a schema cannot be used
 */
export async function toolContract(entry: CatalogEntry): Promise<ToolContract> {
  const { parameters, outputSchema } = entry.tool;
  const trusted = entry.source === "openclaw";
  if (!trusted || (parameters === undefined && outputSchema === undefined)) return new Contract(entry);
  const compiler = await schemaCompiler();
  const usable = (schema: unknown, part: "parameters" | "outputSchema"): Usable => {
    const purpose = part === "parameters" ? "input" : "output";
    const compiled = compiler.compile(schema, { purpose });
    if (compiled.ok) return compiled;
    const message = describeInvalidContract(entry.callableName, part, compiled.problem);
    throw new BridgeFailure(message, part === "parameters" ? "input_contract" : "invalid_contract");
  };
  const input = parameters === undefined ? undefined : usable(parameters, "parameters");
  if (outputSchema === undefined) return new Contract(entry, input);
  const whole = usable(outputSchema, "outputSchema");
  const discriminator = readDiscriminator(outputSchema);
  if (discriminator.kind === "malformed") {
    const message = describeInvalidContract(entry.callableName, "outputSchema", discriminator.message);
    throw new BridgeFailure(message, "invalid_contract");
  }
  return new Contract(entry, input, {
    whole,
    discriminator,
    branch: (schema) => usable(schema, "outputSchema"),
  });
}

interface Output {
  whole: Usable;
  discriminator: InputDiscriminator;
  branch: (schema: unknown) => Usable;
}

class Contract implements ToolContract {
  constructor(
    private readonly entry: CatalogEntry,
    private readonly input?: Usable,
    private readonly output?: Output,
  ) {}

  checkInput(input: unknown, origin?: string): void {
    const result = this.input?.check(input);
    if (result === undefined || result.issues.length === 0) return;
    const { callableName, input: hint } = this.entry;
    const message = describeInputIssues(callableName, result, hint);
    throw new BridgeFailure(origin === undefined ? message : `${message} (${origin} it.)`, "input_contract");
  }

  refusedInput(reason: string): BridgeFailure {
    return new BridgeFailure(`Input of ${this.entry.callableName} is not valid: ${reason}`, "input_contract");
  }

  outputFor(input: unknown): OutputRule {
    if (this.output === undefined) return undefined;
    const { whole, discriminator, branch } = this.output;
    if (discriminator.kind !== "selector" || typeof input !== "object" || input === null) return whole;
    const { inputProperty } = discriminator;
    const selected = Object.hasOwn(input, inputProperty)
      ? discriminator.branchSchemaFor((input as Record<string, unknown>)[inputProperty])
      : undefined;
    return selected === undefined ? whole : branch(selected);
  }

  checkOutput(json: string, executed: OutputRule, advertised: OutputRule): void {
    const rules = new Set([executed, advertised]);
    rules.delete(undefined);
    if (rules.size === 0) return;
    const value: unknown = JSON.parse(json);
    for (const rule of rules) {
      const result = rule!.check(value);
      if (result.issues.length === 0) continue;
      const message = describeOutputIssues(this.entry.callableName, result);
      throw new BridgeFailure(`${message} The tool has run, and its effects may remain.`, "output_contract");
    }
  }
}
