import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaCompiler } from "../../src/schema/compile.js";
import { renderMcpParams } from "../../src/schema/declare-mcp.js";
import { declareNative } from "../../src/schema/declare-native.js";
import { full } from "../support/full.js";
import { random, schemas, valueFor } from "./support/samples.js";
import { diagnose, expression } from "./support/typescript.js";

const SEED = 20261130;
const RUNS = full ? 1_000 : 100;
const VALUES_EACH = 3;
const TRIES = 40;
const PER_FILE = 25;

const compiler = await schemaCompiler();

interface Case {
  schema: Record<string, unknown>;
  values: unknown[];
  declaration: string;
  use: (value: string, index: number) => string;
}

/** Values that the validator accepts for the schema, few but different. */
function accepted(schema: unknown, seed: number, keep: (value: unknown) => boolean): unknown[] {
  const compiled = compiler.compile(schema, { purpose: "output" });
  if (!compiled.ok) return [];
  const next = random(seed);
  const found = new Map<string, unknown>();
  for (let i = 0; i < TRIES && found.size < VALUES_EACH; i += 1) {
    const value = valueFor(schema, schema, next);
    if (keep(value) && compiled.check(value).issues.length === 0) found.set(JSON.stringify(value), value);
  }
  return [...found.values()];
}

/** Type-checks all cases as one program; every error is a value the declared type wrongly refuses. */
function refused(cases: readonly Case[]): unknown[] {
  const files = new Map<string, string>();
  const owner = new Map<string, Case>();
  for (let from = 0; from < cases.length; from += PER_FILE) {
    const lines: string[] = [];
    for (const [offset, item] of cases.slice(from, from + PER_FILE).entries()) {
      const name = `N${from + offset}`;
      const add = (text: string): void => {
        for (const line of text.split("\n")) {
          lines.push(line);
          owner.set(`/${from}.ts:${lines.length}`, item);
        }
      };
      add(`declare namespace ${name} {\n${item.declaration.replace(/^declare /gm, "")}\n}`);
      item.values.forEach((value, index) => {
        add(`{ ${item.use(expression(value), index).replaceAll("N.", `${name}.`)} }`);
      });
    }
    lines.push("export {};");
    files.set(`/${from}.ts`, lines.join("\n"));
  }
  return diagnose(files).map(({ file, line, message }) => {
    const { schema, declaration } = owner.get(`${file}:${line}`)!;
    return {
      message,
      schema: JSON.stringify(schema),
      declaration,
      line: files.get(file)!.split("\n")[line - 1],
    };
  });
}

const samples = fc.sample(schemas(), { numRuns: RUNS, seed: SEED });
const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

describe("every value a schema accepts has the declared type", () => {
  const cases = (make: (schema: Record<string, unknown>, seed: number) => Case | undefined): Case[] =>
    samples.map(make).filter((item) => item !== undefined && item.values.length > 0) as Case[];

  const minutes = 5 * 60_000;

  it(`as the output of a native tool, ${RUNS} schemas`, { timeout: minutes }, () => {
    const all = cases((schema, i) => ({
      schema,
      values: accepted(schema, SEED + i, () => true),
      declaration: declareNative({ callableName: "f", source: "openclaw", outputSchema: schema }),
      use: (value) => `const v: Awaited<ReturnType<typeof N.f>> = ${value}; void v;`,
    }));
    expect(all.length).toBeGreaterThan(RUNS * 0.6);
    expect(refused(all).slice(0, 5)).toEqual([]);
  });

  it(`as the input of a native tool, given or left out, ${RUNS} schemas`, { timeout: minutes }, () => {
    const all = cases((schema, i) => ({
      schema,
      values: accepted(schema, SEED + i, () => true),
      declaration: declareNative({ callableName: "f", source: "openclaw", parameters: schema }),
      use: (value) => (value === "{  }" ? "void N.f(); void N.f({});" : `void N.f(${value});`),
    }));
    expect(refused(all).slice(0, 5)).toEqual([]);
  });

  it(`as the argument of an MCP tool, ${RUNS} schemas`, { timeout: minutes }, () => {
    const all = cases((schema, i) => {
      const { aliases, typeText, optionalInput } = renderMcpParams(schema);
      return {
        schema,
        values: accepted(schema, SEED + i, isObject),
        declaration: [
          ...aliases.map(({ name, text }) => `type ${name} = ${text};`),
          `function f(input${optionalInput ? "?" : ""}: ${typeText}): void;`,
        ].join("\n"),
        use: (value) => `N.f(${value});`,
      };
    });
    expect(all.length).toBeGreaterThan(RUNS * 0.25);
    expect(refused(all).slice(0, 5)).toEqual([]);
  });
});
