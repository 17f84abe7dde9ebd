import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkConfigText, loadConfig } from "../../src/config/config.js";
import { statePaths } from "../../src/config/paths.js";
import { configJsonSchema } from "../../src/config/schema.js";
import { CommandFailure } from "../../src/errors.js";
import { tempDir } from "../support/temp.js";
import { MALFORMED } from "./malformed.js";

const load = (text: string | Uint8Array) => {
  const dir = tempDir({ "openclaw.json": text });
  return loadConfig(statePaths({ HOME: dir, OPENCLAW_STATE_DIR: dir }));
};

async function failure(text: string | Uint8Array): Promise<CommandFailure> {
  const error = await load(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CommandFailure);
  return error as CommandFailure;
}

describe("malformed files", () => {
  it("are more than forty", () => expect(MALFORMED.length).toBeGreaterThanOrEqual(40));

  it.each(MALFORMED)("%j is refused with its place", async (text, line, column, part) => {
    const error = await failure(text);
    expect(error.code).toBe("config_invalid");
    expect(error.exitCode).toBe(1);
    expect(error.message).toContain(`openclaw.json:${line}:${column}: `);
    expect(error.message).toContain(part);
    expect(error.message).not.toContain("\n");
    expect(error.details).toMatchObject({ line, column });
  });

  it("shows the line with a caret under the column", async () => {
    const error = await failure("{\n\ttools: { allow: 5 },\n}");
    expect(error.hint).toBe(" tools: { allow: 5 },\n                   ^");
  });

  it("counts further errors and keeps credentials out", async () => {
    const secret = "sk-live-0123456789abcdef";
    const error = await failure(
      `{ mcp: { servers: { x: { url: 5, headers: { Authorization: "${secret}" }, args: "${secret}" } } }, tools: 1 }`,
    );
    expect(error.message).toContain("(and 2 more)");
    expect(`${error.message}${error.hint}`).not.toContain("0123456789");
    const syntax = await failure(`{ apiKey: 'short' "x": 1 }`);
    expect(`${syntax.message}${syntax.hint}`).not.toContain("short");
  });
});

describe("files that are accepted", () => {
  it("read as JSON5 with a byte order mark", async () => {
    const loaded = await load("\ufeff// hi\n{ tools: { codeMode: { timeoutMs: +5e3, }, }, }");
    expect(loaded.config).toEqual({ tools: { codeMode: { timeoutMs: 5000 } } });
    expect(loaded.warnings).toEqual([]);
  });

  it("are an empty configuration when missing", async () => {
    const dir = tempDir();
    const loaded = await loadConfig(statePaths({ HOME: dir }));
    expect(loaded).toMatchObject({ config: {}, exists: false, path: join(dir, ".openclaw/openclaw.json") });
  });

  it("keep settings of the real product without a word", async () => {
    const loaded = await load(
      JSON.stringify({
        meta: { lastTouchedVersion: "2026.9.6" },
        hooks: {},
        gateway: { port: 18789, auth: { mode: "token" } },
        channels: { whatsapp: {} },
        agents: { defaults: { model: { primary: "a/b" }, heartbeat: {} }, list: [{ id: "ops", model: "x" }] },
        tools: { profile: "coding", exec: {}, web: {}, toolSearch: true },
        plugins: { slots: { memory: "x" }, entries: { a: { apiKey: "k", hooks: {} } } },
      }),
    );
    expect(loaded.warnings).toEqual([]);
  });

  it("warn of misspelled and repeated keys and of values out of range, each with its place", async () => {
    const { warnings, path } = await load(
      `{\n  tool: {},\n  tools: { codemode: true, codeMode: { timeoutMS: 1, maxOutput: 3, timeoutMs: 5, maxSearchLimit: 9999 } },\n  plugins: { enabled: true, enabled: false },\n}`,
    );
    expect(warnings).toEqual([
      `${path}:2:3: tool is no setting of openclaw.json and is ignored; did you mean \`tools\`?`,
      `${path}:3:12: tools.codemode is no setting of tools and is ignored; did you mean \`codeMode\`?`,
      `${path}:3:40: tools.codeMode.timeoutMS is no setting of tools.codeMode and is ignored; did you mean \`timeoutMs\`?`,
      `${path}:3:54: tools.codeMode.maxOutput is no setting of tools.codeMode and is ignored`,
      `${path}:3:79: tools.codeMode.timeoutMs is 5, outside 100 to 60000; 100 is used instead`,
      `${path}:3:98: tools.codeMode.maxSearchLimit is 9999, outside 1 to 50; 50 is used instead`,
      `${path}:4:29: enabled stands here a second time; the last one counts`,
    ]);
  });

  it("say that included files are not read", async () => {
    expect((await load('{ "$include": "./x.json" }')).warnings.join()).toContain("$include is not followed");
  });
});

describe("the published schema", () => {
  const published = fileURLToPath(new URL("../../docs/openclaw.schema.json", import.meta.url));
  const accepts = new Ajv2020({ strict: false }).compile(configJsonSchema());

  it("is what `openclaw config schema` prints", () => {
    expect(JSON.parse(readFileSync(published, "utf8"))).toEqual(configJsonSchema());
  });

  it("agrees with our own checks", async () => {
    const leaf = fc.constantFrom<unknown>(
      true,
      false,
      "auto",
      "x",
      5,
      0,
      2000,
      1.5,
      null,
      [],
      ["a"],
      [1],
      {},
    );
    const mostly = (...good: unknown[]) => fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, leaf);
    const some = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
      fc.record(model, { requiredKeys: [] });
    const codeMode = fc.oneof(
      mostly(true, "auto"),
      some({
        enabled: mostly(false, "auto"),
        timeoutMs: mostly(100, 60_000),
        languages: mostly([], ["typescript"]),
        runtime: mostly("quickjs-wasi"),
      }),
    );
    const texts = mostly([], ["a"]);
    const tools = fc.oneof({ weight: 9, arbitrary: some({ allow: texts, deny: texts, codeMode }) }, leaf);
    const server = fc.oneof(
      some({ command: mostly("npx"), args: texts, env: mostly({ A: 1 }) }),
      some({ url: mostly("https://x"), headers: mostly({ A: "b" }), command: mostly("npx") }),
    );
    const config = some({
      tools,
      plugins: some({
        enabled: mostly(true),
        entries: fc.dictionary(fc.constant("a"), mostly({ config: {} })),
      }),
      mcp: some({ servers: fc.dictionary(fc.constant("s"), server) }),
      agents: some({ list: fc.array(some({ id: mostly("ops"), tools }), { maxLength: 2 }) }),
    });
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(config, async (value) => {
        const { issues } = await checkConfigText(JSON.stringify(value), "f");
        // Out of range is a warning here and an error to an editor: both want the user to look.
        const bad = issues.some((issue) => issue.level === "error" || issue.message.includes("outside"));
        valid += bad ? 0 : 1;
        expect(accepts(JSON.parse(JSON.stringify(value))), JSON.stringify(value)).toBe(!bad);
      }),
      { seed: 20261130, numRuns: 600 },
    );
    expect(valid).toBeGreaterThan(20);
  });
});
