import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { boundInputSchema } from "./bound.js";
import { collectIssues, type SchemaIssue } from "./issues.js";
import type { SchemaObject } from "./keywords.js";
import { compilePattern } from "./pattern.js";
import { type Prepared, prepare } from "./prepare.js";
import { snapshot } from "./snapshot.js";
import { uniqueItems } from "./unique-items.js";
import { TimeBoundExceeded, withinTime } from "./watch.js";

export interface CompileOptions {
  /** `input`: levels beyond 128 accept anything. */
  purpose: "input" | "output" | "config";
  /** Fill missing properties from `default` in the checked value itself; off unless given. */
  fillDefaults?: boolean;
}

/** What is wrong with a value; no issues means it is valid. */
export interface CheckResult {
  /** In the order of the value, at most 8. */
  issues: SchemaIssue[];
  /** How many more there are. */
  omitted: number;
  /** Set when the value was too large or too tangled for every failing place to be listed. */
  partial?: true;
}

export type CompiledSchema =
  | {
      ok: true;
      /** Checks a JSON value. Never throws; takes at most about a second, whatever the value. */
      check(value: unknown): CheckResult;
    }
  /** `problem` is one line: place and reason. */
  | { ok: false; problem: string };

export interface SchemaCompiler {
  /** Compiled once per schema object and options; never throws. */
  compile(schema: unknown, options: CompileOptions): CompiledSchema;
}

/** Values with more parts than this are described by their first failing place only. */
const MOST_LISTED_PARTS = 50_000;

let loading: Promise<SchemaCompiler> | undefined;

/**
 * The validator, loaded on first use. One policy for every schema: read as draft 2020-12 with the older
 * forms translated (`prepare.ts`), nothing coerced, formats and unknown keywords not enforced, local
 * references only, own properties only, each schema compiled apart from all others.
 */
export function schemaCompiler(): Promise<SchemaCompiler> {
  // By its default export: a bundled CommonJS module has no other.
  loading ??= import("ajv/dist/2020.js").then(({ default: ajv }) => new Compiler(ajv.Ajv2020 ?? ajv.default));
  return loading;
}

class Compiler implements SchemaCompiler {
  private readonly cache = new WeakMap<object, Map<string, CompiledSchema>>();

  constructor(private readonly Ajv: typeof Ajv2020) {}

  compile(schema: unknown, options: CompileOptions): CompiledSchema {
    if (typeof schema !== "object" || schema === null) return this.fresh(schema, options);
    let known = this.cache.get(schema);
    if (known === undefined) {
      known = new Map();
      this.cache.set(schema, known);
    }
    const key = `${options.purpose === "input"} ${options.fillDefaults === true}`;
    let compiled = known.get(key);
    if (compiled === undefined) {
      compiled = this.fresh(schema, options);
      known.set(key, compiled);
    }
    return compiled;
  }

  private fresh(schema: unknown, { purpose, fillDefaults = false }: CompileOptions): CompiledSchema {
    try {
      const { value, parts, tooLarge } = snapshot(schema);
      if (tooLarge) return { ok: false, problem: "#: the schema is too large" };
      const foreign = parts.find(({ fatal }) => fatal);
      if (foreign !== undefined) {
        return { ok: false, problem: `${foreign.path}: ${foreign.what} is not JSON; use ${foreign.instead}` };
      }
      const bounded = purpose === "input" ? boundInputSchema(value).schema : value;
      const prepared = prepare(bounded, fillDefaults);
      const build = (allErrors: boolean): ValidateFunction => this.build(prepared, allErrors, fillDefaults);
      const every = once(() => build(true));
      const first = firstError(build) ?? every();
      return { ok: true, check: checker(first, every, prepared.patterns || prepared.reentrant) };
    } catch (thrown) {
      return { ok: false, problem: problemOf(thrown) };
    }
  }

  private build(prepared: Prepared, allErrors: boolean, useDefaults: boolean): ValidateFunction {
    // An instance of its own keeps the identifiers of one schema out of every other.
    const ajv = new this.Ajv({
      allErrors,
      useDefaults,
      strict: false,
      validateSchema: false,
      meta: false,
      verbose: true,
      messages: false,
      ownProperties: true,
      allowUnionTypes: true,
      inlineRefs: 8,
      // Unrolled, the validator takes a missing empty name for no missing name.
      loopRequired: prepared.emptyName ? 1 : 200,
      multipleOfPrecision: 8,
      logger: false,
      // Optimising the generated code costs four times what the rest of compiling does.
      code: { regExp: PATTERNS, optimize: false },
    });
    ajv.removeKeyword("uniqueItems");
    ajv.addKeyword(uniqueItems);
    return ajv.compile(prepared.schema);
  }
}

/** The validator that stops at the first error; undefined for objects so wide that its code nests too deep. */
function firstError(build: (allErrors: boolean) => ValidateFunction): ValidateFunction | undefined {
  try {
    return build(false);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

const PATTERNS = Object.assign((source: string) => compilePattern(source), { code: "new RegExp" });

function checker(
  first: ValidateFunction,
  every: () => ValidateFunction,
  watched: boolean,
): (value: unknown) => CheckResult {
  // The errors of a failed value, or undefined when it is valid.
  const run = (validate: ValidateFunction, value: unknown): ErrorObject[] | undefined => {
    const pass = (): boolean => validate(value) as boolean;
    const valid = watched ? withinTime(pass) : pass();
    const errors = valid ? undefined : (validate.errors ?? []);
    validate.errors = null;
    return errors;
  };
  return (value) => {
    let errors: ErrorObject[] | undefined;
    try {
      errors = run(first, value);
    } catch (thrown) {
      return { issues: [{ path: "<root>", text: unchecked(thrown) }], omitted: 0, partial: true };
    }
    if (errors === undefined) return { issues: [], omitted: 0 };
    if (!hasAtMost(value, MOST_LISTED_PARTS)) return { ...collectIssues(errors), partial: true };
    try {
      return collectIssues(run(every(), value) ?? errors);
    } catch {
      return { ...collectIssues(errors), partial: true };
    }
  };
}

function unchecked(thrown: unknown): string {
  if (thrown instanceof TimeBoundExceeded) {
    return `could not be checked within ${thrown.milliseconds} ms: a pattern or a recursive part of the schema takes too long on this value`;
  }
  return "is nested too deeply to be checked";
}

function hasAtMost(value: unknown, most: number): boolean {
  const stack: unknown[] = [value];
  for (let seen = 0; stack.length > 0; seen += 1) {
    if (seen + stack.length > most) return false;
    const at = stack.pop();
    if (typeof at !== "object" || at === null) continue;
    for (const member of Object.values(at as SchemaObject)) stack.push(member);
  }
  return true;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function problemOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return "#: the schema is nested too deeply";
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.startsWith("#") ? message : `#: ${message}`;
}
