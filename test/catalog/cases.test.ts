import ts from "typescript";
import { expect, test } from "vitest";
import { diagnose } from "../schema/support/typescript.js";
import { catalogOf, mcpTool } from "./support.js";

test("schema-02: descriptions of a server stay inside their comments, whatever they hold", () => {
  const breaks = "first line\n@param fake not a real one\r\nsecond\u2028third\u2029fourth\u0085fifth */";
  const catalog = catalogOf(
    mcpTool("notes", "write_note", {
      description: "Writes glob */ then export const pwn = 1; /* end",
      parameters: {
        type: "object",
        properties: { path: { type: "string", description: breaks } },
        required: ["path"],
        additionalProperties: false,
      },
    }),
  );
  const { content } = catalog.readFile("mcp/notes.d.ts");
  const source = content.replace(/^\/\/\/ <reference .*$/gm, "");
  expect(diagnose(new Map([["/notes.ts", source]]))).toEqual([]);

  const file = ts.createSourceFile("notes.d.ts", content, ts.ScriptTarget.ES2022, true);
  const functions: ts.FunctionDeclaration[] = [];
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node)) functions.push(node);
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  expect(functions.map(({ name }) => name?.text).filter((name) => name !== "$api")).toEqual(["writeNote"]);
  expect(names).not.toContain("pwn");
  const written = functions.find(({ name }) => name?.text === "writeNote")!;
  const tags = ts.getJSDocTags(written).map((tag) => tag.getText().slice(0, 12));
  expect(tags.filter((tag) => tag.includes("fake"))).toEqual([]);
  const comment = content.slice(written.getFullStart(), written.getStart());
  for (const line of comment.trim().split(/[\n\r\u2028\u2029]/)) expect(line.trim()).toMatch(/^(\/\*\*|\*)/);
});
