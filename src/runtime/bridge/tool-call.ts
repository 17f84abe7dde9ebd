import { setMaxListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Approver, ToolHooks } from "../../catalog/hooks.js";
import type { EffectiveTool, McpOperation } from "../../catalog/tool.js";
import type { CatalogEntry } from "../../catalog/types.js";
import { currentPluginScope, type PluginScope, runInPluginScope } from "../../plugin-scope.js";
import { isTurnDue } from "../../schema/watch.js";
import type { RuntimeEvent } from "../types.js";
import type { CallOrder, Ticket } from "./call-order.js";
import { type ToolContract, toolContract } from "./contract.js";
import { BridgeFailure, cancelled, messageChain } from "./failure.js";
import { gradeDetails } from "./grading.js";
import { requireApproval, runAfterHooks, runBeforeHooks } from "./hooks.js";
import { detailsOf, projectMcpResult, toJson } from "./tool-result.js";
import { untilAborted } from "./until-aborted.js";

/** What all calls of one catalog share. */
export interface CallEnvironment {
  order: CallOrder;
  hooks: ToolHooks | undefined;
  approve: Approver | undefined;
  onEvent: ((event: RuntimeEvent) => void) | undefined;
  /** Called once for each call that resolves with `details` that grade as a failure. */
  countFailure: () => void;
}

export interface PlannedCall {
  entry: CatalogEntry;
  /** A parsed copy of its own. */
  input: unknown;
  /** Set for a member of a server's namespace. */
  operation?: McpOperation;
  runId: string;
  toolCallId: string;
  parentToolCallId: string;
  signal: AbortSignal;
  /** The call whose tool runs the cell that makes this one. */
  parent: Ticket | undefined;
  /** Hears that nothing is left to wait for and the tool begins. */
  onBegin?: (() => void) | undefined;
}

export interface FinishedCall {
  /** What the tool and the hooks behind it returned. */
  result: unknown;
  /** Compact JSON of the value the cell gets. */
  json: string;
}

/** Places of running calls, for tools that use the catalog they belong to. */
const tickets = new WeakMap<PluginScope, Ticket>();

/** The call whose tool is running, when a tool is. */
export function callingTicket(): Ticket | undefined {
  const scope = currentPluginScope();
  return scope === undefined ? undefined : tickets.get(scope);
}

/**
 * Runs one nested call from its contract to its checked value. The place in the catalog's order is taken
 * at once, before anything is awaited. Whatever goes wrong rejects this call and nothing else.
 * @throws BridgeFailure, or what the tool threw
 */
export async function performCall(call: PlannedCall, environment: CallEnvironment): Promise<FinishedCall> {
  const { entry, signal } = call;
  const ticket = environment.order.enter(entry.tool.executionMode === "sequential", call.parent);
  if (ticket === undefined) {
    throw new BridgeFailure(
      `${entry.callableName} cannot run: a tool that is still running made this call and would wait for itself, because one of them runs sequentially`,
      "invalid_input",
    );
  }
  const scope: PluginScope = {
    plugin: entry.tool.owner,
    onLateFault: (fault) =>
      environment.onEvent?.({
        type: "fault",
        runId: call.runId,
        tool: entry.tool.name,
        message: messageChain(fault),
      }),
  };
  tickets.set(scope, ticket);
  const log: CallLog = { input: call.input, startedAt: performance.now(), over: false };
  // A signal of its own, so that a tool hears of any end of its call and can touch no other's.
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  try {
    const run = () => steps({ ...call, signal: own.signal }, ticket, environment, log);
    const finished = await untilAborted(
      signal,
      () => runInPluginScope(scope, run),
      () => own.abort(),
    );
    report(call, environment, log, { json: finished.json });
    return finished;
  } catch (error) {
    own.abort();
    report(call, environment, log, { error });
    throw error;
  } finally {
    log.over = true;
    ticket.release();
  }
}

interface CallLog {
  input: unknown;
  startedAt: number;
  /** The cell has its answer; what has not begun must not begin any more. */
  over: boolean;
}

async function steps(
  call: PlannedCall,
  ticket: Ticket,
  environment: CallEnvironment,
  log: CallLog,
): Promise<FinishedCall> {
  const { entry } = call;
  const { tool } = entry;
  const contract = await toolContract(entry);
  const advertised = contract.outputFor(call.input);
  const prepared = await prepareInput(tool, contract, call.input);
  while (isTurnDue()) await nextTurn();
  if (log.over) throw cancelled();
  contract.checkInput(prepared);
  const event = {
    toolName: entry.tool.name,
    toolCallId: call.toolCallId,
    parentToolCallId: call.parentToolCallId,
    params: prepared,
  };
  const verdict = await runBeforeHooks(environment.hooks, event, entry.callableName);
  const params = verdict.params;
  if (verdict.rewritten) contract.checkInput(params, "a hook rewrote");
  if (verdict.approval !== undefined) {
    const asked = { toolName: entry.tool.name, params, ...verdict.approval, signal: call.signal };
    await requireApproval(environment.approve, asked, entry.callableName);
  }
  const executed = contract.outputFor(params);
  if (environment.onEvent !== undefined) log.input = dataOf(params);
  await ticket.ready();
  if (log.over) throw cancelled();
  log.startedAt = performance.now();
  call.onBegin?.();
  const result = await execute(call, { ...event, params }, environment);
  const { json, failed } = cellValue(result, call);
  if (failed) environment.countFailure();
  while (isTurnDue()) await nextTurn();
  contract.checkOutput(json, executed, advertised);
  return { result, json };
}

async function prepareInput(tool: EffectiveTool, contract: ToolContract, input: unknown): Promise<unknown> {
  if (typeof tool.prepareArguments !== "function") return input;
  try {
    return await tool.prepareArguments(input);
  } catch (error) {
    // The class of the plugin's own copy of the kit: only its name can be relied on.
    const typed = error instanceof Error && error.name === "ToolArgumentValidationError";
    throw typed ? contract.refusedInput(messageChain(error)) : error;
  }
}

async function execute(
  call: PlannedCall,
  event: { toolName: string; toolCallId: string; parentToolCallId: string; params: unknown },
  environment: CallEnvironment,
): Promise<unknown> {
  const startedAt = performance.now();
  let result: unknown;
  try {
    result = await call.entry.tool.execute({
      toolCallId: call.toolCallId,
      input: event.params,
      signal: call.signal,
      onUpdate: (update) => reportUpdate(call, environment, update),
    });
  } catch (error) {
    const failed = { ...event, error: messageChain(error), durationMs: performance.now() - startedAt };
    // The tool's own failure is what the cell must hear of, also when a hook fails over it.
    await runAfterHooks(environment.hooks, failed, call.entry.callableName).catch(() => {});
    throw error;
  }
  const finished = { ...event, result, durationMs: performance.now() - startedAt };
  return runAfterHooks(environment.hooks, finished, call.entry.callableName);
}

/** The value for the cell, and whether it says of itself that the call failed. */
function cellValue(result: unknown, { entry, operation }: PlannedCall): { json: string; failed: boolean } {
  const what = `the result of ${entry.callableName}`;
  if (operation === undefined) {
    const details = detailsOf(result);
    const json = toJson(details, what);
    return { json, failed: gradeDetails(details, json) !== undefined };
  }
  const projected = projectMcpResult(result, operation);
  return { json: toJson(projected, what), failed: projected.isError === true };
}

function reportUpdate(call: PlannedCall, { onEvent }: CallEnvironment, update: unknown): void {
  if (onEvent === undefined || call.signal.aborted) return;
  const { runId, parentToolCallId, toolCallId, entry } = call;
  onEvent({
    type: "update",
    runId,
    parentToolCallId,
    toolCallId,
    tool: entry.tool.name,
    update: dataOf(update),
  });
}

/** A copy for the log: tools may change what they hold, and what JSON cannot carry must not fail a call here. */
function dataOf(value: unknown): unknown {
  try {
    return JSON.parse(toJson(value, "this"));
  } catch (error) {
    return messageChain(error);
  }
}

function report(
  call: PlannedCall,
  { onEvent }: CallEnvironment,
  log: CallLog,
  outcome: { json: string } | { error: unknown },
): void {
  onEvent?.({
    type: "call",
    runId: call.runId,
    parentToolCallId: call.parentToolCallId,
    toolCallId: call.toolCallId,
    tool: call.entry.tool.name,
    input: log.input,
    ...("json" in outcome
      ? { result: JSON.parse(outcome.json) as unknown }
      : { error: messageChain(outcome.error) }),
    ms: performance.now() - log.startedAt,
  });
}
