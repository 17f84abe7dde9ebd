import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { OpenClawConfig } from "../../src/config/config.js";
import { type StatePaths, statePaths } from "../../src/config/paths.js";

/** What installs and discovery need, for a state folder of a test. */
export function stateAt(
  stateDir: string,
  config: OpenClawConfig = {},
): { paths: StatePaths; config: OpenClawConfig; cwd: string } {
  mkdirSync(dirname(stateDir), { recursive: true });
  return {
    paths: statePaths({ OPENCLAW_STATE_DIR: stateDir, HOME: dirname(stateDir) }),
    config,
    cwd: dirname(stateDir),
  };
}
