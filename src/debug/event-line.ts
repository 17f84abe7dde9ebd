import type { RuntimeEvent } from "../runtime/types.js";

/** What a line tells, in order; undefined fields are left out. */
export type Fields = Record<string, string | number | boolean | undefined>;

function plain(value: string | number | boolean): string {
  if (typeof value === "number") return String(Math.round(value * 10) / 10);
  if (typeof value === "boolean") return String(value);
  return /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}

/** `name key=value key=value`. */
export function formatLine(name: string, fields: Fields): string {
  const parts = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${plain(value)}`],
  );
  return [name, ...parts].join(" ");
}

/** What one line says of an event of a run, or undefined for events that only trajectories record. */
export function describeEvent(event: RuntimeEvent): { name: string; fields: Fields } | undefined {
  switch (event.type) {
    case "worker_start":
      return { name: "worker", fields: { ms: event.ms, reused: event.reused } };
    case "leg_start":
      return { name: "leg", fields: { run: event.runId, leg: event.leg, language: event.language } };
    case "request": {
      const { runId, id, tool, bytes } = event;
      return { name: "request", fields: { run: runId, id, tool, bytes } };
    }
    case "reply": {
      const { runId, id, tool, ok, ms, queueMs, bytes, error } = event;
      return { name: "reply", fields: { run: runId, id, tool, ok, ms, queueMs, bytes, error } };
    }
    case "suspend": {
      const { runId, reason, pending, snapshotBytes } = event;
      return { name: "suspend", fields: { run: runId, reason, pending, snapshotBytes } };
    }
    case "resume":
      return { name: "resume", fields: { run: event.runId, leg: event.leg, settled: event.settled } };
    case "limit":
      return {
        name: "limit",
        fields: { run: event.runId, name: event.name, limit: event.limit, value: event.value },
      };
    case "result": {
      const { runId, status, code, ms, error } = event;
      return { name: "result", fields: { run: runId, status, code, ms, error } };
    }
    case "fault":
      return { name: "fault", fields: { run: event.runId, tool: event.tool, error: event.message } };
    case "update":
      return {
        name: "update",
        fields: { run: event.runId, id: event.toolCallId, tool: event.tool, bytes: sizeOf(event.update) },
      };
    case "call":
      return undefined;
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
