import { loadConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { codeModeSettings } from "../../config/settings.js";
import { driveCell } from "../../runtime/drive.js";
import type { CellResult, SessionStoreBackend } from "../../runtime/types.js";
import type { ToolsetWarning } from "../../toolset/collect.js";
import type { CommandContext } from "../command.js";
import { limitsFromFlags } from "../limit-flags.js";
import { createApprover } from "./approver.js";
import { createLivePrinter, renderResult } from "./render.js";
import type { CellSource } from "./sources.js";

export interface RunFlags {
  plugin?: string[];
  mcp?: string[];
  session?: string;
  allow?: string[];
  limit?: string[];
  approve?: string;
  trajectory?: string;
}

/** One session of `exec`: everything its cells share. */
export interface OpenRun {
  runCell(source: CellSource, leg: { deadlineMs: number; noWait: boolean }): Promise<CellResult>;
  /** The result with what was left out of the run (broken plugins, dead servers) among its warnings. */
  withToolsetWarnings(result: CellResult): unknown;
  close(): Promise<void>;
}

async function storeNamed(name: string, dir: string): Promise<SessionStoreBackend> {
  const { fileSessionStore, sessionFile } = await import("../../runtime/bridge/file-session-store.js");
  return fileSessionStore(sessionFile(dir, name));
}

/** Loads configuration, plugins and servers, builds the catalog and opens a session over it. */
export async function openRun(flags: RunFlags, context: CommandContext): Promise<OpenRun> {
  const { reporter, env, cwd, signal } = context;
  const paths = statePaths(env);
  const loaded = await loadConfig(paths);
  for (const warning of loaded.warnings) reporter.warn(warning);
  const settings = codeModeSettings(loaded.config);
  const limits = limitsFromFlags(settings.limitSettings, flags.limit, reporter);
  const approve = createApprover(flags.approve, context);
  const { collectTools } = await import("../../toolset/collect.js");
  const { buildCatalog } = await import("../../catalog/build.js");
  const { createCellSession } = await import("../../runtime/session.js");
  const { observeRun } = await import("../../debug/observe.js");
  const observer = await observeRun({
    env,
    config: loaded.config,
    cwd,
    ...(flags.trajectory === undefined ? {} : { trajectory: flags.trajectory }),
  });
  const toolset = await collectTools({
    config: loaded.config,
    paths,
    cwd,
    env,
    plugins: flags.plugin ?? [],
    mcpFiles: flags.mcp ?? [],
    allow: flags.allow ?? [],
    mcpStartMs: limits.mcpStartMs,
    signal,
    onWarning: ({ message }) => reporter.warn(message),
  });
  const catalog = buildCatalog(toolset.tools, limits);
  observer.onCatalog(catalog);
  for (const { level, message } of catalog.diagnostics)
    reporter.warn(`${level === "error" ? "tool left out: " : ""}${message}`);
  const store = flags.session === undefined ? undefined : await storeNamed(flags.session, paths.sessionsDir);
  const session = createCellSession({
    catalog,
    limits,
    languages: settings.languages,
    hooks: toolset.hooks,
    approve,
    ...(store === undefined ? {} : { store }),
    ...(observer.onEvent === undefined ? {} : { onEvent: observer.onEvent }),
  });

  return {
    async runCell(source, leg) {
      const result = await driveCell(
        session,
        { code: source.code, language: source.language },
        {
          ...leg,
          signal,
          ...(source.label === undefined ? {} : { sourceLabel: source.label }),
          ...(reporter.json ? {} : { onOutput: createLivePrinter(reporter, limits.maxOutputBytes) }),
        },
      );
      if (!reporter.json) renderResult(result, source, reporter);
      return result;
    },
    withToolsetWarnings(result) {
      if (toolset.warnings.length === 0) return result;
      const own = result.status === "completed" ? (result.warnings ?? []) : [];
      const left = toolset.warnings.map(({ kind, owner, message }: ToolsetWarning) => ({
        [kind]: owner,
        message,
      }));
      return { ...result, warnings: [...own, ...left] };
    },
    async close() {
      await session.close();
      await toolset.close();
      await observer.close();
    },
  };
}
