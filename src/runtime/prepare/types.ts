import type { SourcePlace } from "../../ui/source-lines.js";
import type { CellLanguage } from "../types.js";

/**
 * File name under which the engine must evaluate a cell, and the label places carry when the author gave
 * no path. The controller must use another name that begins with `openclaw-code-mode:`, so that its
 * frames can be told from the author's.
 */
export const USER_FILE = "openclaw-code-mode:user.js";

/** Default label of a TypeScript cell. */
export const USER_FILE_TYPESCRIPT = "openclaw-code-mode:user.ts";

/** A cell that passed every check and is ready for the engine. */
export interface PreparedCell {
  /**
   * Body of an async function: sloppy mode, `await` and `return` at its top level. The wrapper must put
   * it on lines of its own, exactly as `(async () => {\n` + code + `\n})`, and evaluate that under the
   * file name `USER_FILE`. Frames then count one line more than `code` has; `mapFrames` takes it off.
   */
  code: string;
  language: CellLanguage;
  restartSafe: boolean;
  /** How places name the source: the author's path, or `USER_FILE` (`.ts` for TypeScript). */
  label: string;
  title?: string;
  /** All that `createFrameMapper` needs, as plain data that may be cloned into a worker. */
  places: CellPlaces;
  /**
   * Turns the raw stack text of the engine into the author's places and drops the frames of the wrapper
   * and the controller. Lines that are no frames stay as they are.
   */
  mapFrames(text: string): string;
  /**
   * The error text for a source that the engine refuses to compile although it passed every check here.
   * @param message the engine's message without its name
   * @param stack the engine's raw stack, from which the place is taken
   */
  syntaxError(message: string, stack: string): string;
}

/** Plain data from which places of the engine lead back to the author's source. */
export interface CellPlaces {
  /** The evaluated code, without lines that were added behind the author's. */
  code: string;
  label: string;
  /** Source map of a transformed cell: `mappings` as in the version 3 format. */
  mappings?: string;
  /** Name given to the author's default export inside `code`. */
  defaultName?: string;
  /** The author's text, to keep mapped places inside it. */
  source: string;
}

export type PrepareOutcome =
  | { ok: true; cell: PreparedCell }
  | {
      ok: false;
      code: "invalid_input";
      error: string;
      /** What is wrong, without the place and without advice. */
      reason: string;
      /** Where in the author's source, when the fault has a place. */
      place?: SourcePlace;
    };

/** Something wrong at one place of a source. `offset` counts UTF-16 units. */
export interface SourceFault {
  offset: number;
  /** What is wrong, without the place and without a full stop. */
  text: string;
  /** What to do about it, when that is not to mend this place. */
  advice?: string;
}
