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
      onToken: (token) => brackets.see(token.type.label, token.start),
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

/** Names the token a bare "Unexpected token" stands on, or the bracket that is still open at the end. */
export function explain(text: string, source: string, offset: number, brackets?: BracketTrail): string {
  if (!/^Unexpected token$/i.test(text)) return text;
  const rest = source.slice(offset, offset + 200);
  if (rest.trim() === "") {
    const open = brackets?.innermost();
    return open === undefined
      ? "Unexpected end of the source"
      : `Unexpected end of the source: ${open.label} is never closed`;
  }
  const token = /^(?:[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d+|=>|[-+*/%&|^!=<>?]+|.)/su.exec(rest)?.[0] ?? "";
  const hint = token === ":" ? ' (type annotations need `language: "typescript"` or a .ts file)' : "";
  return `Unexpected token \`${token}\`${hint}`;
}

const CLOSES: Readonly<Record<string, string>> = { "}": "{", ")": "(", "]": "[" };

/** The brackets open so far, as the parser reads its tokens. */
class BracketTrail {
  readonly #open: { label: string; offset: number }[] = [];

  see(label: string, offset: number): void {
    if (label === "{" || label === "(" || label === "[" || label === "${") {
      this.#open.push({ label: label === "${" ? "{" : label, offset });
    } else if (CLOSES[label] !== undefined && this.#open.at(-1)?.label === CLOSES[label]) {
      this.#open.pop();
    }
  }

  innermost(): { label: string; offset: number } | undefined {
    const open = this.#open.at(-1);
    return open === undefined ? undefined : { label: `\`${open.label}\``, offset: open.offset };
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
