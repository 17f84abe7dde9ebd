import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPlugin } from "../../../src/plugin/install/install.js";
import { INSTALL_STEPS, type Step, UNINSTALL_STEPS } from "../../../src/plugin/install/steps.js";
import { planUninstall, uninstallPlugin } from "../../../src/plugin/install/uninstall.js";
import { discoverPlugins } from "../../../src/plugin/load/discover.js";
import { readRecords } from "../../../src/plugin/load/records.js";
import { projectRoot, runCli } from "../../support/cli.js";
import { full, sampled } from "../../support/full.js";
import { helloEntry, writePlugin } from "../../support/plugin-project.js";
import { stateAt } from "../../support/state.js";
import { writeTarball } from "../../support/tarball.js";
import { tempDir } from "../../support/temp.js";
import { treeOf } from "../../support/tree.js";
import type { ChangeRequest } from "./children/change.js";

// Inside dist/, where the code finds the package it belongs to.
const child = join(projectRoot, "dist", `test-change-${process.pid}.mjs`);

beforeAll(async () => {
  await build({
    entryPoints: [join(projectRoot, "test/plugin/install/children/change.ts")],
    outfile: child,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
});
afterAll(() => rmSync(child, { force: true }));

function change(
  request: ChangeRequest,
): Promise<{ code: number | null; signal: string | null; stderr: string }> {
  const run = spawn(process.execPath, [child, JSON.stringify(request)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  run.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => run.on("close", (code, signal) => resolve({ code, signal, stderr })));
}

type Operation = "install" | "reinstall" | "uninstall";

/** A plugin as an archive; its dependency is one too, so that npm has something to fetch without a registry. */
function archive(dir: string, version: string, dependency?: string): string {
  mkdirSync(dir, { recursive: true });
  const entry = helloEntry("swap", version);
  return writeTarball(join(dir, `swap-${version}.tgz`), [
    {
      path: "package/package.json",
      content: JSON.stringify({
        name: "swap",
        version,
        type: "module",
        dependencies: dependency === undefined ? {} : { dep: `file:${dependency}` },
        openclaw: { extensions: ["./dist/index.js"] },
      }),
    },
    {
      path: "package/openclaw.plugin.json",
      content: JSON.stringify({
        id: "swap",
        version,
        configSchema: { type: "object" },
        contracts: { tools: ["swap_hello"] },
      }),
    },
    { path: "package/dist/index.js", content: entry },
    { path: `package/only-in-${version}.txt`, content: version },
  ]);
}

/** What a reader sees of the plugin: its record's version, its manifest's, and every byte of its folder. */
async function seen(stateDir: string): Promise<unknown> {
  const state = stateAt(stateDir);
  const [plugins, records] = await Promise.all([discoverPlugins(state), readRecords(state.paths)]);
  return plugins.map((plugin) => ({
    id: plugin.id,
    origin: plugin.origin,
    error: plugin.error,
    version: plugin.manifest?.version,
    recorded: records.installs[plugin.id]?.version,
    tree: treeOf(plugin.rootDir),
  }));
}

interface Scene {
  stateDir: string;
  request: ChangeRequest;
  old: unknown;
  new: unknown;
}

const stage = mkdtempSync(join(tmpdir(), "openclaw-faults-"));
let prepared: Promise<{
  base: string;
  before: unknown;
  specs: Record<"plain" | "npm", { spec: string; after: unknown }>;
}>;

/** State folders before and after, made once: every test works on a copy. */
function prepare(): typeof prepared {
  prepared ??= (async () => {
    const dependency = writeTarball(join(stage, "dep.tgz"), [
      { path: "package/package.json", content: JSON.stringify({ name: "dep", version: "1.0.0" }) },
    ]);
    const run = async (stateDir: string, spec: string): Promise<unknown> => {
      await installPlugin({ ...stateAt(stateDir), spec, consent: () => true });
      return seen(stateDir);
    };
    const base = join(stage, "base");
    const before = await run(base, archive(stage, "1.0.0"));
    const plain = archive(join(stage, "plain"), "2.0.0");
    const npm = archive(join(stage, "npm"), "2.0.0", dependency);
    return {
      base,
      before,
      specs: {
        plain: { spec: plain, after: await run(join(stage, "after-plain"), plain) },
        npm: { spec: npm, after: await run(join(stage, "after-npm"), npm) },
      },
    };
  })();
  return prepared;
}
afterAll(() => rmSync(stage, { recursive: true, force: true }));

/** A state folder before the change, and what it looks like before and after. */
async function scene(operation: Operation, withDependency: boolean): Promise<Scene> {
  const { base, before, specs } = await prepare();
  // Removed with the whole stage: tests that run side by side must not clean up after each other.
  const stateDir = join(mkdtempSync(join(stage, "scene-")), "state");
  if (operation !== "install") cpSync(base, stateDir, { recursive: true, verbatimSymlinks: true });
  const old = operation === "install" ? [] : before;
  if (operation === "uninstall") return { stateDir, request: { stateDir, uninstall: "swap" }, old, new: [] };
  const { spec, after } = specs[withDependency ? "npm" : "plain"];
  return { stateDir, request: { stateDir, install: spec }, old, new: after };
}

async function retry({ stateDir, request }: Scene): Promise<void> {
  const state = stateAt(stateDir);
  if (request.install !== undefined) {
    await installPlugin({ ...state, spec: request.install, consent: () => true });
    return;
  }
  const [plugin] = await discoverPlugins(state);
  if (plugin !== undefined) await uninstallPlugin(await planUninstall(plugin, state.paths), state.paths);
  // Nothing is left to uninstall: the next change of any kind cleans up.
  else
    await import("../../../src/plugin/install/publish.js").then(({ recoverState }) =>
      recoverState(state.paths),
    );
}

/** Steps whose outcome is the new state. */
const COMMITTED = new Set<Step>(["records-written", "journal-removed", "unlocked", "stage-removed"]);

const points = (["install", "reinstall", "uninstall"] as const).flatMap((operation) =>
  (operation === "uninstall" ? UNINSTALL_STEPS : INSTALL_STEPS).map((step) => ({ operation, step })),
);
/** Npm runs only where its own step is the point: it is the slow one. */
const needsNpm = (step: Step): boolean => step === "dependencies-fetched";

const moves = new Set<Step>(["journal-written", "previous-moved", "published", "records-written"]);
const others = points.filter(({ step }) => !moves.has(step));
/** Every step while folders move, and a sample of the rest; a full run takes all. */
const chosen = points.filter((point) => moves.has(point.step) || sampled(others, 4).includes(point));
/** Processes cost more: by default the moves of a reinstall, the most delicate change, and a sample. */
const killed = chosen.filter(
  (point) =>
    full || (point.operation === "reinstall" && moves.has(point.step)) || sampled(chosen, 5).includes(point),
);

/** As if the killed process had been gone for a minute: its lock is stale at once. */
function ageLock(stateDir: string): void {
  const lock = join(stateDir, "toolchain/installs.lock");
  const then = new Date(Date.now() - 60_000);
  if (existsSync(lock)) utimesSync(lock, then, then);
}

test("a lock and a stage of a killed process are cleared away by the next install", {
  timeout: 60_000,
}, async () => {
  const at = await scene("reinstall", false);
  await change({ ...at.request, killAfter: "published" });
  expect(existsSync(join(at.stateDir, "toolchain/installs.lock"))).toBe(true);
  const start = Date.now();
  await retry(at);
  expect(Date.now() - start).toBeLessThan(20_000);
  expect(await seen(at.stateDir)).toEqual(at.new);
  expect(readdirSync(join(at.stateDir, "toolchain")).sort()).toEqual(["installs.json", "stage"]);
});

describe.concurrent("kill -9 leaves the old state or the new, and a retry succeeds", () => {
  for (const { operation, step } of killed) {
    test(`${operation}, killed after ${step}`, { timeout: 90_000 }, async () => {
      const at = await scene(operation, needsNpm(step));
      const run = await change({ ...at.request, killAfter: step });
      expect(run).toMatchObject({ signal: "SIGKILL" });
      expect(await seen(at.stateDir)).toEqual(COMMITTED.has(step) ? at.new : at.old);
      ageLock(at.stateDir);
      await retry(at);
      expect(await seen(at.stateDir)).toEqual(at.new);
      expect(readdirSync(join(at.stateDir, "toolchain/stage"))).toEqual([]);
    });
  }
});

describe.concurrent("an error at any step restores what was there, byte for byte", () => {
  for (const { operation, step } of chosen) {
    test(`${operation}, error after ${step}`, async () => {
      const at = await scene(operation, needsNpm(step));
      const before = existsSync(at.stateDir) ? treeOf(at.stateDir, (path) => path === "toolchain/stage") : {};
      const state = stateAt(at.stateDir);
      const onStep = (reached: Step): void => {
        if (reached === step) throw new Error(`injected at ${step}`);
      };
      const [plugin] = await discoverPlugins(state);
      const work =
        at.request.install !== undefined
          ? installPlugin({ ...state, spec: at.request.install, consent: () => true, onStep })
          : uninstallPlugin(await planUninstall(plugin!, state.paths), state.paths, onStep);
      if (COMMITTED.has(step)) {
        await work;
        expect(await seen(at.stateDir)).toEqual(at.new);
        return;
      }
      await expect(work).rejects.toThrow(`injected at ${step}`);
      expect(await seen(at.stateDir)).toEqual(at.old);
      const after = existsSync(at.stateDir) ? treeOf(at.stateDir, (path) => path === "toolchain/stage") : {};
      // Empty folders made on the way hold nothing of the plugin.
      const bytes = (tree: Record<string, string>) =>
        Object.entries(tree).filter(([, kind]) => kind !== "folder");
      expect(bytes(after)).toEqual(bytes(before));
      if (existsSync(join(at.stateDir, "toolchain/stage"))) {
        expect(readdirSync(join(at.stateDir, "toolchain/stage"))).toEqual([]);
      }
    });
  }
});

test("the built commands see the old state after a kill between the two moves, and repair it", {
  timeout: 90_000,
}, async () => {
  const at = await scene("reinstall", false);
  await change({ ...at.request, killAfter: "previous-moved" });
  const env = { OPENCLAW_STATE_DIR: at.stateDir };
  const list = await runCli(["plugins", "list", "--json"], { env });
  expect(list.json().plugins).toMatchObject([
    { id: "swap", version: "1.0.0", status: "enabled", origin: "installed" },
  ]);
  const inspect = await runCli(["plugins", "inspect", "swap", "--runtime", "--json"], { env });
  expect(inspect).toMatchObject({ code: 0 });
  expect(inspect.json()).toMatchObject({
    plugin: { status: "loaded", toolNames: ["swap_hello"] },
    install: { version: "1.0.0" },
  });
  const exec = await runCli(["exec", "-c", "return await swap_hello({})"], { env });
  expect(exec).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(exec.stdout)).toEqual({ answer: "1.0.0", who: null });
  const doctor = await runCli(["plugins", "doctor", "--json"], { env });
  expect(doctor.json().checks).toContainEqual(
    expect.objectContaining({ name: "unfinished changes", status: "warning" }),
  );
  const fixed = await runCli(["plugins", "doctor", "--fix", "--json"], { env });
  expect(fixed.json().checks).toContainEqual(
    expect.objectContaining({ name: "unfinished changes", status: "fixed" }),
  );
  expect(await seen(at.stateDir)).toEqual(at.old);
  expect(readdirSync(join(at.stateDir, "toolchain/stage"))).toEqual([]);
  expect(existsSync(join(at.stateDir, "extensions/swap/only-in-1.0.0.txt"))).toBe(true);
});

describe("processes side by side", () => {
  test("two installs of one id end as one of the two, whole", { timeout: 90_000 }, async () => {
    const dir = tempDir();
    const stateDir = join(dir, "state");
    const specs = [archive(dir, "1.0.0"), archive(dir, "2.0.0")];
    const runs = await Promise.all(specs.map((install) => change({ stateDir, install })));
    expect(runs).toEqual([expect.objectContaining({ code: 0 }), expect.objectContaining({ code: 0 })]);
    const [row] = (await seen(stateDir)) as { version: string; recorded: string; tree: object }[];
    expect(row?.version).toBe(row?.recorded);
    expect(row?.tree).toHaveProperty(`only-in-${row?.version}.txt`);
    expect(Object.keys(row?.tree ?? {}).filter((path) => path.startsWith("only-in-"))).toHaveLength(1);
    expect(readdirSync(join(stateDir, "toolchain/stage"))).toEqual([]);
  });

  test("installs of different ids both arrive, while readers see only whole states", {
    timeout: 90_000,
  }, async () => {
    const dir = tempDir();
    const stateDir = join(dir, "state");
    const ids = ["one", "two", "three"];
    let busy = true;
    const rows: string[] = [];
    const reader = (async () => {
      while (busy) {
        for (const plugin of await discoverPlugins(stateAt(stateDir)))
          rows.push(`${plugin.origin} ${plugin.error ?? ""}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const runs = await Promise.all(
      ids.map((id) => change({ stateDir, install: writePlugin(join(dir, id), { id }) })),
    );
    busy = false;
    await reader;
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(ids.map(() => [0, ""]));
    expect((await discoverPlugins(stateAt(stateDir))).map(({ id }) => id)).toEqual(["one", "three", "two"]);
    expect(new Set(rows)).toEqual(new Set(["installed "]));
  });
});
