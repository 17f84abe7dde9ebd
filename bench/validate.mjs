// `plugins validate` against a bare import of the same entry: the scaffold and a plugin of 50 tools. Medians of
// interleaved runs; exits 1 when a promised ratio is missed. usage: node bench/validate.mjs [rounds]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../scripts/build.mjs";
import { measure, printTable } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "bin/openclaw.js");
await build();
const work = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-bench-")));

function must(args, cwd) {
  const run = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${args.join(" ")}:\n${run.stdout}${run.stderr}`);
}

/** A tool with what tools usually have: a few parameters and a closed result with a list in it. */
const toolSource = (index) => `tool({
  name: "bench_tool_${index}", label: "Tool ${index}", description: "Tool number ${index} of the benchmark.",
  parameters: Type.Object({
    query: Type.String({ description: "What to look for." }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    kind: Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Literal("c")]),
    filter: Type.Optional(Type.Object({ from: Type.String(), to: Type.String() }, { additionalProperties: false })),
  }),
  outputSchema: Type.Object({
    total: Type.Integer(),
    rows: Type.Array(Type.Object({ id: Type.String(), score: Type.Number() }, { additionalProperties: false })),
  }, { additionalProperties: false }),
  execute: () => ({ total: 0, rows: [] }),
})`;

/** A built project of `count` tools, made from the scaffold. */
function project(id, count) {
  const dir = join(work, id);
  must([cli, "plugins", "init", id], work);
  mkdirSync(join(dir, "node_modules"));
  symlinkSync(root, join(dir, "node_modules/openclaw"), "junction");
  symlinkSync(join(root, "node_modules/typebox"), join(dir, "node_modules/typebox"), "junction");
  mkdirSync(join(dir, "dist"));
  const tools = Array.from({ length: count }, (_, index) => toolSource(index)).join(",\n");
  writeFileSync(
    join(dir, "dist/index.js"),
    `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
import { Type } from "typebox";
export default defineToolPlugin({ id: "${id}", name: "${id}", description: "d", tools: (tool) => [${tools}] });
`,
  );
  must([cli, "plugins", "build"], dir);
  return dir;
}

try {
  const cases = [
    { id: "one-tool", count: 1, most: 1.5 },
    { id: "fifty-tools", count: 50, most: 2 },
  ].map((entry) => ({ ...entry, cwd: project(entry.id, entry.count) }));
  const rows = measure(
    cases.flatMap(({ id, cwd, most }) => [
      { name: `import ${id}`, args: ["--input-type=module", "-e", 'import "./dist/index.js"'], cwd },
      { name: `validate ${id}`, args: [cli, "plugins", "validate"], cwd, base: `import ${id}`, most },
      { name: `build --check ${id}`, args: [cli, "plugins", "build", "--check"], cwd, base: `import ${id}` },
    ]),
    Number(process.argv[2] ?? 7),
  );
  process.stdout.write(`node ${process.version}, medians\n`);
  process.exitCode = printTable(rows) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
