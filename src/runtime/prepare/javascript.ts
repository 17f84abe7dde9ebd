import type { Parser as AcornParser, Options, Program, TokenType } from "acorn";
import type { SourceFault } from "./types.js";

export type ParseOutcome = { tree: Program } | { fault: SourceFault };

const AsyncFunction = (async () => {}).constructor as new (body: string) => unknown;

/**
 * Whether V8 accepts `source` as the whole body of an async function. The function is compiled lazily
 * and never called. It costs microseconds where a parser in JavaScript costs a module to load, reads
 * ten megabytes without a tree, and a body that closes its wrapper early is refused. A "no" is not
 * final: V8 may be older than the guest engine.
 */
export function acceptedByHost(source: string): boolean {
  try {
    new AsyncFunction(source);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses `source` as the body of an async arrow function. `import` and `export` are let through, since
 * they are judged on the tree. Loads acorn.
 */
export async function parseJavaScript(source: string): Promise<ParseOutcome> {
  const parser = await cellParser();
  const brackets = new BracketTrail();
  try {
    const tree = parser.parse(source, {
      ecmaVersion: "latest",
      allowImportExportEverywhere: true,
      allowHashBang: false,
      onToken: (token) => brackets.see(token.type.label),
    });
    return { tree };
  } catch (error) {
    if (!(error instanceof SyntaxError)) return { fault: tooDeep(0) };
    const offset = (error as SyntaxError & { pos?: number }).pos ?? 0;
    const text = error.message.replace(/ \(\d+:\d+\)$/, "");
    if (text.startsWith("Not enough stack space")) return { fault: tooDeep(offset) };
    return { fault: { offset, text: explain(text, source, offset, brackets) } };
  }
}

function tooDeep(offset: number): SourceFault {
  return { offset, text: "the source is nested too deeply to be read" };
}

/** What stands at a place where a parser stopped, in words. */
function explain(text: string, source: string, offset: number, brackets: BracketTrail): string {
  const described = describeToken(text, source, offset, brackets.innermost());
  const typed =
    /^Unexpected token `(?:[:<]|as|satisfies)`/.test(described) ||
    /^The keyword '(?:enum|interface)' is reserved/.test(described) ||
    /\b(?:abstract|as|declare|enum|interface|namespace|satisfies|type)\s+$/.test(
      source.slice(Math.max(0, offset - 40), offset),
    );
  return typed ? `${described} (TypeScript needs \`language: "typescript"\` or a .ts file)` : described;
}

/**
 * A bare "Unexpected token" with the token it means, or with what is still open when the source ends.
 * Other texts stay as they are.
 */
export function describeToken(text: string, source: string, offset: number, open?: string): string {
  if (text !== "Unexpected token") return text;
  const rest = source.slice(offset, offset + 200);
  if (rest.trim() === "") {
    const unclosed = open === undefined ? "" : `: \`${open}\` is never closed`;
    return `Unexpected end of the source${unclosed}`;
  }
  const token = /^(?:[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d+|=>|[-+*/%&|^!=<>?]+|.)/su.exec(rest)?.[0] ?? "";
  return `Unexpected token \`${token}\``;
}

const CLOSES: Readonly<Record<string, string>> = { "}": "{", ")": "(", "]": "[" };

/** The brackets open so far, as the parser reads its tokens. */
class BracketTrail {
  readonly #open: string[] = [];

  see(label: string): void {
    if (label === "${") this.#open.push("{");
    else if (label === "{" || label === "(" || label === "[") this.#open.push(label);
    else if (CLOSES[label] !== undefined && this.#open.at(-1) === CLOSES[label]) this.#open.pop();
  }

  innermost(): string | undefined {
    return this.#open.at(-1);
  }
}

/** The parts of acorn's parser that a subclass may use although its types do not show them. */
interface ParserInternals {
  enterScope(flags: number): void;
  parseTopLevel(node: unknown): unknown;
  updateContext(previous: TokenType): void;
}

// acorn's scope flags: function, async, arrow.
const ASYNC_ARROW = 2 | 4 | 16;

let loading: Promise<typeof AcornParser> | undefined;

/** acorn, taught that the whole text is the body of an async arrow function. */
function cellParser(): Promise<typeof AcornParser> {
  loading ??= import("acorn").then(({ Parser, tokTypes }) =>
    Parser.extend((Base) => {
      const Open = Base as unknown as new (
        options: Options,
        input: string,
        startPos?: number,
      ) => ParserInternals;
      class CellParser extends Open {
        override parseTopLevel(node: unknown): unknown {
          this.enterScope(ASYNC_ARROW);
          return super.parseTopLevel(node);
        }

        // A keyword behind `?.` is a property name, after which a slash divides.
        override updateContext(previous: TokenType): void {
          super.updateContext(previous === tokTypes.questionDot ? tokTypes.dot : previous);
        }
      }
      return CellParser as unknown as typeof AcornParser;
    }),
  );
  return loading;
}
