import { CommandFailure } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import type { DiscoveredPlugin } from "../types.js";

/** The unscoped part of a package name. */
function bareName(packageName: string): string {
  return packageName.slice(packageName.lastIndexOf("/") + 1);
}

/**
 * The plugin with this id.
 * @throws CommandFailure `plugin_not_found`, naming the plugin whose package or id was probably meant
 */
export function findPlugin(plugins: readonly DiscoveredPlugin[], id: string): DiscoveredPlugin {
  const found = plugins.find((plugin) => plugin.id === id);
  if (found !== undefined) return found;
  const byPackage = plugins
    .filter(
      ({ packageName }) => packageName !== undefined && [packageName, bareName(packageName)].includes(id),
    )
    .map((plugin) => plugin.id);
  const close =
    byPackage.length > 0
      ? byPackage
      : nearest(
          id,
          plugins.map((plugin) => plugin.id),
        );
  const hint =
    close.length > 0
      ? `Did you mean ${close.map((name) => `\`${name}\``).join(" or ")}? Plugins go by the id of their manifest.`
      : "Run `openclaw plugins list` to see what is installed.";
  throw new CommandFailure("plugin_not_found", `unknown plugin: ${id}`, { hint });
}
