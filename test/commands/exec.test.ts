import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { binFile, type CliOptions, type CliRun, runCli } from "../support/cli.js";
import { tempDir } from "../support/temp.js";

/** A plugin folder whose tools need no dependency. */
const TOOLS = {
  "kit/package.json": JSON.stringify({
    name: "openclaw-plugin-kit",
    version: "0.1.0",
    type: "module",
    openclaw: { extensions: ["./index.js"] },
  }),
  "kit/openclaw.plugin.json": JSON.stringify({
    id: "kit",
    name: "Kit",
    description: "Kit.",
    version: "0.1.0",
    configSchema: { type: "object", additionalProperties: false, properties: {} },
    activation: { onStartup: true },
    contracts: { tools: ["add", "late", "hang"] },
  }),
  "kit/index.js": `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
const number = { type: "number" };
export default defineToolPlugin({ id: "kit", name: "Kit", description: "Kit.", tools: (tool) => [
  tool({ name: "add", description: "Add two numbers.",
    parameters: { type: "object", properties: { a: number, b: number }, required: ["a", "b"], additionalProperties: false },
    outputSchema: { type: "object", properties: { sum: number }, required: ["sum"], additionalProperties: false },
    execute: ({ a, b }) => { console.log("noise of a plugin"); return { sum: a + b }; } }),
  tool({ name: "late", description: "Answer late.", parameters: { type: "object", properties: { ms: number } },
    execute: ({ ms }) => new Promise((done) => setTimeout(() => done({ ms }), ms)) }),
  tool({ name: "hang", description: "Never answer.", parameters: { type: "object", properties: {} },
    execute: () => new Promise(() => {}) }),
] });
`,
};

function setUp(files: Record<string, string | Uint8Array> = {}) {
  const dir = tempDir({ ...TOOLS, ...files });
  const run = (args: string[], options: CliOptions = {}): Promise<CliRun> =>
    runCli(["exec", ...args], {
      cwd: dir,
      ...options,
      env: { OPENCLAW_STATE_DIR: join(dir, "state"), OPENCLAW_HOME: dir, ...options.env },
    });
  return { dir, run };
}

describe("a cell from the command line", () => {
  test("prints output in order, then the value; a plugin's own noise stays off stdout", async () => {
    const { run } = setUp();
    const result = await run([
      "--plugin",
      "kit",
      "-c",
      'text("one"); json({ n: 2 }); return await add({ a: 1, b: 2 })',
    ]);
    expect(result.stdout).toBe('one\n{\n  "n": 2\n}\n{\n  "sum": 3\n}\n');
    expect(result.stderr).toContain("noise of a plugin");
    expect(result.code).toBe(0);
  });

  test("a null value prints nothing and a string prints as it is", async () => {
    const { run } = setUp();
    expect((await run(["-c", "return null"])).stdout).toBe("");
    expect((await run(["-c", 'return "plain"'])).stdout).toBe("plain\n");
  });

  test("control characters of a cell never reach the terminal; --json stays exact", async () => {
    const { run } = setUp();
    const code = 'text("\\u001b[31mred\\u202e"); return "\\u0007"';
    expect((await run(["-c", code])).stdout).toBe("\\x1b[31mred\\u202e\n\\x07\n");
    const exact = (await run(["--json", "-c", code])).json();
    expect(exact).toMatchObject({ value: "\u0007", output: [{ type: "text", text: "\u001b[31mred\u202e" }] });
  });

  test("stdin, - and files are read; a BOM, CRLF and the extension are honoured", async () => {
    const { run } = setUp({
      "bom.js": '\ufeffreturn "bom";\r\n',
      "crlf.js": "return `a\r\nb`.length;",
      "typed.ts": "const n: number = 4;\nreturn n;",
    });
    expect((await run([], { input: 'return "from stdin";' })).stdout).toBe("from stdin\n");
    expect((await run(["-"], { input: "return 7" })).stdout).toBe("7\n");
    expect((await run(["bom.js"])).stdout).toBe("bom\n");
    expect((await run(["crlf.js"])).stdout).toBe("3\n");
    expect((await run(["--file", "typed.ts"])).stdout).toBe("4\n");
    expect((await run(["--language", "typescript", "-c", "return 1 as number"])).stdout).toBe("1\n");
    expect((await run(["--code", "-1 + 2"])).code).toBe(0);
  });

  test("several cells run in order in one session and print one array; --keep-going goes on", async () => {
    const { run } = setUp({
      "a.js": "await store('k', 5); return (await results.save([1])).id.length > 0;",
      "b.js": "throw new Error('no');",
      "c.js": "return await load('k');",
    });
    const stopped = await run(["--json", "a.js", "--file", "b.js", "--file", "c.js"]);
    expect(stopped.code).toBe(1);
    expect(stopped.json().map(({ status }: { status: string }) => status)).toEqual(["completed", "failed"]);
    const whole = await run(["--json", "--keep-going", "--file", "a.js", "--file", "b.js", "--file", "c.js"]);
    expect(whole.code).toBe(1);
    expect(whole.json()[2]).toMatchObject({ status: "completed", value: 5 });
  });

  test("--session keeps stored values between runs, only when a cell completes", async () => {
    const { run } = setUp();
    await run(["--session", "s", "-c", "await store('n', 1)"]);
    await run(["--session", "s", "-c", "await store('n', 2); throw new Error('x')"]);
    expect((await run(["--session", "s", "-c", "return await load('n')"])).stdout).toBe("1\n");
    expect((await run(["-c", "return (await load('n')) ?? 'nothing'"])).stdout).toBe("nothing\n");
  });

  test("output larger than a pipe's buffer arrives whole, also when the cell fails", async () => {
    const { run } = setUp();
    const limit = ["--json", "--limit", "maxOutputBytes=2000000"];
    const good = await run([...limit, "-c", 'return "x".repeat(300000)']);
    expect(good.json().value).toHaveLength(300_000);
    const bad = await run([...limit, "-c", 'text("y".repeat(300000)); throw new Error("late")']);
    expect(bad.code).toBe(1);
    expect(bad.json().output[0].text).toHaveLength(300_000);
  });
});

describe("waiting and time", () => {
  test("a run that outlasts its leg is resumed to its end, output in order", async () => {
    const { run } = setUp();
    const code = 'text("a"); const r = await late({ ms: 700 }); text("b"); await yield_control(); return r';
    const result = await run(["--json", "--plugin", "kit", "--limit", "timeoutMs=300", "-c", code]);
    expect(result.json()).toMatchObject({
      status: "completed",
      value: { ms: 700 },
      output: [{ text: "a" }, { text: "b" }],
    });
  });

  test("--no-wait stops at the first waiting result with exit 3", async () => {
    const { run } = setUp();
    const result = await run(["--json", "--no-wait", "-c", "await yield_control('later')"]);
    expect(result.code).toBe(3);
    expect(result.json()).toMatchObject({ status: "waiting", reason: "yield" });
  });

  test("--deadline ends a run whose tool never answers", async () => {
    const { run } = setUp();
    const args = ["--json", "--plugin", "kit", "--limit", "timeoutMs=200", "--deadline", "900"];
    const result = await run([...args, "-c", 'text("before"); return await hang({})']);
    expect(result.code).toBe(1);
    expect(result.json()).toMatchObject({ status: "failed", code: "timeout", output: [{ text: "before" }] });
    expect(result.json().error).toContain("--deadline");
  });

  test.each([
    ["a loop", "while (true) {}"],
    ["one long native call", 'return new Array(1e9) + ""'],
  ])("%s ends as timeout within 300 ms of its limit, and the process within 1.5 s", async (_name, code) => {
    const { run } = setUp();
    const idle = Date.now();
    await run(["-c", "return 1"]);
    const floor = Date.now() - idle;
    const from = Date.now();
    const result = await run(["--json", "--limit", "timeoutMs=500", "-c", code]);
    const took = Date.now() - from;
    const document = result.json();
    expect(document).toMatchObject({ status: "failed", code: "timeout" });
    expect(document.telemetry.evaluationMs).toBeGreaterThanOrEqual(500);
    expect(document.telemetry.evaluationMs).toBeLessThanOrEqual(800);
    expect(took - floor).toBeLessThan(500 + 1500);
    expect(result.code).toBe(1);
  });

  test("Ctrl-C aborts the cell and ends with 130", async () => {
    const { dir } = setUp();
    const child = spawn(
      process.execPath,
      [binFile, "exec", "--json", "--plugin", "kit", "-c", 'text("up"); await hang({})'],
      {
        cwd: dir,
        env: { ...process.env, OPENCLAW_STATE_DIR: join(dir, "state"), OPENCLAW_DEBUG_CODE_MODE: "1" },
      },
    );
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
        if (stderr.includes("request")) resolve();
      });
      child.on("exit", () => resolve());
    });
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", code: "aborted", output: [{ text: "up" }] });
  });
});

describe("failures", () => {
  test("a thrown error is placed in the author's file, with the lines around it", async () => {
    const { run } = setUp({
      "cell.ts": "type A = string;\nconst rows: A[] | null = null;\nreturn rows!.length;\n",
    });
    const result = await run(["cell.ts"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toBe("");
    expect(result.stderr).toContain("TypeError");
    expect(result.stderr).toContain("cell.ts:3:");
    expect(result.stderr).toContain("> 3 | return rows!.length;");
    expect(result.stderr).not.toContain("node_modules");
  });

  test.each([
    [["missing.js"], "missing.js"],
    [["--", "--x; return 1"], "-c"],
    [["-c", "return 1", "cell.js"], "-c and a cell file"],
    [["-c", "  "], "empty value"],
    [["--limit", "timeoutMS=5", "-c", "return 1"], "timeoutMs"],
    [["--limit", "timeoutMs=fast", "-c", "return 1"], "whole number"],
    [["--language", "python", "-c", "return 1"], "python"],
    [["--approve", "maybe", "-c", "return 1"], "always, never or ask"],
    [["--deadline", "soon", "-c", "return 1"], "milliseconds"],
    [["--tmieout", "5"], "--tmieout"],
    [["."], "folder"],
  ])("%j is wrong usage: one line on stderr, exit 2, JSON when asked", async (args, word) => {
    const { run } = setUp();
    const plain = await run(args);
    expect([plain.code, plain.stdout]).toEqual([2, ""]);
    expect(plain.stderr).toContain(word);
    expect(plain.stderr).not.toMatch(/^\s+at /m);
    const json = await run(["--json", ...args]);
    expect(json.code).toBe(2);
    expect(json.json()).toMatchObject({ ok: false, error: { code: "usage" } });
  });

  test("empty stdin is wrong usage and never hangs", async () => {
    const { run } = setUp();
    expect((await run([], { input: "" })).code).toBe(2);
  });

  test("a limit out of range is clamped with one line", async () => {
    const { run } = setUp();
    const result = await run(["--limit", "timeoutMs=1", "-c", "return 1"]);
    expect(result.stdout).toBe("1\n");
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
    expect(result.stderr).toContain("using 100");
  });

  test("a broken plugin is left out with one line and a warning; the rest runs", async () => {
    const { run } = setUp({
      "bad/package.json": JSON.stringify({
        name: "bad",
        version: "1.0.0",
        type: "module",
        openclaw: { extensions: ["./index.js"] },
      }),
      "bad/index.js": 'throw new Error("kaboom");',
    });
    const args = ["--json", "--plugin", "kit", "--plugin", "bad", "-c", "return await add({ a: 1, b: 1 })"];
    const result = await run(args);
    expect(result.json()).toMatchObject({ status: "completed", value: { sum: 2 } });
    expect(JSON.stringify(result.json().warnings)).toContain("kaboom");
    expect(result.stderr).toContain("kaboom");
  });

  test("an unknown plugin is named, with the nearest one", async () => {
    const { run } = setUp();
    const result = await run(["--json", "--plugin", "kti", "-c", "return 1"]);
    expect(result.code).toBe(1);
    expect(result.json().error.message).toContain("kti");
  });

  test("--check blocks what is certainly wrong and runs nothing", async () => {
    const { run } = setUp();
    const blocked = await run([
      "--json",
      "--check",
      "--plugin",
      "kit",
      "-c",
      'text("ran"); return (await add({ a: 1, b: 2 })).smu',
    ]);
    expect(blocked.code).toBe(1);
    expect(blocked.json()).toMatchObject({ status: "failed", code: "invalid_input", output: [] });
    expect(blocked.json().findings[0]).toMatchObject({ severity: "error", line: 1 });
    const fine = await run(["--check", "--plugin", "kit", "-c", "return (await add({ a: 1, b: 2 })).sum"]);
    expect(fine.stdout).toBe("3\n");
  });
});
