import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignExtensions } from "../../../src/plugin/author/align-package.js";
import { idFindings, nameFindings } from "../../../src/plugin/author/check-names.js";
import { schemaFindings } from "../../../src/plugin/author/check-schemas.js";
import { manifestSchema } from "../../../src/plugin/author/generate-manifest.js";
import { changedText, changesBetween } from "../../../src/plugin/author/json-file.js";
import { PackList, packedFiles } from "../../../src/plugin/author/package-list.js";
import { schemaCompiler } from "../../../src/schema/compile.js";
import { sampled } from "../../support/full.js";
import { tempDir } from "../../support/temp.js";

const tool = (fields: object) => ({
  name: "t",
  label: "t",
  description: "d",
  parameters: { type: "object", properties: {} },
  ...fields,
});
const plugin = {
  id: "p",
  name: "p",
  description: "d",
  activation: {},
  configSchema: { type: "object" },
  tools: [],
};
const codes = (fields: object) =>
  schemaFindings(plugin, [tool(fields)]).map(({ code, path }) => `${code} ${path}`);

describe("schema checks", () => {
  it("find every part that is not JSON, with its place", () => {
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic.properties = { self: cyclic };
    expect(codes({ parameters: cyclic })).toEqual([
      expect.stringMatching(/^schema-unusable tools\.t\.parameters/),
    ]);
    expect(codes({ parameters: { type: "object", properties: { n: { const: 1n } } } })).toEqual([
      expect.stringContaining("schema-unusable tools.t.parameters.n"),
    ]);
    expect(codes({ parameters: { type: "object", properties: { n: { default: () => 1 } } } })[0]).toContain(
      "tools.t.parameters.n",
    );
    expect(codes({ parameters: { type: "object", [Symbol("kind")]: "x", properties: {} } })).toEqual([]);
  });

  it("find what no call could run with", () => {
    expect(codes({ parameters: { type: "object", properties: { a: { type: "strnig" } } } })).toEqual([
      "schema-unusable tools.t.parameters.a.type",
    ]);
    expect(codes({ outputSchema: { $ref: "#/nowhere" } })).toEqual(["schema-unusable tools.t.outputSchema"]);
    expect(
      codes({
        outputSchema: { anyOf: [{ type: "string" }], "x-openclaw-input-discriminator": { version: 2 } },
      }),
    ).toEqual(["schema-unusable tools.t.outputSchema"]);
  });

  it("warn of arguments nested deeper than hosts look", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 130; level += 1) deep = { type: "object", properties: { a: deep } };
    expect(codes({ parameters: deep })).toEqual(["schema-deep tools.t.parameters"]);
  });

  it("accept exactly what can be compiled", async () => {
    const compiler = await schemaCompiler();
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "required",
      "enum",
      "const",
      "minimum",
      "pattern",
      "anyOf",
      "$ref",
      "additionalProperties",
      "maxLength",
      "not",
    );
    const value = fc.oneof(
      fc.constantFrom("object", "string", "array", "#", "#/properties/a", "(", true, false, -1, 3, null),
      fc.constantFrom(["a"], [], ["string", "null"], {}, { a: { type: "string" } }, [{ type: "object" }], {
        type: "nope",
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(keyword, value, { maxKeys: 4 }), (schema) => {
        const copy = structuredClone(schema);
        const found = codes({ outputSchema: schema }).some((line) => line.startsWith("schema-unusable"));
        expect(compiler.compile(copy, { purpose: "output" }).ok).toBe(!found);
      }),
      { seed: 7, numRuns: 250 },
    );
  });
});

describe("names", () => {
  it("are judged by what providers, cells and folders accept", () => {
    const of = (...names: string[]) =>
      nameFindings(names.map((name) => tool({ name })) as never).map(({ code }) => code);
    expect(of("stock_quote", "x", "A-1")).toEqual([]);
    expect(of("a b", "ä", "a.b", "x".repeat(65))).toEqual(Array(4).fill("tool-name-illegal"));
    expect(of("read", "class", "a_b", "A-b")).toEqual([
      "tool-name-core",
      "tool-name-reserved",
      "tool-name-lookalike",
    ]);
    expect(["p", "My Tool", "../evil", "con", ".x"].map((id) => idFindings(id)[0]?.code)).toEqual([
      undefined,
      "plugin-id-unusual",
      "plugin-id-unsafe",
      "plugin-id-unsafe",
      "plugin-id-unsafe",
    ]);
  });
});

describe("what npm packs", () => {
  it("is answered as npm answers it", async () => {
    const dir = tempDir({
      "package.json": "{}",
      "README.md": "",
      "openclaw.plugin.json": "{}",
      "dist/index.js": "",
      "dist/a.orig": "",
      "dist/sub/x.js": "",
      "dist/sub/.npmignore": "x.js\n",
      "lib/y.js": "",
      ".gitignore": "lib\n",
    });
    const lists = [
      ["dist"],
      ["./dist/", "openclaw.plugin.json"],
      ["dist/sub", "/lib"],
      ["*.json", "dist/*.js"],
      ["dist", "!dist/index.js"],
      [],
      undefined,
    ];
    for (const files of sampled(lists, 2)) {
      const packageJson = { name: "x", version: "1.0.0", ...(files === undefined ? {} : { files }) };
      const ours = await packedFiles(dir, packageJson);
      writeFileSync(`${dir}/package.json`, JSON.stringify(packageJson));
      const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
        cwd: dir,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      const theirs = JSON.parse(output.slice(output.indexOf("[")))[0].files.map(
        (file: { path: string }) => file.path,
      );
      expect(ours.sort()).toEqual(theirs.sort());
      const list = new PackList(dir, packageJson);
      for (const path of [
        "dist/index.js",
        "dist/a.orig",
        "dist/sub/x.js",
        "lib/y.js",
        "openclaw.plugin.json",
      ]) {
        expect(await list.has(path), `${files} ${path}`).toBe(theirs.includes(path));
      }
    }
  });
});

describe("openclaw.extensions", () => {
  const aligned = (extensions: unknown, entry: string) => {
    const rootDir = tempDir({ "dist/index.js": "", "src/index.ts": "", "other.js": "", "dist/more.js": "" });
    const packageJson: Record<string, any> = { openclaw: { extensions, keep: 1 } };
    alignExtensions(packageJson, { rootDir, entry } as never);
    expect(packageJson.openclaw.keep).toBe(1);
    return packageJson.openclaw.extensions;
  };

  it("takes the entry in place of its twin or of what is gone, and keeps the rest in order", () => {
    expect(aligned(["./other.js", "./src/index.ts", "./dist/more.js"], "./dist/index.js")).toEqual([
      "./other.js",
      "./dist/index.js",
      "./dist/more.js",
    ]);
    expect(aligned(["./gone.js", "./other.js", "./gone2.js"], "./dist/index.js")).toEqual([
      "./dist/index.js",
      "./other.js",
    ]);
    expect(aligned(["dist/index.js", "./dist/index.js"], "./dist/index.js")).toEqual(["./dist/index.js"]);
    expect(aligned(["./dist/index.js"], "./src/index.ts")).toEqual(["./src/index.ts"]);
    expect(aligned(["./other.js"], "./dist/index.js")).toEqual(["./other.js", "./dist/index.js"]);
    for (const broken of [undefined, "x", [1, "", null]])
      expect(aligned(broken, "./dist/index.js")).toEqual(["./dist/index.js"]);
  });
});

describe("edits of JSON files", () => {
  it("reach what they should, whatever both values are", async () => {
    const json = fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
    await fc.assert(
      fc.asyncProperty(json, json, async (before, after) => {
        const text = JSON.stringify(before, null, 4);
        const next = await changedText(text, after, changesBetween(before, after), "x.json");
        expect(JSON.parse(next)).toEqual(JSON.parse(JSON.stringify(after)));
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  it("leave schemas as JSON, without what libraries add", () => {
    expect(
      manifestSchema({
        $schema: "x",
        type: "object",
        required: [],
        properties: { required: { type: "array", required: [] }, $schema: { const: { $schema: 1 } } },
        propertyNames: { type: "string" },
        fn: () => 1,
      }),
    ).toEqual({
      type: "object",
      properties: { required: { type: "array" }, $schema: { const: { $schema: 1 } } },
    });
  });
});
