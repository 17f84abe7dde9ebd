// What every cell can see, whatever its catalog. `openclaw exec --check` reads this file beside the
// declarations of the run's own tools; nothing of a browser or of Node is in it, because nothing is there.

/** Adds text to the output of the cell. Anything that is no string is shown as compact JSON. */
declare function text(value?: unknown): void;

/** Adds a JSON value to the output of the cell. */
declare function json(value?: unknown): void;

/** Adds one text entry to the output of the cell, bounded in depth and length. */
declare const console: {
  readonly log: (...values: unknown[]) => void;
  readonly info: (...values: unknown[]) => void;
  readonly warn: (...values: unknown[]) => void;
  readonly error: (...values: unknown[]) => void;
  readonly debug: (...values: unknown[]) => void;
};

/** Where a tool comes from. */
type CellToolSource = "openclaw" | "mcp" | "client";

/** What `describe()` of a handle resolves to. */
interface CellToolDescription {
  source: CellToolSource;
  name: string;
  label?: string;
  description: string;
  input: string;
  output?: string;
  parameters?: any;
  outputSchema?: any;
  callableName: string;
  [key: string]: any;
}

/** A tool as a value: call it, or read what it is. */
interface CellToolHandle {
  (input?: any): Promise<any>;
  readonly callableName: string;
  readonly toolName: string;
  readonly label?: string;
  readonly description: string;
  readonly source: CellToolSource;
  readonly input?: string;
  readonly output?: string;
  /** The declaration file of an MCP tool. */
  readonly apiPath?: string;
  describe(): Promise<CellToolDescription>;
}

declare const catalog: {
  /** The tools that fit a task, best first. */
  search(query: string, options?: { limit?: number }): Promise<readonly CellToolHandle[]>;
  /** Every tool but those of MCP servers, by name. */
  all(): readonly CellToolHandle[];
};

interface CellApiFile {
  readonly path: string;
  readonly description?: string;
  readonly content: string;
  readonly bytes: number;
}

/** Declaration files of the run, made when they are read. */
declare const API: {
  list(prefix?: string | null): Promise<{
    readonly files: readonly {
      readonly path: string;
      readonly description?: string;
      readonly bytes?: number;
    }[];
  }>;
  read(path: string): Promise<CellApiFile>;
};

/** Keeps a JSON value for later cells of the session; `undefined` deletes. Written when the cell completes. */
declare function store(key: string, value: unknown): Promise<void>;

/** A value that was stored, or `undefined`. */
declare function load(key: string): Promise<any>;

/** Ends this call as `waiting`; the cell goes on when it is resumed. */
declare function yield_control(reason?: unknown): Promise<any>;

declare function setTimeout(
  callback: (...values: any[]) => unknown,
  delay?: number,
  ...values: any[]
): number;
declare function clearTimeout(id?: number | string | null): void;
declare function queueMicrotask(callback: () => unknown): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;

/** UTF-8 only. */
declare class TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

/** UTF-8 only. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBufferLike | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare const performance: { now(): number; readonly timeOrigin: number; [key: string]: any };

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}

/** Thrown by the engine itself, for instance when it is out of memory. */
declare class InternalError extends Error {}

interface CellNode {
  readonly id: string;
  readonly name: string;
  invoke(command: string, params?: unknown): Promise<any>;
  /** There when the node offers it. */
  listDir?(path: string): Promise<any>;
}

/** Paired devices, when the run has a tool for them; otherwise every call rejects. */
declare const nodes: {
  list(): Promise<
    readonly {
      id: string;
      name: string;
      platform?: string;
      connected: boolean;
      commands: readonly string[];
    }[]
  >;
  get(idOrName: string): Promise<CellNode>;
};

declare const skills: {
  list(): Promise<readonly { name: string; description: string; location: string }[]>;
  read(name: string): Promise<string>;
};

/** An entry of the older API. */
interface CellToolEntry {
  id: string;
  source: CellToolSource;
  sourceName: string;
  name: string;
  label?: string;
  description: string;
  input: string;
  output?: string;
}

declare const ALL_TOOLS: readonly CellToolEntry[];

/** The older API; the functions of the run's own tools are added to it. */
interface CellTools {
  search(query: string, options?: { limit?: number }): Promise<CellToolEntry[]>;
  describe(idOrName: string): Promise<CellToolEntry & { parameters?: any; outputSchema?: any }>;
  /** Resolves to `details` of the tool's result. */
  callValue(idOrName: string, input?: any): Promise<any>;
  /** Resolves to the whole result. */
  call(idOrName: string, input?: any): Promise<{ tool: CellToolEntry; result: any }>;
}
