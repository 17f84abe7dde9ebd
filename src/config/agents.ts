import { CommandFailure } from "../errors.js";
import { nearest } from "../text/nearest.js";
import type { AgentConfig, OpenClawConfig } from "./config.js";

/** An agent's own settings and where they stand in the file. */
export interface FoundAgent {
  agent: AgentConfig;
  /** `agents.list[2]` or `agents.entries.ops`. */
  place: string;
}

/** The agent that exists without being configured. */
const DEFAULT_AGENT = "main";

/**
 * The settings of an agent, or undefined for one without settings of its own.
 * @throws CommandFailure `unknown_agent` when agents are configured and none has this id
 */
export function findAgent(config: OpenClawConfig, agentId: string | undefined): FoundAgent | undefined {
  if (agentId === undefined) return undefined;
  const list = config.agents?.list ?? [];
  const index = list.findIndex((agent) => agent.id === agentId);
  const listed = list[index];
  if (listed !== undefined) return { agent: listed, place: `agents.list[${index}]` };
  const entries = config.agents?.entries ?? {};
  const entry = Object.hasOwn(entries, agentId) ? entries[agentId] : undefined;
  if (entry !== undefined) return { agent: entry, place: `agents.entries.${agentId}` };
  if (agentId === DEFAULT_AGENT) return undefined;
  const known = [...list.flatMap((agent) => agent.id ?? []), ...Object.keys(entries)];
  const [close] = nearest(agentId, known);
  throw new CommandFailure("unknown_agent", `no agent \`${agentId}\` is configured`, {
    hint:
      close !== undefined
        ? `Did you mean \`${close}\`?`
        : known.length === 0
          ? "Add it under agents.list in openclaw.json."
          : `Configured: ${known.join(", ")}.`,
  });
}
