import { expect, test } from "vitest";
import { CatalogInputError } from "../../src/catalog/types.js";
import { readJsonl } from "../support/conformance.js";
import { catalogOf, mcpTool, nativeTool } from "./support.js";

interface Vector {
  id: string;
  input: { call: "API.list" | "API.read"; arg: string };
  expected: { value?: { files?: { path: string }[]; path?: string }; error?: true };
}

const vectors = readJsonl<Vector>("hints/paths.jsonl");
const catalog = catalogOf(
  nativeTool("alpha"),
  nativeTool("beta-tool"),
  mcpTool("github", "create_issue"),
  mcpTool("docs", "search"),
);

test.each(vectors)("$id", ({ input, expected }) => {
  const argument = input.arg === "undefined" ? undefined : JSON.parse(input.arg);
  const call = (): unknown =>
    input.call === "API.list"
      ? { files: catalog.listFiles(argument).map(({ path }) => ({ path })) }
      : { path: catalog.readFile(argument).path };
  if (expected.error === undefined) expect(call()).toEqual(expected.value);
  else expect(call).toThrow(CatalogInputError);
});

test("a path error is plain: the guest sees no code", () => {
  for (const path of ["", "nope.d.ts", "tools/", "mcp/../results.d.ts", null, undefined, {}]) {
    expect(() => catalog.readFile(path)).toThrow(expect.objectContaining({ plain: true }));
  }
});

test("static files state their size, files of tools only their path until they are read", () => {
  const files = catalog.listFiles();
  for (const file of files) {
    const read = catalog.readFile(file.path);
    expect(read.bytes).toBe(Buffer.byteLength(read.content));
    if (file.path.startsWith("tools/")) expect(Object.keys(file)).toEqual(["path"]);
    else expect(file).toEqual({ path: read.path, description: read.description, bytes: read.bytes });
  }
});

test("keys of a read file: static ones are described, generated ones are not", () => {
  expect(Object.keys(catalog.readFile("results.d.ts"))).toEqual(["path", "content", "description", "bytes"]);
  expect(Object.keys(catalog.readFile("tools/alpha.d.ts"))).toEqual(["path", "content", "bytes"]);
});
