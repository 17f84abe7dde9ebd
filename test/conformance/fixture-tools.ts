import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { EffectiveTool, McpBinding } from "../../src/catalog/tool.js";
import { conformanceFile } from "../support/conformance.js";

interface Fixture {
  fixture: string;
  kind: "plugin" | "core" | "client" | "mcp";
  name: string;
  label?: string;
  description: string;
  parameters: unknown;
  outputSchema?: unknown;
  executionMode?: "sequential";
  pluginMeta?: { replaySafe?: boolean };
  mcp?: McpBinding;
}

interface SchemaCase {
  schema: unknown;
  value: unknown;
}

interface FixtureFile {
  fixtures: Fixture[];
  schemaCases: Record<string, SchemaCase>;
}

type Behaviour = (input: any, signal: AbortSignal, journal: string[]) => unknown;

let file: FixtureFile | undefined;

/** The golden fixture data. */
export function fixtureFile(): FixtureFile {
  file ??= JSON.parse(readFileSync(conformanceFile("fixtures.json"), "utf8")) as FixtureFile;
  return file;
}

/** The tools a golden cell names, built as real tools around one fresh journal. */
export function fixtureTools(names: readonly string[]): EffectiveTool[] {
  const journal: string[] = [];
  return names.map((name) => fixtureTool(name, journal));
}

function fixtureTool(reference: string, journal: string[]): EffectiveTool {
  const [template, rest] = splitOnce(reference);
  if (template === "named") {
    return plugin(rest, { label: rest, description: "Template tool.", parameters: closed({}) }, () => ({
      tool: rest,
    }));
  }
  if (template === "in") {
    const { schema } = schemaCase(rest);
    return plugin(
      `in_${rest}`,
      { label: "in", description: "Input schema case.", parameters: schema },
      () => ({
        ok: true,
      }),
    );
  }
  if (template === "out") {
    const { schema, value } = schemaCase(rest);
    const { required: _none, ...parameters } = closed({});
    return plugin(
      `out_${rest}`,
      { label: "out", description: "Output schema case.", parameters, outputSchema: schema },
      () => value,
    );
  }
  const fixture = fixtureFile().fixtures.find((one) => one.fixture === reference);
  if (fixture === undefined) throw new Error(`unknown fixture ${reference}`);
  return listedTool(fixture, journal);
}

function splitOnce(reference: string): [string, string] {
  const at = reference.indexOf(":");
  return at === -1 ? ["", reference] : [reference.slice(0, at), reference.slice(at + 1)];
}

function schemaCase(name: string): SchemaCase {
  const found = fixtureFile().schemaCases[name];
  if (found === undefined) throw new Error(`unknown schema case ${name}`);
  return found;
}

const closed = (properties: Record<string, unknown>) => ({
  type: "object",
  properties,
  required: [],
  additionalProperties: false,
});

type About = Pick<EffectiveTool, "label" | "description" | "parameters" | "outputSchema">;

function plugin(name: string, about: About, details: () => unknown): EffectiveTool {
  return {
    name,
    source: "openclaw",
    owner: "fixtures",
    ...about,
    execute: async () => ({ content: [{ type: "text", text: "ok" }], details: details() }),
  };
}

function listedTool(fixture: Fixture, journal: string[]): EffectiveTool {
  const { kind, name, label, description, parameters, outputSchema, executionMode, pluginMeta, mcp } =
    fixture;
  const behaviour = BEHAVIOURS[fixture.fixture] ?? (() => ({ tool: name }));
  const raw = RAW_RESULTS[fixture.fixture];
  return {
    name: kind === "mcp" ? mcp!.toolName : name,
    source: kind === "mcp" ? "mcp" : kind === "client" ? "client" : "openclaw",
    owner: { plugin: "fixtures", core: "core", client: "client", mcp: mcp?.safeServerName ?? "" }[kind],
    ...(label === undefined || kind === "mcp" ? {} : { label }),
    description,
    parameters,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(executionMode === undefined ? {} : { executionMode }),
    ...(pluginMeta?.replaySafe === undefined ? {} : { replaySafe: pluginMeta.replaySafe }),
    ...(mcp === undefined ? {} : { mcp }),
    execute: async ({ input, signal }) => {
      if (raw !== undefined) return raw(input);
      return { content: [{ type: "text", text: "ok" }], details: await behaviour(input, signal, journal) };
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });

const journalled =
  (defaultMs: number): Behaviour =>
  async ({ tag, ms }, signal, journal) => {
    journal.push(`start ${tag}`);
    await pause(ms ?? defaultMs, signal);
    journal.push(`end ${tag}`);
    return { tag };
  };

const ran =
  (name: string, value: unknown): Behaviour =>
  (_input, _signal, journal) => {
    journal.push(`${name} ran`);
    return value;
  };

const discriminated: Behaviour = ({ action, give }) =>
  (give ?? action) === "list" ? { items: ["a"] } : { ready: true };

const throws = (error: unknown) => (): never => {
  throw error;
};

class QuotaError extends Error {
  override name = "QuotaError";
  code = "E_QUOTA";
  retryAfter = 5;
}

const NODES = [
  {
    nodeId: "n1",
    displayName: "Kitchen",
    paired: true,
    connected: true,
    platform: "linux",
    commands: ["device.status", "fs.listDir"],
  },
  { nodeId: "n2", displayName: "Attic", paired: true, connected: false, commands: [] },
  { nodeId: "n3", displayName: "Cellar", paired: false, connected: false, commands: [] },
];

const BEHAVIOURS: Record<string, Behaviour> = {
  echo: (input) => input,
  double: ({ n }) => ({ n: n * 2 }),
  slow: async ({ ms, tag }, signal) => {
    await pause(ms, signal);
    return { ms, tag: tag ?? null };
  },
  boom: throws(new Error("boom")),
  boom_quota: throws(new QuotaError("quota exceeded")),
  boom_string: throws("plain failure"),
  boom_long: ({ chars }) => throws(new Error("e".repeat(chars)))(),
  boom_cause: throws(new Error("outer", { cause: new Error("inner") })),
  bad_output: () => ({ id: "x", count: "many" }),
  bad_output_extra: () => ({ id: "x", secret: "s" }),
  bad_output_missing: () => ({ id: "x" }),
  bad_output_many: () => Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`field${n}`, "no"])),
  bad_output_long: () => {
    const fixture = fixtureFile().fixtures.find((one) => one.fixture === "bad_output_long");
    const { properties } = fixture!.outputSchema as { properties: Record<string, unknown> };
    return { [Object.keys(properties)[0]!]: "no" };
  },
  bad_output_union: () => ({ ok: "maybe" }),
  bad_schema: ran("bad_schema", { ran: true }),
  strict: ({ mode, count }) => ({ mode, count }),
  defaulted: (input) => ({ received: input }),
  rows: () => [
    { id: "a", paid: true, tons: 5 },
    { id: "b", paid: false, tons: 12 },
    { id: "c", paid: false, tons: 20 },
  ],
  odd: ({ kind }) => oddValue(kind),
  big: ({ bytes, char }) => ({ data: (char ?? "x").repeat(bytes) }),
  big_rows: ({ count }) =>
    Array.from({ length: count }, (_, id) => ({ id, name: `row-${id}`, active: id % 2 === 0 })),
  seq: journalled(15),
  par: journalled(15),
  journal: (_input, _signal, journal) => [...journal],
  disc: discriminated,
  disc_ref: discriminated,
  disc_v2: ran("disc_v2", { ready: true }),
  disc_empty: () => ({ ready: true }),
  disc_range: () => ({ ready: true }),
  open_world: ({ id }) => ({ id, extra: 1 }),
  safe_read: () => ({ safe: true }),
  core_exec: ({ command }) => ({ ran: command }),
  core_nodes: (input) => (input.action === "status" ? { nodes: NODES } : { invoked: input }),
  client_pick: () => ({ picked: "f.txt" }),
};

/** Results that are not `{content, details}`. */
const RAW_RESULTS: Record<string, (input: any) => unknown> = {
  no_details: () => ({ content: [{ type: "text", text: "hello" }] }),
  details_undefined: () => ({ content: [{ type: "text", text: "hello" }], details: undefined }),
  mcp_create_issue: (input) => ({
    content: [{ type: "text", text: "created", _meta: { keep: 1 } }],
    structuredContent: { input },
    _meta: { secret: true },
  }),
  mcp_fail: () => ({ content: [{ type: "text", text: "nope" }], isError: true }),
  mcp_throw: throws(new Error("transport down")),
  mcp_dict: () => ({ content: [{ type: "text", text: "snap" }] }),
  mcp_res_list: () => ({ resources: [{ uri: "memo://one" }] }),
  mcp_res_read: ({ uri }) => ({ contents: [{ uri, text: "one" }] }),
  mcp_prompt_get: () => ({
    messages: [{ role: "user", content: { type: "text", text: "brief" } }],
    description: "d",
  }),
  mcp_prompt_list: () => ({ prompts: [{ name: "brief" }] }),
};

function oddValue(kind: string): unknown {
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = cycle;
  // biome-ignore lint/suspicious/noSparseArray: the hole is the point
  const sparse = [1, , 3];
  const values: Record<string, unknown> = {
    null: null,
    string: "str",
    number: 7,
    nan: { v: Number.NaN },
    inf: { v: Number.NEGATIVE_INFINITY },
    negzero: { v: -0 },
    date: { at: new Date(0) },
    map: { m: new Map([[1, 2]]) },
    set: { s: new Set([1]) },
    bytes: { b: new Uint8Array([1, 2]) },
    bigint: { n: 10n },
    cycle,
    error: { e: Object.assign(new Error("inside"), { code: "X" }) },
    func: { f() {}, ok: 1 },
    tojson: { toJSON: () => ({ replaced: true }) },
    proto: JSON.parse('{"__proto__":{"x":1},"y":2}'),
    undef_field: { a: undefined, b: 1 },
    sparse,
  };
  return Object.hasOwn(values, kind) ? values[kind] : { kind };
}
