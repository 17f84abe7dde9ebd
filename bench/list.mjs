// What listing and inspecting cost with many plugins installed, as ratios to `node -e 0`.
// Exits 1 when the promised ratio is missed. usage: node bench/list.mjs [plugins] [rounds]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../scripts/build.mjs";
import { measure, printTable } from "./measure.mjs";

const count = Number(process.argv[2] ?? 20);
const rounds = Number(process.argv[3] ?? 9);
const cli = fileURLToPath(new URL("../bin/openclaw.js", import.meta.url));
await build();

const work = mkdtempSync(join(tmpdir(), "openclaw-bench-"));
try {
  for (let index = 0; index < count; index++) {
    const dir = join(work, "extensions", `plugin-${index}`);
    mkdirSync(join(dir, "dist"), { recursive: true });
    const manifest = {
      id: `plugin-${index}`,
      configSchema: { type: "object" },
      contracts: { tools: ["a", "b"] },
    };
    writeFileSync(join(dir, "openclaw.plugin.json"), JSON.stringify(manifest));
    const info = { name: `p${index}`, version: "1.0.0", openclaw: { extensions: ["./dist/index.js"] } };
    writeFileSync(join(dir, "package.json"), JSON.stringify(info));
    writeFileSync(join(dir, "dist/index.js"), "throw new Error('imported');");
  }
  const env = { OPENCLAW_STATE_DIR: work, OPENCLAW_CONFIG_PATH: "" };
  const rows = measure(
    [
      { name: "node -e 0", args: ["-e", "0"] },
      { name: `plugins list (${count})`, args: [cli, "plugins", "list"], env, most: 2.5 },
      { name: "plugins list --json", args: [cli, "plugins", "list", "--json"], env, most: 2.5 },
      { name: "plugins inspect", args: [cli, "plugins", "inspect", "plugin-1"], env, most: 2.5 },
    ],
    rounds,
  );
  process.exitCode = printTable(rows) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
