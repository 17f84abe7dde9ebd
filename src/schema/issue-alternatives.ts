import type { ErrorObject } from "ajv/dist/2020.js";
import { literal } from "./issue-text.js";

/**
 * Makes failed unions readable. The validator lists the errors of every branch and then one for the
 * union itself; here
 * - a union of plain types and literals becomes one error (`must be string or null`),
 * - a union told apart by a tag keeps the errors of the branch whose tag the value has,
 * - any other keeps all of them.
 */
export function mergeAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const out: ErrorObject[] = [];
  for (const error of errors) {
    // Why single items are not of the required kind says nothing.
    if (error.keyword === "contains") drop(out, `${error.schemaPath}/`);
    const union =
      error.keyword === "anyOf" || (error.keyword === "oneOf" && error.params.passingSchemas == null);
    if (!union) {
      out.push(error);
      continue;
    }
    const prefix = `${error.schemaPath}/`;
    let from = out.length;
    while (from > 0 && out[from - 1]!.schemaPath.startsWith(prefix)) from -= 1;
    const branches = byBranch(out.slice(from), prefix);
    // Errors from behind a reference carry other paths: then nothing is known of the branches.
    if (branches.size !== (error.schema as unknown[]).length) {
      out.push(error);
      continue;
    }
    const choices = plainChoices(branches, error.instancePath);
    if (choices !== undefined) {
      out.splice(from, out.length, { ...error, keyword: "alternatives", params: { choices } });
      continue;
    }
    const close = [...branches.values()].filter(
      (branch) => !branch.some((e) => excludes(e, error.instancePath)),
    );
    if (close.length === 1) out.splice(from, out.length, ...close[0]!);
    else out.push(error);
  }
  return out;
}

function drop(errors: ErrorObject[], prefix: string): void {
  while (errors.at(-1)?.schemaPath.startsWith(prefix)) errors.pop();
}

function byBranch(errors: readonly ErrorObject[], prefix: string): Map<string, ErrorObject[]> {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const index = error.schemaPath.slice(prefix.length).split("/", 1)[0]!;
    const branch = branches.get(index);
    if (branch === undefined) branches.set(index, [error]);
    else branch.push(error);
  }
  return branches;
}

function plainChoices(branches: Map<string, ErrorObject[]>, at: string): string[] | undefined {
  const choices = new Set<string>();
  for (const error of [...branches.values()].flat()) {
    if (error.instancePath !== at || error.propertyName !== undefined) return undefined;
    if (error.keyword === "type") for (const type of [error.params.type].flat()) choices.add(String(type));
    else if (error.keyword === "const") choices.add(literal(error.params.allowedValue));
    else if (error.keyword === "enum")
      for (const value of error.params.allowedValues) choices.add(literal(value));
    else if (error.keyword === "alternatives") for (const choice of error.params.choices) choices.add(choice);
    else return undefined;
  }
  return [...choices];
}

/** Whether the value was plainly not meant for the branch: another kind of value, or another tag. */
function excludes(error: ErrorObject, at: string): boolean {
  if (error.keyword === "type") return error.instancePath === at;
  if (error.keyword !== "const" && error.keyword !== "enum") return false;
  return error.instancePath.startsWith(`${at}/`) && !error.instancePath.slice(at.length + 1).includes("/");
}
