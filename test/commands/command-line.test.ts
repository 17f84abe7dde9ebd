import { spawn } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { version } from "../../src/version.js";
import { binFile, runCli } from "../support/cli.js";
import { tempDir } from "../support/temp.js";

describe("words and flags", () => {
  test("names of Object's own members are unknown commands like others", async () => {
    for (const word of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
      for (const args of [[word], ["plugins", word], ["help", word]]) {
        const run = await runCli(args);
        expect([run.code, run.stdout]).toEqual([2, ""]);
        expect(run.stderr).toContain("unknown command `");
      }
    }
  });

  test("an unknown command of a group points to the help of the group", async () => {
    expect((await runCli(["config", "qqqqq"])).stderr).toBe(
      "error: unknown command `config qqqqq`\n  Run `openclaw config --help` for the list.\n",
    );
  });

  test("`help` works where help says that it does", async () => {
    const help = (await runCli(["plugins", "install", "--help"])).stdout;
    expect(help).toContain("Usage: openclaw plugins install");
    expect((await runCli(["plugins", "help", "install"])).stdout).toBe(help);
    expect((await runCli(["help", "plugins", "install"])).stdout).toBe(help);
    const group = (await runCli(["plugins", "--help"])).stdout;
    expect((await runCli(["plugins", "help"])).stdout).toBe(group);
    expect((await runCli(["plugins"])).stdout).toBe(group);
    expect((await runCli(["plugins", "help", "nope"])).code).toBe(2);
  });

  test("help and version are a document too when one is asked for", async () => {
    expect((await runCli(["--version", "--json"])).json()).toEqual({ version });
    for (const args of [["--help"], ["exec", "--help"], ["plugins", "--help"], ["help", "exec"]]) {
      const text = (await runCli(args)).stdout;
      expect(text).toContain("Usage:");
      expect((await runCli([...args, "--json"])).json()).toEqual({ help: text });
    }
  });

  test("flags in front of a subcommand are told where they belong", async () => {
    for (const args of [
      ["catalog", "--plugin", ".", "search", "x"],
      ["catalog", "--json", "read"],
    ]) {
      const run = await runCli(args);
      expect([run.code, `${run.stdout}${run.stderr}`]).toEqual([
        2,
        expect.stringContaining(`openclaw catalog ${args.includes("search") ? "search" : "read"} ...`),
      ]);
    }
  });

  test("an empty value of a flag is refused before anything is done", async () => {
    const cwd = tempDir();
    for (const args of [
      ["plugins", "init", "p", "--directory", ""],
      ["plugins", "init", "p", "--name", " "],
      ["plugins", "init", "p", "--toolchain", ""],
      ["plugins", "build", "--root", ""],
      ["plugins", "validate", "--entry", ""],
      ["exec", "--plugin", "", "-c", "return 1"],
      ["exec", "--mcp", "", "-c", "return 1"],
      ["exec", "--file", ""],
      ["exec", "--trajectory=", "-c", "return 1"],
      ["catalog", "--agent", ""],
    ]) {
      const run = await runCli(args, { cwd });
      expect([run.code, run.stdout], args.join(" ")).toEqual([2, ""]);
      expect(run.stderr, args.join(" ")).toContain("has an empty value");
    }
    expect(existsSync(`${cwd}/p`)).toBe(false);
  });
});

test.runIf(existsSync("/dev/full"))("output that cannot be written is one line and exit code 1", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [binFile, "exec", "-c", "return 5"], {
    stdio: ["ignore", full, "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
  expect(stderr).toMatch(/^error: the output could not be written to stdout: ENOSPC[^\n]*\n$/);
});
