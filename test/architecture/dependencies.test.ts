import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../support/cli.js";

/**
 * What each room of `src/` may import from. A room is a folder; the files directly under `src/` are rooms of
 * their own. `type` marks rooms whose types may be imported although their code may not.
 */
/** Leaves that every room above them may use. */
const LEAVES = [
  "ensure-folder.ts",
  "errors.ts",
  "package-root.ts",
  "plugin-events.ts",
  "plugin-scope.ts",
  "text",
  "ui",
  "version.ts",
] as const;

const MAY_IMPORT: Record<string, { code: readonly string[]; type?: readonly string[] }> = {
  "errors.ts": { code: [] },
  "version.ts": { code: [] },
  "ensure-folder.ts": { code: ["errors.ts"] },
  "package-root.ts": { code: [] },
  "plugin-events.ts": { code: [] },
  "plugin-scope.ts": { code: [] },
  text: { code: [] },
  ui: { code: ["text"] },
  sdk: { code: [] },
  "process-end.ts": { code: ["errors.ts", "ui"] },
  "cli.ts": { code: ["process-end.ts", "program.ts", "runtime", ...LEAVES] },
  "program.ts": { code: ["commands", "debug", "process-end.ts", ...LEAVES] },
  config: { code: [...LEAVES] },
  schema: { code: [...LEAVES] },
  catalog: { code: ["schema", ...LEAVES], type: ["config"] },
  plugin: { code: ["catalog", ...LEAVES] },
  "plugin/load": { code: ["plugin", "sdk", "catalog", "schema", "config", ...LEAVES] },
  "plugin/author": { code: ["plugin", "plugin/load", "sdk", "catalog", "schema", "config", ...LEAVES] },
  "plugin/install": {
    code: ["plugin", "plugin/load", "plugin/author", "catalog", "schema", "config", ...LEAVES],
  },
  mcp: { code: ["catalog", "schema", "config", ...LEAVES] },
  runtime: { code: ["catalog", "schema", "config", ...LEAVES] },
  check: { code: ["runtime", "catalog", "schema", ...LEAVES] },
  toolset: { code: ["plugin", "plugin/load", "mcp", "catalog", "config", ...LEAVES] },
  debug: { code: ["config", ...LEAVES], type: ["runtime", "catalog"] },
  serve: { code: ["toolset", "debug", "mcp", "runtime", "catalog", "config", ...LEAVES] },
  commands: {
    code: [
      "serve",
      "toolset",
      "check",
      "debug",
      "mcp",
      "runtime",
      "plugin",
      "plugin/author",
      "plugin/install",
      "plugin/load",
      "catalog",
      "schema",
      "config",
      "process-end.ts",
      ...LEAVES,
    ],
  },
};

const src = join(projectRoot, "src");

function room(path: string): string {
  const parts = relative(src, path).split(sep);
  if (parts.length === 1) return parts[0] ?? "";
  if (parts[0] === "plugin") return parts.length > 2 ? `plugin/${parts[1]}` : "plugin";
  return parts[0] ?? "";
}

interface Edge {
  from: string;
  to: string;
  file: string;
  typeOnly: boolean;
}

function edges(): Edge[] {
  const found: Edge[] = [];
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !path.endsWith(".ts") || path.includes(`${sep}templates${sep}`)) continue;
    const text = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    const imports = text.matchAll(
      /(import|export)\s+(type\s+)?[^;'"]*?from\s*["'](\.[^"']+)["']|import\(\s*["'](\.[^"']+)["']\s*\)|import\s+["'](\.[^"']+)["']/g,
    );
    for (const match of imports) {
      const specifier = match[3] ?? match[4] ?? match[5] ?? "";
      const target = join(dirname(path), specifier.replace(/\.js$/, ".ts"));
      found.push({
        from: room(path),
        to: room(target),
        file: relative(src, path),
        typeOnly: match[2] !== undefined,
      });
    }
  }
  return found;
}

test("rooms import only from rooms below them", () => {
  const wrong = edges()
    .filter(({ from, to }) => from !== to)
    .filter(({ from, to, typeOnly }) => {
      const rule = MAY_IMPORT[from];
      return rule === undefined || !(rule.code.includes(to) || (typeOnly && rule.type?.includes(to)));
    })
    .map(({ from, to, file, typeOnly }) => `${file}: ${from} -> ${to}${typeOnly ? " (type)" : ""}`);
  expect(wrong).toEqual([]);
});

test("the rules themselves have no cycle", () => {
  const state = new Map<string, "open" | "done">();
  const visit = (name: string, trail: string[]): void => {
    if (state.get(name) === "done") return;
    expect(state.get(name), `cycle: ${[...trail, name].join(" -> ")}`).not.toBe("open");
    state.set(name, "open");
    for (const next of MAY_IMPORT[name]?.code ?? []) visit(next, [...trail, name]);
    state.set(name, "done");
  };
  for (const name of Object.keys(MAY_IMPORT)) visit(name, []);
});

test("docs/architecture.md names every room and no other", () => {
  const map = readFileSync(join(projectRoot, "docs/architecture.md"), "utf8");
  const named = new Set([...map.matchAll(/^\| `src\/([^`]+?)\/?` +\|/gm)].map((match) => match[1] ?? ""));
  const present = new Set(
    readdirSync(src, { withFileTypes: true }).flatMap((entry) =>
      entry.name === "plugin"
        ? readdirSync(join(src, "plugin"), { withFileTypes: true })
            .filter((child) => child.isDirectory())
            .map((child) => `plugin/${child.name}`)
        : [entry.name],
    ),
  );
  expect([...named].sort()).toEqual([...present].sort());
});
