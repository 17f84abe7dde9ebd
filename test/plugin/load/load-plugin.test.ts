import { join } from "node:path";
import { expect, test } from "vitest";
import type { OpenClawConfig } from "../../../src/config/config.js";
import { discoverGiven } from "../../../src/plugin/load/given.js";
import { type LoadPluginOptions, loadPlugin } from "../../../src/plugin/load/load-plugin.js";
import type { DiscoveredPlugin, LoadedPlugin } from "../../../src/plugin/types.js";
import { type PluginProject, writePlugin } from "../../support/plugin-project.js";
import { tempDir } from "../../support/temp.js";

async function load(
  project: PluginProject,
  options: Partial<LoadPluginOptions> & { origin?: DiscoveredPlugin["origin"] } = {},
): Promise<LoadedPlugin> {
  const dir = writePlugin(join(tempDir(), "plugin"), project);
  const { origin, ...rest } = options;
  const plugin = await discoverGiven(dir);
  return loadPlugin({ ...plugin, origin: origin ?? "installed" }, { config: {}, ...rest });
}

const call = (loaded: LoadedPlugin, name: string, input: unknown = {}): Promise<any> => {
  const tool = loaded.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}; ${JSON.stringify(loaded)}`);
  return tool.execute({ toolCallId: "call-1", input, signal: new AbortController().signal });
};

const register = (body: string, id = "raw"): PluginProject => ({
  id,
  tools: ["raw_a", "raw_b"],
  entry: `export default { id: ${JSON.stringify(id)}, register(api) { ${body} } };`,
});
const toolSource = (name: string, rest = ""): string =>
  `{ name: "${name}", description: "d", parameters: { type: "object", properties: {} }, execute: async (id, params) => ({ content: [], details: { id, params } }), ${rest} }`;
const messages = (loaded: LoadedPlugin, level?: string): string =>
  loaded.diagnostics
    .filter((diagnostic) => level === undefined || diagnostic.level === level)
    .map((diagnostic) => diagnostic.message)
    .join("\n");

test("a defineToolPlugin entry becomes tools that run", async () => {
  const loaded = await load({ id: "demo" });
  expect(loaded).toMatchObject({ status: "loaded", registrations: { tool: 1 }, diagnostics: [] });
  expect(await call(loaded, "demo_hello", { who: "you" })).toMatchObject({
    details: { answer: "hello", who: "you" },
  });
});

test("build-06 settings get their schema's defaults, and the user's own are checked against it", async () => {
  const project: PluginProject = {
    id: "pager",
    tools: ["pager_page"],
    manifest: {
      configSchema: {
        type: "object",
        required: ["pageSize", "mode"],
        properties: {
          pageSize: { type: "integer", default: 25, minimum: 1 },
          mode: { anyOf: [{ const: "fast" }, { const: "safe" }], default: "safe" },
        },
        additionalProperties: false,
      },
    },
    entry: `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
      export default defineToolPlugin({ id: "pager", name: "Pager", description: "d", tools: (tool) => [tool({
        name: "pager_page", description: "d", parameters: { type: "object", properties: {} },
        execute: (_p, config) => ({ size: config.pageSize, mode: config.mode }) })] });`,
  };
  const plain = await load(project);
  expect((await call(plain, "pager_page")).details).toEqual({ size: 25, mode: "safe" });
  const config: OpenClawConfig = { plugins: { entries: { pager: { config: { pageSize: 50 } } } } };
  const before = JSON.stringify(config);
  expect((await call(await load(project, { config }), "pager_page")).details).toEqual({
    size: 50,
    mode: "safe",
  });
  expect(JSON.stringify(config)).toBe(before);
  const bad = await load(project, {
    config: { plugins: { entries: { pager: { config: { pageSize: 0 } } } } },
  });
  expect(bad).toMatchObject({ status: "error", failurePhase: "config", tools: [] });
  expect(bad.error).toMatch(/plugins\.entries\.pager\.config\.pageSize .*\b1\b/);
});

test("cell-16 what execute returns arrives as data in details", async () => {
  const names = ["fmt_obj", "fmt_str", "fmt_null", "fmt_undef", "fmt_status"];
  const loaded = await load({
    id: "fmt",
    tools: names,
    entry: `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
      const values = { fmt_obj: { n: 1, nested: { ok: true } }, fmt_str: '{"looks":"like json"}', fmt_null: null,
        fmt_undef: undefined, fmt_status: { status: "blocked", card: 4 } };
      export default defineToolPlugin({ id: "fmt", name: "f", description: "d", tools: (tool) =>
        Object.entries(values).map(([name, value]) => tool({ name, description: "d",
          parameters: { type: "object", properties: {} }, execute: () => value })) });`,
  });
  const details = async (name: string) => (await call(loaded, name)).details;
  expect(await details("fmt_obj")).toEqual({ n: 1, nested: { ok: true } });
  expect(await details("fmt_str")).toBe('{"looks":"like json"}');
  expect(await details("fmt_null")).toBeNull();
  expect(await details("fmt_undef")).toBeNull();
  expect(await details("fmt_status")).toEqual({ status: "blocked", card: 4 });
});

test("registerTool takes objects, factories, arrays of factories and version 2 descriptors", async () => {
  const loaded = await load({
    id: "raw",
    tools: ["raw_a", "raw_b", "raw_c", "raw_d", "raw_e", "raw_f"],
    entry: `export default (api) => {
      api.registerTool(${toolSource("raw_a")});
      api.registerTool((ctx) => (${toolSource("raw_b")}), { name: "raw_b" });
      api.registerTool(async () => [${toolSource("raw_c")}, null, ${toolSource("raw_d")}]);
      api.registerTool({ contextVersion: 2, create(ctx) { ctx.assertInvocationCurrent(); return ${toolSource("raw_e")}; } }, { name: "raw_e" });
      api.registerTool(() => null, { name: "raw_f" });
    };`,
  });
  expect(loaded.error).toBeUndefined();
  expect(loaded.tools.map((tool) => tool.name)).toEqual(["raw_a", "raw_b", "raw_c", "raw_d", "raw_e"]);
  expect(loaded.registered.at(-1)).toEqual({
    name: "raw_f",
    declared: true,
    optional: false,
    state: "unmade",
  });
  expect(await call(loaded, "raw_d", { x: 1 })).toMatchObject({
    details: { id: "call-1", params: { x: 1 } },
  });
});

test("an unknown context version fails the registration and says which one is known", async () => {
  const loaded = await load(register("api.registerTool({ contextVersion: 3, create() {} })"));
  expect(loaded).toMatchObject({ status: "error", failurePhase: "register" });
  expect(loaded.error).toContain("contextVersion: 2");
});

test("an inspection runs no factory that has a name", async () => {
  const loaded = await load(
    register(`api.registerTool(() => { throw new Error("ran") }, { name: "raw_a", optional: true });
      api.registerTool(() => (${toolSource("raw_b")}));`),
    { factories: "unnamed" },
  );
  expect(loaded.status).toBe("loaded");
  expect(loaded.registered).toMatchObject([
    { name: "raw_a", state: "unmade", optional: true },
    { name: "raw_b", state: "usable" },
  ]);
});

test("a factory that an inspection leaves alone is described by its definition", async () => {
  const entry = `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
    export default defineToolPlugin({ id: "f", name: "F", description: "d", tools: (tool) => [tool({ name: "f_one",
      label: "One", description: "Makes one.", parameters: { type: "object" }, optional: true,
      factory() { throw new Error("ran"); } })] });`;
  const loaded = await load({ id: "f", tools: ["f_one"], entry }, { factories: "unnamed" });
  expect(loaded.registered).toEqual([
    {
      name: "f_one",
      declared: true,
      optional: true,
      state: "unmade",
      label: "One",
      description: "Makes one.",
      parameters: { type: "object" },
    },
  ]);
});

test("what a plugin logs goes to diagnostics while it registers and to stderr later, bounded", async () => {
  const loaded = await load(
    register(`for (let i = 0; i < 20; i++) api.logger.warn("line " + i, new Error("why"));
      api.logger.info("quiet"); api.logger.child({}).error("x".repeat(1000));`),
  );
  const lines = messages(loaded, "info").split("\n");
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("logs while registering: line 0 why");
});

test("factories are told the documented local context", async () => {
  const loaded = await load(
    register(`api.registerTool((ctx) => ({ name: "raw_a", description: JSON.stringify([ctx.sandboxed, ctx.senderIsOwner,
      ctx.agentId, ctx.sessionKey, typeof ctx.workspaceDir, ctx.getRuntimeConfig() === ctx.config, ctx.delivery ?? null,
      ctx.memoryAudience ?? null, ctx.hasAuthForProvider("x")]), parameters: {}, execute() {} }))`),
  );
  const expected = [false, true, "main", "agent:main:local", "string", true, null, null, false];
  expect(JSON.parse(loaded.tools[0]?.description ?? "")).toEqual(expected);
});

test("registrations of every kind are counted, known to this toolchain or not", async () => {
  const loaded = await load(
    register(`api.registerProvider({}); api.registerHttpRoute({}); api.registerHttpRoute({});
      api.registerSomethingNew.call(null, "x"); api.session.workflow.enqueue(1); api.on("gateway_start", () => {});
      api.registerHook(["command:new"], () => {}); if (!("registerFuture" in api)) throw new Error("no");
      if (JSON.stringify(Object.keys(api)).length < 2) throw new Error("keys"); \`\${typeof api}\`;`),
  );
  expect(loaded.status).toBe("loaded");
  expect({ ...loaded.registrations }).toEqual({
    provider: 1,
    httpRoute: 2,
    somethingNew: 1,
    "session.workflow.enqueue": 1,
    hook: 2,
  });
});

test("host services fail when they are called, not when they are read", async () => {
  const fine = await load(
    register("const send = api.runtime.channel.text.send; api.runtime.config.loadConfig();"),
  );
  expect(fine.status).toBe("loaded");
  const bad = await load(register("api.runtime.channel.text.send('x')"));
  expect(bad.error).toBe(
    "api.runtime.channel.text.send is not available in this toolchain (used by plugin raw)",
  );
});

test("undeclared tools of an installed plugin are dropped and named; of a given one they are kept", async () => {
  const project = register(
    `api.registerTool(${toolSource("raw_a")}); api.registerTool(${toolSource("extra")});`,
  );
  const installed = await load(project);
  expect(installed.tools.map((tool) => tool.name)).toEqual(["raw_a"]);
  expect(installed.registered.map(({ name, state }) => [name, state])).toEqual([
    ["raw_a", "usable"],
    ["extra", "undeclared"],
  ]);
  expect(messages(installed, "error")).toMatch(/dropped: extra/);
  expect(messages(installed, "warning")).toMatch(/not registered: raw_b/);
  const given = await load(project, { origin: "given" });
  expect(given.tools.map((tool) => tool.name)).toEqual(["raw_a", "extra"]);
  expect(messages(given, "warning")).toMatch(/does not declare: extra/);
});

test("optional tools wait to be allowed by tool name or plugin id, by flag or configuration", async () => {
  const project = register(`api.registerTool(${toolSource("raw_a")}, { optional: true });
    api.registerTool(${toolSource("raw_b")});`);
  const names = (loaded: LoadedPlugin) => loaded.tools.map((tool) => tool.name);
  expect(names(await load(project))).toEqual(["raw_b"]);
  expect(names(await load(project, { allow: ["raw_a"] }))).toEqual(["raw_a", "raw_b"]);
  expect(names(await load(project, { allow: ["other"] }))).toEqual(["raw_b"]);
  expect(names(await load(project, { config: { tools: { allow: ["raw"] } } }))).toEqual(["raw_a", "raw_b"]);
  const manifestOnly = { ...project, manifest: { toolMetadata: { raw_b: { optional: true } } } };
  expect(names(await load(manifestOnly))).toEqual([]);
});

test("malformed tools and repeated names are diagnostics, and the good ones stay", async () => {
  const loaded = await load(
    register(`api.registerTool({ name: "raw_b", description: "d", parameters: {} });
      api.registerTool({ description: "d", parameters: {}, execute() {} });
      api.registerTool({ name: "raw_b", description: "d", execute() {} });
      api.registerTool(() => "text"); api.registerTool(${toolSource("raw_a")}); api.registerTool(${toolSource("raw_a")});`),
  );
  expect(loaded.status).toBe("loaded");
  expect(loaded.tools.map((tool) => tool.name)).toEqual(["raw_a"]);
  const errors = messages(loaded, "error");
  for (const part of [
    "raw_b has no execute",
    "has no name",
    "raw_b has no parameters",
    "must be an object",
    "raw_a is registered twice",
  ]) {
    expect(errors).toContain(part);
  }
});

test("aliases of parameters and execute are understood, and methods keep their this", async () => {
  const loaded = await load(
    register(`api.registerTool({ name: "raw_a", description: "d", inputSchema: { type: "object" }, run: async (id, p) => p });
      class T { name = "raw_b"; description = "d"; input_schema = { type: "object" }; secret = 7;
        prepareArguments(a) { return { ...a, prepared: this.secret }; }
        executionMode = "sequential"; catalogMode = "direct-only"; async handler() { return this.secret; } }
      api.registerTool(new T());`),
  );
  expect(await call(loaded, "raw_a", { x: 1 })).toEqual({ x: 1 });
  expect(await call(loaded, "raw_b")).toBe(7);
  const tool = loaded.tools[1];
  expect(tool).toMatchObject({ executionMode: "sequential", catalogMode: "direct-only" });
  expect(tool?.prepareArguments?.({ y: 2 })).toEqual({ y: 2, prepared: 7 });
});

test("tool hooks run by priority; an observer's return value replaces nothing", async () => {
  const loaded = await load(
    register(`const seen = [];
      api.on("before_tool_call", (e) => { seen.push("low " + e.toolName); return { params: { seen: [...seen] } }; }, { priority: -1 });
      api.registerHook(["before_tool_call", "x"], () => { seen.push("high"); return 5; }, { priority: 10 });
      api.on("after_tool_call", (e) => seen.push("after"));
      api.on("after_tool_call", (e) => ({ result: "new" }));`),
  );
  const event = { toolName: "t", toolCallId: "c", params: {} };
  const decisions = [];
  for (const hook of loaded.hooks.before) decisions.push(await hook(event));
  expect(decisions).toEqual([undefined, { params: { seen: ["high", "low t"] } }]);
  const replaced = [];
  for (const hook of loaded.hooks.after) replaced.push(await hook({ ...event, durationMs: 1 }));
  expect(replaced).toEqual([undefined, "new"]);
});

test("a plugin that throws is an error with phase and reason, and logs what it said before", async () => {
  const thrown = await load(register(`api.logger.warn("no key set"); throw new Error("kaboom");`));
  expect(thrown).toMatchObject({ status: "error", failurePhase: "register", error: "kaboom", tools: [] });
  expect(messages(thrown, "info")).toContain("no key set");
  expect(messages(thrown, "warning")).toContain("not registered: raw_a, raw_b");
  const atImport = await load({ id: "bad", entry: "throw new Error('at import')" });
  expect(atImport).toMatchObject({ status: "error", failurePhase: "import" });
  expect(atImport.error).toContain("at import");
  const exits = await load(register("process.exit(3)"));
  expect(exits).toMatchObject({ status: "error", failurePhase: "register" });
  const nothing = await load({ id: "none", entry: "export const x = 1;" });
  expect(nothing.error).toMatch(/neither defineToolPlugin metadata nor a register/);
});

test("a factory that throws costs only its own tool", async () => {
  const loaded = await load(
    register(
      `api.registerTool(() => { throw new Error("no sandbox") }, { name: "raw_a" }); api.registerTool(${toolSource("raw_b")});`,
    ),
  );
  expect(loaded.status).toBe("loaded");
  expect(loaded.tools.map((tool) => tool.name)).toEqual(["raw_b"]);
  expect(loaded.registered[0]).toMatchObject({ name: "raw_a", state: "failed" });
  expect(messages(loaded, "error")).toContain("no sandbox");
});

test("a register() that never settles fails its plugin, not the process", async () => {
  const loaded = await load(register("return new Promise(() => {})"), { timeoutMs: 300 });
  expect(loaded).toMatchObject({ status: "error", failurePhase: "register" });
  expect(loaded.error).toContain("did not finish within 0.3 s");
});

test("CommonJS, wrapped defaults, factories of definitions and TypeScript sources load", async () => {
  const cjs = await load({
    id: "raw",
    tools: ["raw_a"],
    entryPath: "dist/index.cjs",
    packageJson: { type: "commonjs" },
    entry: `Object.defineProperty(exports, "__esModule", { value: true });
      exports.default = { id: "raw", register(api) { api.registerTool(${toolSource("raw_a")}); } };`,
  });
  expect(cjs.tools.map((tool) => tool.name)).toEqual(["raw_a"]);
  const factory = await load({
    id: "raw",
    tools: ["raw_a"],
    entry: `export async function createEntry() { return { id: "raw", register(api) { api.registerTool(${toolSource("raw_a")}); } }; }`,
  });
  expect(factory.tools.map((tool) => tool.name)).toEqual(["raw_a"]);
  const typescript = await load({
    id: "raw",
    tools: ["raw_a"],
    entryPath: "src/index.ts",
    entry: `enum Kind { A = "raw_a" }
      export default { id: "raw", register(api: any): void { api.registerTool({ ...${toolSource("raw_b")}, name: Kind.A }); } };`,
  });
  expect(typescript.tools.map((tool) => tool.name)).toEqual(["raw_a"]);
});
