import type { CellLanguage } from "../types.js";
import { unwrapExports } from "./default-export.js";
import { createFrameMapper, createLocator } from "./frames.js";
import { readCellRequest } from "./input.js";
import { acceptedByHost, type ParseOutcome, parseJavaScript } from "./javascript.js";
import { findStrayFence, unfence } from "./markdown-fence.js";
import { findModuleAccess, mayTouchModules } from "./module-access.js";
import { type Refusal, refuse, refuseAt, refuseSyntax, syntaxErrorText } from "./refusal.js";
import { findShellCommand } from "./shell.js";
import { isNode, type TreeNode, walk } from "./tree.js";
import type { CellPlaces, PreparedCell, PrepareOutcome, SourceFault } from "./types.js";
import { USER_FILE, USER_FILE_TYPESCRIPT } from "./types.js";
import { findDecorator, transformTypeScript } from "./typescript.js";

export interface PrepareOptions {
  /** Languages a cell may use. */
  languages: readonly CellLanguage[];
  /** The path places should carry. */
  sourceLabel?: string;
}

/**
 * Takes a cell from the arguments of `exec` to code the engine can evaluate, before any worker is asked.
 * The checks come in this order: arguments, shell commands, syntax, module access.
 * @returns the cell, or the reason why it may not run; never rejects for anything in `input`
 */
export async function prepareCell(input: unknown, options: PrepareOptions): Promise<PrepareOutcome> {
  const read = readCellRequest(input);
  if (!read.ok) return refuse(read.error);
  const { request } = read;
  // A byte order mark is no part of the text, and editors do not count it as a column.
  const unfenced = unfence(request.source.replace(/^\ufeff/, ""));
  const language = request.language ?? unfenced.language ?? "javascript";
  if (!options.languages.includes(language)) {
    return refuse(`\`language\` "${language}" is disabled here; enabled: ${options.languages.join(", ")}.`);
  }
  const { source } = unfenced;
  const label = options.sourceLabel ?? (language === "typescript" ? USER_FILE_TYPESCRIPT : USER_FILE);
  if (unfenced.foreign !== undefined) return refuseAt(source, label, unfenced.foreign);
  const checked = language === "typescript" ? await readTypeScript(source) : await readJavaScript(source);
  if (checked.unavailable !== undefined) {
    return refuse(`TypeScript cells cannot be transformed here: ${checked.unavailable}.`);
  }
  const refusal = await judge(checked, source, label, language);
  if (refusal !== undefined) return refusal;
  return { ok: true, cell: await finish(checked, source, label, language, request) };
}

/** What became of a source: code with its faults, and trees only where something asks for them. */
interface Checked {
  code: string;
  mappings?: string;
  /** Set when there is no transformer. */
  unavailable?: string;
  syntax?: SourceFault;
  access?: SourceFault;
  /** The tree of `code`. */
  parse: () => Promise<ParseOutcome>;
}

async function readJavaScript(source: string): Promise<Checked> {
  const parse = once(() => parseJavaScript(source));
  const touchesModules = mayTouchModules(source);
  // `new.target` is fine in the function V8 is given, but not in the arrow function of a cell.
  if (!touchesModules && !/\btarget\b/.test(source) && acceptedByHost(source)) return { code: source, parse };
  const parsed = await parse();
  if ("fault" in parsed) return { code: source, parse, syntax: parsed.fault };
  const access = touchesModules ? findModuleAccess(parsed.tree as unknown as TreeNode) : undefined;
  return { code: source, parse, ...(access === undefined ? {} : { access }) };
}

async function readTypeScript(source: string): Promise<Checked> {
  const result = await transformTypeScript(source);
  if ("unavailable" in result) {
    return { code: "", unavailable: result.unavailable, parse: () => parseJavaScript("") };
  }
  if (!result.ok) {
    return { code: "", syntax: result.fault, parse: () => Promise.resolve({ fault: result.fault }) };
  }
  const { code, mappings, tree } = result;
  const checked = { code, mappings, parse: once(() => parseJavaScript(code)) };
  const access = tree === undefined ? undefined : findModuleAccess(tree);
  if (access !== undefined) return { ...checked, access };
  const decorator = tree === undefined ? undefined : findDecorator(tree);
  if (decorator !== undefined) return { ...checked, syntax: decorator };
  if (acceptedByHost(code)) return checked;
  const parsed = await checked.parse();
  if (!("fault" in parsed)) return checked;
  const offset = createLocator({ code, label: "", mappings, source }).ofCode(parsed.fault.offset);
  return { ...checked, syntax: { offset, text: parsed.fault.text } };
}

async function judge(
  checked: Checked,
  source: string,
  label: string,
  language: CellLanguage,
): Promise<Refusal | undefined> {
  const fence = checked.syntax === undefined ? undefined : findStrayFence(source);
  if (fence !== undefined) return refuseSyntax(source, label, fence);
  const shell = await findShellCommand({
    source,
    language,
    parses: checked.syntax === undefined,
    declares: async (name) => declares(await checked.parse(), name),
  });
  if (shell !== undefined) return refuseAt(source, label, shell);
  if (checked.syntax !== undefined) return refuseSyntax(source, label, checked.syntax);
  if (checked.access !== undefined) return refuseAt(source, label, checked.access);
  return undefined;
}

async function finish(
  checked: Checked,
  source: string,
  label: string,
  language: CellLanguage,
  request: { restartSafe: boolean; title?: string },
): Promise<PreparedCell> {
  const { mappings } = checked;
  const parsed = /\bexport\b/.test(checked.code) ? await checked.parse() : undefined;
  const { code, tail, defaultName } =
    parsed !== undefined && "tree" in parsed
      ? unwrapExports(checked.code, parsed.tree as unknown as TreeNode)
      : { code: checked.code, tail: "", defaultName: undefined };
  const places: CellPlaces = {
    code,
    label,
    source,
    ...(mappings === undefined ? {} : { mappings }),
    ...(defaultName === undefined ? {} : { defaultName }),
  };
  const locator = createLocator(places);
  return {
    code: code + tail,
    language,
    restartSafe: request.restartSafe,
    label,
    ...(request.title === undefined ? {} : { title: request.title }),
    places,
    mapFrames: createFrameMapper(places),
    syntaxError: (message, stack) => {
      const [, line, column] = /:(\d+):(\d+)\)?$/m.exec(stack) ?? [];
      const place = line === undefined ? undefined : locator.ofEngine(Number(line), Number(column));
      return syntaxErrorText(label, place === undefined ? "1:1" : `${place.line}:${place.column}`, message);
    },
  };
}

/** Whether a tree binds `name` as a variable, function or class. */
function declares(parsed: ParseOutcome, name: string): boolean {
  if ("fault" in parsed) return false;
  let found = false;
  const binds = (pattern: unknown): void => {
    if (isNode(pattern))
      walk(pattern, (node) => (found ||= node.type === "Identifier" && node.name === name));
  };
  walk(parsed.tree as unknown as TreeNode, (node) => {
    if (node.type === "VariableDeclarator" || node.type.startsWith("Class")) binds(node.id);
    if (node.type.startsWith("Function")) binds(node.id);
  });
  return found;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
