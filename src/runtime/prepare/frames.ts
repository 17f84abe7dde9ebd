import { SourceMap } from "node:module";
import { lineStarts, placeAt, type SourcePlace, sourceLines } from "../../ui/source-lines.js";
import { type CellPlaces, USER_FILE } from "./types.js";
import { unitsOfBytes } from "./utf8-columns.js";

/** Lines the wrapper puts before the code. */
const WRAPPER_LINES = 1;

const FRAME = /^(\s*at )(?:(.*?) \()?([^\s()][^()]*?):(\d+):(\d+)\)?$/;
const NATIVE = /^\s*at .* \(native\)$/;
const OWN_FILES = "openclaw-code-mode:";

/** The engine writes ten short lines; what a cell assigns to `stack` is read no further than this. */
const MAX_LINES = 200;
const MAX_LINE = 1_000;

type Line = { kind: "text" | "native" | "own"; text: string };

/**
 * A function that turns raw stack text of the engine into the author's places. Columns of the engine
 * count UTF-8 bytes of the evaluated code; what comes out counts UTF-16 units of the author's source.
 * Frames of the wrapper and the controller are dropped, and natives that those called with them.
 */
export function createFrameMapper(places: CellPlaces): (stack: string) => string {
  const locator = createLocator(places);
  const judge = (text: string): Line => {
    if (NATIVE.test(text)) return { kind: "native", text };
    const match = FRAME.exec(text);
    if (match === null) return { kind: "text", text };
    const [, at, name, file, line, column] = match as unknown as [
      string,
      string,
      string?,
      string?,
      string?,
      string?,
    ];
    if (file !== USER_FILE) {
      const own = file?.startsWith(OWN_FILES) === true && file !== places.label;
      return { kind: own ? "own" : "text", text };
    }
    const place = locator.ofEngine(Number(line), Number(column));
    if (place === undefined) return { kind: "own", text };
    const where = `${places.label}:${place.line}:${place.column}`;
    const shown = name === places.defaultName ? "default" : name;
    return { kind: "text", text: name === undefined ? `${at}${where}` : `${at}${shown} (${where})` };
  };
  return (stack) => {
    const kept: string[] = [];
    let caller: Line["kind"] | undefined;
    // From the outermost frame inwards, so that the caller of a native is known when its turn comes.
    for (const text of firstLines(stack).reverse()) {
      const line = judge(text);
      if (line.kind !== "native") caller = line.kind;
      if (line.kind === "text" || (line.kind === "native" && caller !== "own")) kept.push(line.text);
    }
    return kept.reverse().join("\n");
  };
}

function firstLines(stack: string): string[] {
  const head = stack.slice(0, MAX_LINES * MAX_LINE);
  return head.split("\n", MAX_LINES).map((line) => line.slice(0, MAX_LINE));
}

export interface Locator {
  /** The author's place of an engine position, or nothing when it lies in the wrapper. */
  ofEngine(line: number, column: number): SourcePlace | undefined;
  /** The offset in the author's source of an offset in the code. */
  ofCode(offset: number): number;
}

/** Leads positions of the evaluated code back to the author's source. Works lazily: most cells never fail. */
export function createLocator(places: CellPlaces): Locator {
  const { code, source, mappings } = places;
  let lines: string[] | undefined;
  let starts: number[] | undefined;
  let map: SourceMap | undefined;
  /** `line` and `column` zero-based, in UTF-16 units. */
  const offsetOf = (line: number, column: number): number => {
    if (mappings === undefined) {
      starts ??= lineStarts(code);
      return (starts[line] ?? 0) + column;
    }
    map ??= sourceMap(mappings);
    const entry = map.findEntry(line, column);
    starts ??= lineStarts(source);
    return "originalLine" in entry ? (starts[entry.originalLine] ?? 0) + entry.originalColumn : 0;
  };
  return {
    ofEngine: (line, column) => {
      lines ??= sourceLines(code);
      const own = line - WRAPPER_LINES - 1;
      const text = lines[own];
      if (text === undefined) return undefined;
      return placeAt(source, offsetOf(own, unitsOfBytes(text, column - 1)));
    },
    ofCode: (offset) => {
      const place = placeAt(code, offset);
      return offsetOf(place.line - 1, place.column - 1);
    },
  };
}

function sourceMap(mappings: string): SourceMap {
  return new SourceMap({
    version: 3,
    file: "",
    sources: ["cell"],
    sourcesContent: [""],
    names: [],
    mappings,
    sourceRoot: "",
  });
}
