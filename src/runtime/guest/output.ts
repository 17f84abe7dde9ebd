import { host } from "./host.js";
import { consoleText } from "./inspect.js";
import { freeze } from "./primordials.js";
import { emitJson } from "./serialize.js";
import { quote } from "./text.js";

/** JSON code units of console entries a cell may emit over all its legs, and what the notice needs. */
const MAX_CONSOLE = 16_384;
const NOTICE_RESERVE = 100;

let consoleUsed = 0;
let consoleClosed = false;
let closed = false;

/** Nothing is emitted any more: the cell has its result. */
export function closeOutput(): void {
  closed = true;
}

function emit(entry: string): void {
  if (!closed) host.emit(entry);
}

export function text(value?: unknown): void {
  if (typeof value === "bigint") {
    emit(`{"type":"text","text":${quote(`${value}`)}}`);
    return;
  }
  emit(`{"type":"text","text":${quote(typeof value === "string" ? value : emitJson(value))}}`);
}

export function json(value?: unknown): void {
  emit(`{"type":"json","value":${emitJson(value)}}`);
}

function consoleMethod(prefix: string): (...values: unknown[]) => void {
  return (...values: unknown[]) => {
    if (consoleClosed) return;
    const entry = `{"type":"text","text":${quote(consoleText(values, prefix))}}`;
    if (consoleUsed + entry.length > MAX_CONSOLE - NOTICE_RESERVE) {
      consoleClosed = true;
      emit('{"type":"text","text":"[console output truncated]"}');
      return;
    }
    consoleUsed += entry.length;
    emit(entry);
  };
}

export const cellConsole = freeze({
  log: consoleMethod(""),
  info: consoleMethod("[info] "),
  warn: consoleMethod("[warn] "),
  error: consoleMethod("[error] "),
  debug: consoleMethod("[debug] "),
});
