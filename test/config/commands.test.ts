import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { sampled } from "../support/full.js";
import { tempDir } from "../support/temp.js";
import { MALFORMED } from "./malformed.js";

const COMMENTED = `// one
{
  // two
  tools: {
    /* three */ codeMode: { timeoutMs: 2000 /* four */ }, // five
  }, // six
  // seven
}
// eight
`;

function home(text?: string | Uint8Array) {
  const dir = tempDir(text === undefined ? {} : { "openclaw.json": text });
  const file = join(dir, "openclaw.json");
  return {
    file,
    read: () => readFileSync(file, "utf8"),
    run: (...args: string[]) => runCli(["config", ...args], { env: { OPENCLAW_STATE_DIR: dir } }),
  };
}

describe("openclaw config", () => {
  it("set keeps every comment and every other byte", async () => {
    const { run, read, file } = home(COMMENTED);
    const done = await run("set", "tools.codeMode.timeoutMs", "3000");
    expect(done).toMatchObject({ code: 0, stdout: `Set tools.codeMode.timeoutMs in ${file}\n`, stderr: "" });
    expect(read()).toBe(COMMENTED.replace("2000", "3000"));
    await run("set", "plugins.entries.a.enabled", "false");
    for (const word of ["one", "two", "three", "four", "five", "six", "seven", "eight"]) {
      expect(read()).toMatch(new RegExp(`(//|/\\*) ${word}`));
    }
    expect((await run("get", "plugins.entries.a.enabled")).stdout).toBe("false\n");
  });

  it("set refuses what would make the file wrong, and writes nothing", async () => {
    const { run, read } = home(COMMENTED);
    const refused = await run("set", "tools.codeMode.timeoutMs", "soon", "--json");
    expect(refused.code).toBe(1);
    expect(refused.json().error).toMatchObject({
      code: "config_invalid",
      message: "tools.codeMode.timeoutMs must be a whole number, not text",
    });
    expect(read()).toBe(COMMENTED);
  });

  it("set warns of a value out of range and of a misspelling, and repairs a file with other errors", async () => {
    const { run, read } = home("{ tools: { allow: 5 }, plugins: { enabled: 1 } }");
    const warned = await run("set", "tools.codeMode.timeoutMs", "5", "--json");
    expect(warned.json()).toMatchObject({ ok: true, changed: true, value: 5 });
    expect(warned.stderr).toContain("outside 100 to 60000");
    await run("set", "tools.allow", "[]");
    await run("set", "plugins.enabled", "true");
    expect((await run("validate")).code).toBe(0);
    expect(read()).toBe("{ tools: { allow: [], codeMode: { timeoutMs: 5 } }, plugins: { enabled: true } }");
  });

  it("set takes text as it is and paths in brackets", async () => {
    const { run, read } = home();
    await run("set", 'mcp.servers["my srv"].command', "npx");
    await run("set", 'mcp.servers["my srv"].args[0]', "-y");
    expect(JSON.parse(read())).toEqual({ mcp: { servers: { "my srv": { command: "npx", args: ["-y"] } } } });
    expect((await run("set", "tools.codeMode.timeoutMs", "-5", "--jsno")).code).toBe(2);
    expect((await run("set", "a..b", "1")).code).toBe(2);
    expect((await run("set", "a", "b c", "--strict-json")).code).toBe(2);
    expect((await run("unset", "mcp", "--json")).json()).toMatchObject({ changed: true });
    expect(JSON.parse(read())).toEqual({});
  });

  it("get prints one value, and names a near miss", async () => {
    const { run } = home(COMMENTED);
    expect((await run("get", "tools.codeMode.timeoutMs")).stdout).toBe("2000\n");
    expect((await run("get", "--json")).json()).toEqual({ tools: { codeMode: { timeoutMs: 2000 } } });
    const miss = await run("get", "tools.codemode");
    expect(miss).toMatchObject({ code: 1, stdout: "" });
    expect(miss.stderr).toContain("There is `codeMode` beside it.");
  });

  it("validate lists every problem with its place", async () => {
    const { run, file } = home('{\n  tools: { allow: "a", deny: 1 },\n  tool: {},\n}');
    const human = await run("validate");
    expect(human.code).toBe(1);
    expect(human.stdout).toBe(
      [
        `${file}:2:19: error: tools.allow must be a list, not text`,
        `${file}:2:30: error: tools.deny must be a list, not 1`,
        `${file}:3:3: warning: tool is no setting of openclaw.json and is ignored; did you mean \`tools\`?\n`,
      ].join("\n"),
    );
    const json = (await run("validate", "--json")).json();
    expect(json.valid).toBe(false);
    expect(json.findings.map((finding: any) => [finding.severity, finding.path])).toEqual([
      ["error", "tools.allow"],
      ["error", "tools.deny"],
      ["warning", "tool"],
    ]);
    writeFileSync(file, "{ tool: {} }");
    expect((await run("validate")).code).toBe(0);
    expect((await run("validate", "--strict")).code).toBe(1);
    expect((await run("validate", `${file}.nope`)).code).toBe(1);
  });

  it("path and schema answer without a file", async () => {
    const { run, file } = home();
    expect((await run("path")).stdout).toBe(`${file}\n`);
    expect((await run("path", "--json")).json()).toEqual({ path: file, exists: false });
    expect((await run("schema")).stdout).toContain('"title": "openclaw.json"');
    expect((await run("validate")).stdout).toContain("does not exist; defaults hold");
  });

  it.each(sampled(MALFORMED, 4))("ends with one placed error for %j", async (text, line, column) => {
    const { run, file } = home(text);
    const { code, stdout, stderr } = await run("get");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.split("\n")[0]).toContain(`error: ${file}:${line}:${column}: `);
    const json = await run("validate", "--json");
    expect(json.code).toBe(1);
    expect(json.json().findings[0]).toMatchObject({ severity: "error", line, column });
  });
});
