import { isReservedCallable } from "../../catalog/reserved-names.js";
import type { ToolMetadata } from "../../sdk/types/tool-definition.js";
import { idRemark } from "../plugin-id.js";
import type { Finding } from "./finding.js";

/** What model providers accept as the name of a function; the strictest of them stop at 64 characters. */
const PROVIDER_NAME = /^[A-Za-z0-9_-]+$/;
const MOST_CHARACTERS = 64;

/** Tools the full product brings itself. A plugin tool of such a name hides one or is hidden by it. */
const CORE_TOOLS = new Set(
  `agents_list agents_wait apply_patch automations browser canvas conversations_list conversations_send
  conversations_turn cron edit exec gateway image image_generate memory_get memory_search message openclaw
  process read screen session_status sessions_history sessions_list sessions_search sessions_send
  sessions_spawn sessions_yield suggest_task terminal tts wait web_fetch web_search write`.split(/\s+/),
);

/** Whether hosts and installs will take the plugin's id. */
export function idFindings(id: string): Finding[] {
  const remark = idRemark(id);
  if (remark === undefined) return [];
  return [
    {
      severity: remark.fatal ? "error" : "warning",
      code: remark.fatal ? "plugin-id-unsafe" : "plugin-id-unusual",
      path: "id",
      message: remark.message,
      fix: "change the id in the source, then rebuild; users keep their settings under the old one",
    },
  ];
}

/** What is wrong, or soon will be, with the names of a plugin's tools. */
export function nameFindings(tools: readonly ToolMetadata[]): Finding[] {
  const findings: Finding[] = [];
  const folded = new Map<string, string>();
  for (const { name } of tools) {
    const problem = nameProblem(name);
    if (problem !== undefined) {
      findings.push({
        severity: "error",
        code: "tool-name-illegal",
        path: `tools.${name}.name`,
        message: `tool name ${JSON.stringify(name)} ${problem}`,
        fix: "use letters, digits, `_` and `-`, for example `stock_quote`",
      });
      continue;
    }
    findings.push(...nameWarnings(name));
    const key = name.toLowerCase().replaceAll("-", "_");
    const other = folded.get(key);
    if (other === undefined) folded.set(key, name);
    else {
      findings.push({
        severity: "warning",
        code: "tool-name-lookalike",
        path: `tools.${name}.name`,
        message: `tool names ${other} and ${name} differ only in case or punctuation, which models confuse`,
        fix: "give one of them a name of its own; each is still called by its exact name",
      });
    }
  }
  return findings;
}

function nameProblem(name: string): string | undefined {
  if (!PROVIDER_NAME.test(name)) return "holds characters that model providers refuse";
  if (name.length > MOST_CHARACTERS)
    return `is longer than the ${MOST_CHARACTERS} characters model providers accept`;
  return undefined;
}

function nameWarnings(name: string): Finding[] {
  const at = { severity: "warning" as const, path: `tools.${name}.name` };
  if (CORE_TOOLS.has(name)) {
    return [
      {
        ...at,
        code: "tool-name-core",
        message: `tool name ${name} is the name of a core tool`,
        fix: `choose a name only this plugin would use, for example \`my_${name}\``,
      },
    ];
  }
  if (isReservedCallable(name)) {
    return [
      {
        ...at,
        code: "tool-name-reserved",
        message: `tool name ${name} is reserved in JavaScript or in cells, so cells cannot call it as ${name}()`,
        fix: `choose another name, for example \`${name}_item\``,
      },
    ];
  }
  return [];
}
