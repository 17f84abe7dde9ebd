import type { Catalog, CatalogEntry } from "../../catalog/types.js";
import type { GuestNames, ToolNames } from "../guest/install.js";

export interface InstalledNames {
  /** JSON text of `GuestNames`. */
  json: string;
  /** Unlike that of any other names of this process. */
  key: string;
}

let made = 0;

/** What cells over this catalog see, ready for a worker. */
export function guestNames(catalog: Catalog, slots: number): InstalledNames {
  const names: GuestNames = {
    tools: catalog.entries.map(toolNames),
    mcp: catalog.namespaces.map(({ identifier, serverName, members, unavailable }) => ({
      identifier,
      serverName,
      members: members.map(({ path, entryId }) => ({ path, id: entryId })),
      ...(unavailable === undefined ? {} : { unavailable }),
    })),
    slots,
  };
  const json = JSON.stringify(names);
  return { json, key: `names ${++made}` };
}

function toolNames(entry: CatalogEntry): ToolNames {
  const { id, tool, callableName, toolName, label, description, source, input, output } = entry;
  return {
    id,
    owner: tool.owner,
    callableName,
    toolName,
    ...(label === undefined ? {} : { label }),
    description,
    source,
    input,
    ...(output === undefined ? {} : { output }),
  };
}
