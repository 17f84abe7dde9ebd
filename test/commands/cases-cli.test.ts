import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { binFile, type CliRun, runCli } from "../support/cli.js";
import { writePlugin } from "../support/plugin-project.js";
import { tempDir } from "../support/temp.js";

const FAR_OVER_A_PIPE = 300_000;
/** Under the size up to which manifests are read. */
const LARGE_MANIFEST = 200_000;
const ROOM = ["--limit", "maxOutputBytes=2000000"];

/** A run whose reader takes what comes first and then goes away, as `head -c 10` does. */
function readerLeaves(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CliRun> {
  const child = spawn(process.execPath, [binFile, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stdout.once("data", () => child.stdout.destroy());
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: "", stderr, json: () => undefined as never }),
    );
  });
}

/** A run whose stdout is a file. */
function toFile(args: readonly string[], file: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  const out = openSync(file, "w");
  const child = spawn(process.execPath, [binFile, ...args], { env, stdio: ["ignore", out, "pipe"] });
  closeSync(out);
  child.stderr?.resume();
  return new Promise((resolve) => child.on("close", resolve));
}

function state(root: string): NodeJS.ProcessEnv {
  return { ...process.env, OPENCLAW_STATE_DIR: join(root, "state"), HOME: root, NO_COLOR: "1" };
}

describe("public cases: the command line", () => {
  test("cli-01: large documents reach a pipe whole, also of a failed run, and a reader may leave early", async () => {
    const root = tempDir();
    const env = state(root);
    const big = `return "x".repeat(${FAR_OVER_A_PIPE})`;
    const value = await runCli(["exec", "--json", ...ROOM, "-c", big], { env });
    expect([value.code, value.json().value.length]).toEqual([0, FAR_OVER_A_PIPE]);
    const late = `text("y".repeat(${FAR_OVER_A_PIPE})); throw new Error("late")`;
    const failed = await runCli(["exec", "--json", ...ROOM, "-c", late], { env });
    expect([failed.code, failed.json().status]).toEqual([1, "failed"]);
    expect(failed.stdout.length).toBeGreaterThan(FAR_OVER_A_PIPE);

    writePlugin(join(root, "state/extensions/big-plugin"), {
      id: "big-plugin",
      manifest: { description: "d".repeat(LARGE_MANIFEST) },
    });
    const inspect = ["plugins", "inspect", "big-plugin", "--json"];
    for (const args of [["exec", ...ROOM, "-c", big], ["exec", "--json", ...ROOM, "-c", late], inspect]) {
      const left = await readerLeaves(args, env);
      expect([0, 1, 141]).toContain(left.code);
      expect(left.stderr).toBe("");
    }
    const file = join(root, "out.json");
    expect(await toFile(inspect, file, env)).toBe(0);
    const piped = await runCli(inspect, { env });
    expect(piped.json().plugin.description).toHaveLength(LARGE_MANIFEST);
    expect(readFileSync(file, "utf8")).toBe(piped.stdout);
  });

  test("cli-03: code comes from -c, files and stdin as it was written", async () => {
    const cwd = tempDir({
      "cell.js": '\ufeffreturn "bom";\r\n',
      "crlf.js": "return `a\r\nb`.length;",
    });
    const env = state(cwd);
    const rows: [string[], number, string, (RegExp | undefined)?, string?][] = [
      [["--code", "return 'single';"], 0, "single\n"],
      [["--code", "-1 + 2"], 0, ""],
      [["--code=-1"], 0, ""],
      [["--", "--x; return 1"], 2, "", /not found: --x; return 1\n.*-c/],
      [["-"], 0, "from stdin\n", undefined, 'return "from stdin";'],
      [["cell.js"], 0, "bom\n"],
      [["crlf.js"], 0, "3\n"],
      [[], 2, "", /stdin holds no code/],
      [["missing.js"], 2, "", /missing\.js/],
      [["--code", "return 1", "cell.js"], 2, "", /cannot be combined/],
      [["-c", "return 1", "-c", "return 2"], 2, "", /-c is given twice/],
      [["--code", "return x"], 1, "", /ReferenceError: x is not defined/],
    ];
    for (const [args, code, stdout, stderr, input] of rows) {
      const run = await runCli(["exec", ...args], { cwd, env, ...(input === undefined ? {} : { input }) });
      expect([run.code, run.stdout], args.join(" ")).toEqual([code, stdout]);
      expect(run.stderr, args.join(" ")).toMatch(stderr ?? /^$/);
    }
    expect((await runCli(["exec", "--help"])).stdout).toMatch(/PowerShell[^\n]*stdin/);
  });

  test("cli-05: every failing path has its exit code, and says it where it should", async () => {
    const cwd = tempDir();
    const env = state(cwd);
    const rows: [string[], number][] = [
      [["plugins", "validate", "--entry", "./nope.js"], 1],
      [["plugins", "build", "--entry", "./dist/index.js", "--check"], 1],
      [["plugins", "inspect", "no-such-id"], 1],
      [["plugins", "install", "./nope"], 1],
      [["plugins", "frobnicate"], 2],
      [["exec", "-c", "throw 1"], 1],
      [["exec", "--limit", "timeoutMs=200", "-c", "for(;;){}"], 1],
      [["exec", "--unknown-flag"], 2],
      [["plugins", "init", "Bad_ID!"], 2],
      [["wait", "nope"], 2],
    ];
    for (const [args, code] of rows) {
      const [plain, json] = await Promise.all([
        runCli(args, { cwd, env }),
        runCli([...args, "--json"], { cwd, env }),
      ]);
      expect([plain.code, plain.stdout], args.join(" ")).toEqual([code, ""]);
      expect(plain.stderr, args.join(" ")).not.toMatch(/\.js:\d+:\d+\)?\n\s+at |node:internal/);
      expect(plain.stderr).not.toBe("");
      expect([json.code, json.stderr], args.join(" ")).toEqual([code, ""]);
      const { ok, valid, status, error } = json.json();
      expect(ok ?? valid ?? status === "completed").toBe(false);
      if (ok === false) expect(error.code).toMatch(/^[a-z_-]+$/);
    }
    expect(existsSync(join(cwd, "Bad_ID!"))).toBe(false);
  });
});
