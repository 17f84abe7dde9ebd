// Makes one change of the installed plugins and kills its own process, without a chance to clean up, right
// after the named step. Bundled by the test, so that it starts fast.
import { statePaths } from "../../../../src/config/paths.js";
import { installPlugin } from "../../../../src/plugin/install/install.js";
import type { Step } from "../../../../src/plugin/install/steps.js";
import { planUninstall, uninstallPlugin } from "../../../../src/plugin/install/uninstall.js";
import { discoverPlugins } from "../../../../src/plugin/load/discover.js";
import { findPlugin } from "../../../../src/plugin/load/find.js";

export interface ChangeRequest {
  stateDir: string;
  /** Spec to install, or the id to uninstall. */
  install?: string;
  uninstall?: string;
  killAfter?: Step;
}

const request: ChangeRequest = JSON.parse(process.argv[2] ?? "{}");
const paths = statePaths({ OPENCLAW_STATE_DIR: request.stateDir, HOME: request.stateDir });
const onStep = (step: Step): void => {
  if (step === request.killAfter) process.kill(process.pid, "SIGKILL");
};
if (request.install !== undefined) {
  await installPlugin({
    spec: request.install,
    paths,
    config: {},
    cwd: request.stateDir,
    consent: () => true,
    onStep,
  });
}
if (request.uninstall !== undefined) {
  const plugin = findPlugin(await discoverPlugins({ paths, config: {} }), request.uninstall);
  await uninstallPlugin(await planUninstall(plugin, paths), paths, onStep);
}
process.exit(0);
