import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^openclaw\/plugin-sdk$/, replacement: source("./src/sdk/core.ts") },
      { find: /^openclaw\/plugin-sdk\/(.+)$/, replacement: source("./src/sdk/$1.ts") },
    ],
  },
  test: {
    globalSetup: ["test/support/build.ts"],
    include: ["test/**/*.test.ts"],
    exclude: ["test/fixtures/**", "node_modules/**", "dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // One worker a core: most of the time is spent in child processes.
    maxWorkers: "100%",
    reporters: ["default"],
  },
});
