import type { CellLanguage } from "../types.js";
import { JAVASCRIPT_WORDS, SHELL_COMMANDS, TYPESCRIPT_WORDS } from "./shell-words.js";
import type { SourceFault } from "./types.js";

export interface ShellQuestion {
  source: string;
  language: CellLanguage;
  /** Whether the source parses in its language. */
  parses: boolean;
  /** Whether a source that parses declares this name anywhere. */
  declares: (name: string) => Promise<boolean>;
}

/** How much of a source is looked at: enough for one command line. */
const LOOK = 4000;

/**
 * The fault when a source is a shell command line rather than a cell. Source that parses is given the
 * benefit of the doubt: only a command standing as a statement, a flag, a path or a redirection makes it
 * a command line, and never when the cell itself declares the word.
 */
export async function findShellCommand(question: ShellQuestion): Promise<SourceFault | undefined> {
  const { source, parses, language } = question;
  if (source.startsWith("#!")) {
    const text = "a cell is no script file, and its first line asks for an interpreter";
    return { offset: 0, text, advice: "remove the `#!` line, and submit JavaScript or TypeScript" };
  }
  const offset = skipComments(source);
  const line = source.slice(offset, offset + LOOK);
  if (line === "") return undefined;
  const found = parses
    ? await parsedCommand(line, question)
    : opensShellBlock(line) || isPath(line) || startsCommand(line, source, language);
  return found ? { offset, text: shellText(line, language), advice: ADVICE } : undefined;
}

const ADVICE =
  'a cell is JavaScript that calls tools, and `await catalog.search("run a command")` finds those for shell and files';

function shellText(line: string, language: CellLanguage): string {
  const first = (line.split(/[\r\n]/, 1)[0] ?? "").trim();
  const shown = first.length > 60 ? `${first.slice(0, 59)}…` : first;
  const typed =
    language === "javascript" && TYPESCRIPT_WORDS.has(/^\w+/.exec(line)?.[0] ?? "")
      ? ' (if it is TypeScript, set `language: "typescript"`)'
      : "";
  return `\`${shown}\` reads like a shell command${typed}`;
}

/** Offset behind leading blanks and comments of JavaScript and of shells. */
function skipComments(source: string): number {
  let at = 0;
  for (;;) {
    while (at < source.length && /\s/.test(source[at] ?? "")) at += 1;
    if (source.startsWith("/*", at)) {
      const end = source.indexOf("*/", at + 2);
      if (end === -1) return source.length;
      at = end + 2;
    } else if (source.startsWith("//", at) || (source[at] === "#" && source[at + 1] !== "!")) {
      const end = source.slice(at).search(/[\n\r\u2028\u2029]/);
      if (end === -1) return source.length;
      at += end;
    } else {
      return at;
    }
  }
}

/** Blocks and tests that only shells write this way. */
function opensShellBlock(line: string): boolean {
  return [
    /^(?:if|while|until|elif)\s+(?:!\s+)?(?:\[|test\s)/,
    /^until\s/,
    /^for\s+\w+\s+in\s/,
    /^for\s*\(\(.*\)\)\s*;?\s*(?:do\b|\{)/,
    /^case\s+\S+\s+in(?:\s|$)/,
    /^function\s+[\w-]+\s*\{/,
    /^\[\[?\s+(?:-\w\s|!\s|["$])/,
    /^\.\s+[./~\w]/,
  ].some((form) => form.test(line));
}

/** A first word that is the path of a program. */
function isPath(line: string): boolean {
  const word = /^\S+/.exec(line)?.[0] ?? "";
  return /^(?:\.{1,2}|~)?\/[\w.@+~/-]*[\w.@+~-]$/.test(word) || /^[A-Za-z]:[\\/]/.test(word);
}

const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"'`(){}=]*)[ \t]+)+/;
const WORD = /^[A-Za-z_][\w-]*/;
// What behind a name speaks for JavaScript: operators, calls, members, labels.
const JAVASCRIPT_FOLLOWS =
  /^(?:[.[({`]|\s*[\r\n]\s*(?:[.([=:,]|\?\.)|[ \t]*(?:=|\(|\)|\]|,|:|\?\.|\+\+|[-+*/%&|^<>]=|[+*%^?]\s|-\s|\/\s|(?:in|of|instanceof|as|satisfies|is|extends|implements|from)\b))/;
// What behind an unknown word speaks for a command: an argument, but not one that continues a misspelt
// declaration or function.
const ARGUMENT = /^[ \t]+(?:--?[A-Za-z]|["'$]|(?:\.{1,2}|~)?\/[\w.]|[\w.@~])/;
const DECLARATION =
  /^[ \t]+(?:(?:async|class|const|function|let|new|return|var)\b|[\w$]+[ \t]*(?:[=({:,[]|=>))/;

/** Source that does not parse and begins as a command line does. */
function startsCommand(line: string, source: string, language: CellLanguage): boolean {
  const text = line.replace(/^[$%]\s+(?=\w)/, "").replace(ASSIGNMENTS, "");
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return false;
  const rest = text.slice(word.length);
  if (JAVASCRIPT_FOLLOWS.test(rest)) return false;
  if (language === "typescript" && TYPESCRIPT_WORDS.has(word) && /^\s+[\w$"'{]/.test(rest)) return false;
  if (
    word === "export" &&
    /^\s+(?:const|let|var|function|class|async|default|type|interface|enum|abstract|declare|namespace|import|\*|\{)(?![\w$])/.test(
      rest,
    )
  ) {
    return false;
  }
  if (SHELL_COMMANDS.has(word)) return true;
  if (JAVASCRIPT_WORDS.has(word) || !ARGUMENT.test(rest) || DECLARATION.test(rest)) return false;
  return !new RegExp(`\\b(?:const|let|var|function|class)\\s+${word.replace(/-/g, "\\-")}(?![\\w$])`).test(
    source,
  );
}

/** Source that parses and is a command line all the same. */
async function parsedCommand(line: string, question: ShellQuestion): Promise<boolean> {
  const word = WORD.exec(line)?.[0];
  if (word === undefined || JAVASCRIPT_WORDS.has(word)) return false;
  const rest = line.slice(word.length);
  if (question.language === "typescript" && TYPESCRIPT_WORDS.has(word) && /^\s+[\w$"'{]/.test(rest))
    return false;
  const known = SHELL_COMMANDS.has(word);
  const forms = known
    ? [
        // Alone as a statement, unless the next line goes on with an expression.
        /^[ \t]*(?:;|$|&&?|\|\|?)/,
        /^[ \t]*[\r\n](?!\s*(?:[.([=`:,]|\?\.))/,
        /^[ \t]*(?:>>?|<<?)(?!=)/,
        /^[ \t]+--?\w/,
      ]
    : [/^[ \t]+--?[A-Za-z]/];
  forms.push(/^[ \t]+(?:\.{1,2}|~)?\/[A-Za-z]/);
  if (word === "jq") forms.push(/^[ \t]+\./);
  if (!forms.some((form) => form.test(rest))) return false;
  return !(await question.declares(word.split("-", 1)[0] ?? word));
}
