import type { CatalogEntry } from "../../catalog/types.js";
import { type CompiledSchema, schemaCompiler } from "../../schema/compile.js";
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
  /** The rule for results of calls with this input. */
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
  const name = entry.callableName;
  let input: Usable | undefined;
  if (parameters !== undefined) {
    const compiled = compiler.compile(parameters, { purpose: "input" });
    if (!compiled.ok) {
      throw new BridgeFailure(
        describeInvalidContract(name, "parameters", compiled.problem),
        "input_contract",
      );
    }
    input = compiled;
  }
  let output: Usable | undefined;
  if (outputSchema !== undefined) {
    const compiled = compiler.compile(outputSchema, { purpose: "output" });
    if (!compiled.ok) {
      throw new BridgeFailure(
        describeInvalidContract(name, "outputSchema", compiled.problem),
        "invalid_contract",
      );
    }
    output = compiled;
  }
  return new Contract(entry, input, output);
}

class Contract implements ToolContract {
  constructor(
    private readonly entry: CatalogEntry,
    private readonly input?: Usable,
    private readonly output?: Usable,
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

  outputFor(): OutputRule {
    return this.output;
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
