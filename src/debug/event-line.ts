import type { RuntimeEvent } from "../runtime/types.js";

type Fields = Record<string, string | number | boolean | undefined>;

function plain(value: string | number | boolean): string {
  if (typeof value === "number") return String(Math.round(value * 10) / 10);
  if (typeof value === "boolean") return String(value);
  return /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}

/** `name key=value key=value`; undefined fields are left out. */
export function formatLine(name: string, fields: Fields): string {
  const parts = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${plain(value)}`],
  );
  return [name, ...parts].join(" ");
}

/** One line for an event of a run, or undefined for events that only trajectories record. */
export function describeEvent(event: RuntimeEvent): string | undefined {
  switch (event.type) {
    case "worker_start":
      return formatLine("worker", { ms: event.ms, reused: event.reused });
    case "leg_start":
      return formatLine("leg", { run: event.runId, leg: event.leg, language: event.language });
    case "request":
      return formatLine("request", { run: event.runId, id: event.id, tool: event.tool, bytes: event.bytes });
    case "reply":
      return formatLine("reply", {
        run: event.runId,
        id: event.id,
        tool: event.tool,
        ok: event.ok,
        ms: event.ms,
        queueMs: event.queueMs,
        bytes: event.bytes,
        error: event.error,
      });
    case "suspend":
      return formatLine("suspend", {
        run: event.runId,
        reason: event.reason,
        pending: event.pending,
        snapshotBytes: event.snapshotBytes,
      });
    case "resume":
      return formatLine("resume", { run: event.runId, leg: event.leg, settled: event.settled });
    case "limit":
      return formatLine("limit", {
        run: event.runId,
        name: event.name,
        limit: event.limit,
        value: event.value,
      });
    case "result":
      return formatLine("result", { run: event.runId, status: event.status, code: event.code, ms: event.ms });
    case "call":
      return undefined;
  }
}
