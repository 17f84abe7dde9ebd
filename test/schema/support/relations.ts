import { type Diagnostic, diagnose } from "./typescript.js";

/** Two pieces of declarations of the same function, to be compared by the compiler. */
export interface Pair {
  id: string;
  /** Statements that may stand in an ambient namespace. */
  expected: string;
  ours: string;
  /** Name of the function in both. */
  name: string;
  /** Further statements, with `E` and `O` as the namespaces. */
  extra?: readonly string[];
}

export interface Relation {
  id: string;
  /** `equal`: mutually assignable; `narrower`: ours assignable to the expected one only. */
  relation: "equal" | "narrower" | "other";
  errors: string[];
}

/** Compares argument and result types of every pair in one program. */
export function relate(pairs: readonly Pair[]): Relation[] {
  const files = new Map(pairs.map((pair) => [fileOf(pair), source(pair)]));
  const byFile = new Map<string, Diagnostic[]>();
  for (const found of diagnose(files)) byFile.set(found.file, [...(byFile.get(found.file) ?? []), found]);
  return pairs.map((pair) => {
    const found = byFile.get(fileOf(pair)) ?? [];
    // As the compiler counts lines.
    const lines = source(pair).split(/\n|\u2028|\u2029/);
    const backwards = found.filter(({ line }) => lines[line - 1]!.startsWith("/* back */"));
    const errors = found
      .filter((at) => !backwards.includes(at))
      .map(({ line, message }) => `${line}: ${message}`);
    return {
      id: pair.id,
      relation: errors.length > 0 ? "other" : backwards.length > 0 ? "narrower" : "equal",
      errors,
    };
  });
}

function fileOf({ id }: Pair): string {
  return `/${id.replace(/[^A-Za-z0-9-]/g, "_")}.ts`;
}

function source({ expected, ours, name, extra = [] }: Pair): string {
  const type = (space: string, what: string): string =>
    what === "in" ? `Parameters<typeof ${space}.${name}>[0]` : `Awaited<ReturnType<typeof ${space}.${name}>>`;
  return [
    "declare namespace E {",
    inNamespace(expected),
    "}",
    "declare namespace O {",
    inNamespace(ours),
    "}",
    ...["in", "out"].flatMap((what) => [
      `declare const ${what}E: ${type("E", what)}; declare const ${what}O: ${type("O", what)};`,
      `export const ${what}1: ${type("E", what)} = ${what}O;`,
      `/* back */ export const ${what}2: ${type("O", what)} = ${what}E;`,
    ]),
    ...extra,
  ].join("\n");
}

function inNamespace(text: string): string {
  return text.replace(/^(\s*)declare (?=function|namespace|type|interface|const)/gm, "$1");
}
