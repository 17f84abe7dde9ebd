import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import JSON5 from "json5";
import { describe, expect, it } from "vitest";
import { childOf, type PlacedValue, placeDocument } from "../../src/config/document.js";
import { editConfig } from "../../src/config/edit.js";
import { editText } from "../../src/config/edit-text.js";
import { tempDir } from "../support/temp.js";

const edit = (text: string, path: string, value: unknown): Promise<string> =>
  editText(text, [{ path: path.split("."), value }], "openclaw.json");

const COMMENTED = `// who reads this
{
  /* plugins */
  plugins: {
    entries: {
      // the weather one
      weather: { enabled: true }, // keep
      'stock-quotes': {
        enabled: false, /* why */
      },
    },
  },
  tools: { codeMode: "auto" } // no comma here
  // the end
}
// after
`;

describe("editing in place", () => {
  it("changes one value and no other byte", async () => {
    expect(await edit(COMMENTED, "plugins.entries.weather.enabled", false)).toBe(
      COMMENTED.replace("weather: { enabled: true }", "weather: { enabled: false }"),
    );
  });

  it("adds an entry in the style of its neighbours", async () => {
    expect(await edit(COMMENTED, "plugins.entries.ship-it.enabled", true)).toBe(
      COMMENTED.replace(
        "        enabled: false, /* why */\n      },\n",
        "        enabled: false, /* why */\n      },\n      'ship-it': {\n        enabled: true,\n      },\n",
      ),
    );
    expect(await edit(COMMENTED, "tools.allow", ["a"])).toBe(
      COMMENTED.replace('{ codeMode: "auto" }', '{ codeMode: "auto", allow: ["a"] }'),
    );
  });

  it("puts a new last entry behind the comment of the old one", async () => {
    expect(await edit(COMMENTED, "mcp.servers.x.command", "npx")).toBe(
      COMMENTED.replace(
        '{ codeMode: "auto" } // no comma here\n',
        '{ codeMode: "auto" }, // no comma here\n  mcp: {\n    servers: {\n      x: {\n        command: "npx",\n      },\n    },\n  }\n',
      ),
    );
  });

  it("keeps strict JSON strict", async () => {
    const text = '{\n    "a": 1\n}\n';
    expect(await edit(text, "b.c", [1, 2])).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": [1, 2]\n    }\n}\n',
    );
    expect(await edit('{"a":1}', "b", "x")).toBe('{"a":1, "b": "x"}');
  });

  it.each([
    ["{ a: 1, b: 2 }", "b", "{ a: 1 }"],
    ["{ a: 1, b: 2 }", "a", "{ b: 2 }"],
    ["{ a: 1, b: 2, }", "b", "{ a: 1, }"],
    ["{ a: 1 }", "a", "{ }"],
    ["{\n  a: 1, // why a\n  b: 2\n}", "b", "{\n  a: 1 // why a\n}"],
    ["{\n  a: 1, // why a\n  b: 2\n}", "a", "{\n  // why a\n  b: 2\n}"],
    ["{ a: 1, a: 2, b: 3 }", "a", "{ b: 3 }"],
    ["{ list: [1, 2, 3] }", "list.1", "{ list: [1, 3] }"],
    ["{ a: 1 }", "nope.deeper", "{ a: 1 }"],
  ])("removes from %s the value at %s", async (text, path, expected) => {
    expect(await edit(text, path, undefined)).toBe(expected);
  });

  it("keeps line endings and the byte order mark", async () => {
    const text = '\ufeff{\r\n\t"a": 1,\r\n}\r\n';
    expect(await edit(text, "b.c", true)).toBe(
      '\ufeff{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": true,\r\n\t},\r\n}\r\n',
    );
  });

  it("reads keys a JavaScript parser would refuse", async () => {
    const text = "{ default: { new: '\\x41', \\u0061b: 1 }, true: 0 }";
    expect(await edit(text, "default.ab", 2)).toBe("{ default: { new: '\\x41', \\u0061b: 2 }, true: 0 }");
  });

  it("appends to lists and refuses a gap", async () => {
    expect(await edit("{ a: [] }", "a.0", "x")).toBe('{ a: ["x"] }');
    expect(await edit("{\n  a: [\n    'x' // one\n  ]\n}", "a.1", "y")).toBe(
      "{\n  a: [\n    'x', // one\n    'y'\n  ]\n}",
    );
    await expect(edit("{ a: [] }", "a.2", 1)).rejects.toMatchObject({ code: "config_conflict" });
  });

  it("sets an object over an object member by member, comments between them kept", async () => {
    expect(
      await edit("{\n  a: {\n    // one\n    x: 1,\n    // two\n    y: 2, // three\n  },\n}", "a", {
        y: 3,
        z: {},
      }),
    ).toBe("{\n  a: {\n    // one\n    // two\n    y: 3, // three\n    z: {},\n  },\n}");
  });

  it("does not replace a scalar parent behind the user's back", async () => {
    await expect(edit("{ tools: { codeMode: true } }", "tools.codeMode.timeoutMs", 5)).rejects.toMatchObject({
      code: "config_conflict",
      message: "openclaw.json: tools.codeMode is true, so nothing can be set below it",
    });
  });

  it("holds for any document and any path", async () => {
    const key = fc.constantFrom("a", "b", "c-d", "__proto__", "default", "é", "constructor");
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(1, -0.5, true, null, "x", "q\"'\\\n", ""),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    }));
    await fc.assert(
      fc.asyncProperty(
        json.object,
        fc.array(key, { minLength: 1, maxLength: 4 }),
        fc.option(json.value, { nil: undefined }),
        fc.constantFrom(0, 1, 2, 4),
        fc.boolean(),
        async (object, path, value, indent, comments) => {
          let n = 0;
          let text = indent === 1 ? JSON5.stringify(object, null, 2) : JSON.stringify(object, null, indent);
          if (comments) text = text.replace(/\n/g, () => ` // c${n++}\n`);
          let after: string;
          try {
            after = await editText(text, [{ path, value }], "f");
          } catch (error) {
            expect(error).toMatchObject({ code: "config_conflict" });
            return;
          }
          // The edit itself proves that the document means what was asked; here: no comment outside the
          // changed value is lost.
          const old = placeDocument(text, JSON5.parse);
          let target: PlacedValue | undefined = old.root;
          for (const part of path) target = target && childOf(target, part);
          for (const comment of old.tokens.filter((token) => token.kind === "line-comment")) {
            if (target !== undefined && comment.start > target.start && comment.end < target.end) continue;
            expect(after).toContain(`${comment.text}\n`);
          }
          const rest = JSON5.parse(after);
          if (value !== undefined && path.every((part) => part !== "__proto__")) {
            expect(path.reduce((at: any, part) => at[part], rest)).toEqual(JSON.parse(JSON.stringify(value)));
          }
        },
      ),
      { seed: 20261130, numRuns: 400 },
    );
  });
});

describe("editing a file", () => {
  it("creates a missing file for its owner only", async () => {
    const path = join(tempDir(), "state", "openclaw.json");
    expect(await editConfig(path, [{ path: ["plugins", "entries", "a", "enabled"], value: true }])).toBe(
      true,
    );
    expect(readFileSync(path, "utf8")).toBe(
      '{\n  "plugins": {\n    "entries": {\n      "a": {\n        "enabled": true\n      }\n    }\n  }\n}\n',
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("writes nothing when nothing changes", async () => {
    const dir = tempDir({ "c.json": "{a:1}" });
    expect(await editConfig(join(dir, "c.json"), [{ path: ["a"], value: 1 }])).toBe(false);
    expect(await editConfig(join(dir, "none.json"), [{ path: ["a"], value: undefined }])).toBe(false);
    expect(existsSync(join(dir, "none.json"))).toBe(false);
  });

  it("keeps the mode and follows a link", async () => {
    const dir = tempDir({ "real.json": "{a:1}" });
    chmodSync(join(dir, "real.json"), 0o640);
    symlinkSync("real.json", join(dir, "link.json"));
    await editConfig(join(dir, "link.json"), [{ path: ["a"], value: 2 }]);
    expect(lstatSync(join(dir, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, "real.json"), "utf8")).toBe("{a:2}");
    expect(statSync(join(dir, "real.json")).mode & 0o777).toBe(0o640);
  });

  it("loses no edit when several run at once", async () => {
    const path = join(tempDir(), "c.json");
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => editConfig(path, [{ path: ["e", `k${n}`], value: n }])),
    );
    expect(Object.keys(JSON.parse(readFileSync(path, "utf8")).e)).toHaveLength(12);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("leaves a file it cannot parse alone", async () => {
    const path = join(tempDir({ "c.json": "{a:1,\n b 2}" }), "c.json");
    await expect(editConfig(path, [{ path: ["a"], value: 2 }])).rejects.toMatchObject({
      code: "config_invalid",
      message: `${path}:2:4: unexpected \`2\`; a comma or colon is missing before it`,
    });
    expect(readFileSync(path, "utf8")).toBe("{a:1,\n b 2}");
  });
});
