import { modelTools } from "../../catalog/model-view.js";
import { debugFlags } from "../../debug/flags.js";
import { observeRun } from "../../debug/observe.js";
import { driveCell } from "../../runtime/drive.js";
import { createCellSession } from "../../runtime/session.js";
import type { CellResult, SessionStoreBackend } from "../../runtime/types.js";
import { setUpRun } from "../../toolset/setup.js";
import type { CommandContext } from "../command.js";
import { limitsFromFlags } from "../limit-flags.js";
import { setupFor, type ToolFlags } from "../tool-flags.js";
import { createApprover } from "./approver.js";
import { createLivePrinter, renderResult } from "./render.js";
import type { CellSource } from "./sources.js";

export interface RunFlags extends ToolFlags {
  session?: string;
  limit?: string[];
  check?: boolean;
  strict?: boolean;
  approve?: string;
  trajectory?: string;
}

/** What one cell came to. `result` is absent when `--check` kept the cell from running. */
export interface CellRun {
  result?: CellResult;
  /** What `--json` prints: the result with the findings of `--check` and what was left out of the run. */
  document: Record<string, unknown>;
}

/** One session of `exec`: everything its cells share. */
export interface OpenRun {
  runCell(source: CellSource, leg: { deadlineMs: number; noWait: boolean }): Promise<CellRun>;
  close(): Promise<void>;
}

async function storeNamed(name: string, dir: string): Promise<SessionStoreBackend> {
  const { fileSessionStore, sessionFile } = await import("../../runtime/bridge/file-session-store.js");
  return fileSessionStore(sessionFile(dir, name));
}

/** Keeps what servers print while they start until somebody listens who knows what to hide. */
function lateLines(): {
  add: (name: string, line: string) => void;
  hear: (listener: (name: string, line: string) => void) => void;
} {
  const kept: [string, string][] = [];
  let listener: ((name: string, line: string) => void) | undefined;
  return {
    add: (name, line) => (listener === undefined ? void kept.push([name, line]) : listener(name, line)),
    hear: (next) => {
      listener = next;
      for (const [name, line] of kept) next(name, line);
    },
  };
}

/** Loads configuration, plugins and servers, builds the catalog and opens a session over it. */
export async function openRun(flags: RunFlags, context: CommandContext): Promise<OpenRun> {
  const { reporter, env, cwd, signal } = context;
  const approve = createApprover(flags.approve, context);
  const serverLines = lateLines();
  const { paths, config, settings, limits, toolset, catalog } = await setUpRun({
    ...setupFor(flags, context),
    limits: ({ limitSettings }) => limitsFromFlags(limitSettings, flags.limit, reporter),
    ...(debugFlags(env).codeMode ? { onServerLog: serverLines.add } : {}),
  });
  const observer = await observeRun({
    env,
    config: [config, toolset.servers],
    cwd,
    trajectory: flags.trajectory,
  }).catch(async (error: unknown) => {
    await toolset.close();
    throw error;
  });
  observer.log("activation", {
    engaged: true,
    reason: "asked for by openclaw exec",
    setting: settings.enabled,
  });
  observer.onCatalog(catalog, limits);
  observer.onModelTools(() => modelTools(catalog, { languages: settings.languages, limits }));
  serverLines.hear((name, line) => observer.log("server", { name, line }));
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

  let cells = 0;
  async function run(source: CellSource, leg: { deadlineMs: number; noWait: boolean }): Promise<CellResult> {
    cells += 1;
    const toolCallId = `exec_${cells}`;
    const startedAt = performance.now();
    const result = await driveCell(
      session,
      { code: source.code, language: source.language },
      {
        ...leg,
        signal,
        toolCallId,
        ...(source.label === undefined ? {} : { sourceLabel: source.label }),
        ...(reporter.json ? {} : { onOutput: createLivePrinter(reporter, limits.maxOutputBytes) }),
      },
    );
    const { code, language } = source;
    observer.onOuterCall({
      toolCallId,
      tool: "exec",
      input: { code, language },
      result,
      ms: performance.now() - startedAt,
    });
    if (!reporter.json) renderResult(result, source, reporter);
    return result;
  }

  function withWarnings(result: CellResult): Record<string, unknown> {
    if (toolset.warnings.length === 0) return { ...result };
    const own = result.status === "completed" ? (result.warnings ?? []) : [];
    const left = toolset.warnings.map(({ kind, owner, message }) => ({ [kind]: owner, message }));
    return { ...result, warnings: [...own, ...left] };
  }

  return {
    async runCell(source, leg) {
      if (!flags.check) {
        const result = await run(source, leg);
        return { result, document: withWarnings(result) };
      }
      const { blockedResult, checkSource, renderFindings } = await import("./check-source.js");
      const check = await checkSource(source, catalog, flags.strict === true);
      if (!reporter.json) renderFindings(check, source, reporter);
      if (check.blocked) return { document: blockedResult(check, source, catalog) };
      const result = await run(source, leg);
      return { result, document: { ...withWarnings(result), findings: check.findings } };
    },
    async close() {
      await session.close();
      await toolset.close();
      await observer.close();
    },
  };
}
