import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../support/cli.js";

const folder = join(projectRoot, "src/runtime/guest");
const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));

/** Objects of the controller's own: their methods are not found through a prototype a cell can reach. */
const OWN_RECEIVERS = new Set(["this", "host", "serializer", "inspector"]);
/** Taken from their globals when the controller boots, before any cell code. */
const BOOT_FILE = "primordials.ts";

/** Constructs that look something up where a cell may have put something else. */
function unsafe(node: ts.Node): string | undefined {
  if (ts.isForOfStatement(node)) return "for…of asks for an iterator";
  if (ts.isSpreadElement(node)) return "spread asks for an iterator";
  if (ts.isArrayBindingPattern(node)) return "array destructuring asks for an iterator";
  if (ts.isAwaitExpression(node)) return "await reads the constructor of a promise";
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) {
    return "instanceof reads Symbol.hasInstance";
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const receiver = node.expression.expression;
    const name = receiver.kind === ts.SyntaxKind.ThisKeyword ? "this" : receiver.getText();
    if (!OWN_RECEIVERS.has(name)) return `${node.expression.getText()}() is looked up when it is called`;
  }
  return undefined;
}

describe("the guest controller", () => {
  test.each(files.filter((name) => name !== BOOT_FILE))("%s looks nothing up after boot", (name) => {
    const source = ts.createSourceFile(
      name,
      readFileSync(join(folder, name), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const why = unsafe(node);
      if (why !== undefined) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${name}:${line + 1}: ${why}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    expect(found).toEqual([]);
  });

  test.each(files)("%s uses globals only where they are captured", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const allowed =
      name === BOOT_FILE ? /(?!)/ : /\b(?:process|Buffer|require|globalThis|Reflect|JSON|Math)\b\.?/g;
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|"[^"]*"/g, "");
    expect(code.match(allowed) ?? []).toEqual([]);
  });

  test("compiles against the language alone: no type of Node is in reach", () => {
    const program = ts.createProgram([join(folder, "index.ts")], {
      noEmit: true,
      strict: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts", "lib.esnext.d.ts"],
      types: [],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .filter(({ file }) => file?.fileName.includes("/runtime/guest/"))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))
      .filter((text) => !/'performance'/.test(text));
    expect(problems).toEqual([]);
  });
});
