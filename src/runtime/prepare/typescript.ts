import { messageOf } from "../../errors.js";
import { describeToken } from "./javascript.js";
import { type OxcReply, oxc, TransformFailure } from "./oxc.js";
import { type TreeNode, walk } from "./tree.js";
import type { SourceFault } from "./types.js";
import { unitsOfBytes } from "./utf8-columns.js";

export type TransformOutcome =
  | { ok: true; code: string; mappings: string; tree?: TreeNode }
  | { ok: false; fault: SourceFault }
  | { ok: false; unavailable: string };

// The transformer reads a whole module, where a top-level return is an error; in a cell it is not.
const TOP_LEVEL_RETURN = "A 'return' statement can only be used within a function body.";

/** Words that only the tree of the source can judge: the transformer drops unused and type-only imports. */
const NEEDS_TREE = /import|require|export|\\u|@/;

/**
 * Turns TypeScript into JavaScript with a source map. Types are removed, never checked. The tree comes
 * along when the source holds words that need one.
 */
export async function transformTypeScript(source: string): Promise<TransformOutcome> {
  const mask = maskLoneSurrogates(source);
  let reply: OxcReply;
  try {
    reply = await oxc({ source: mask.text, tree: NEEDS_TREE.test(source) });
  } catch (error) {
    if (error instanceof TransformFailure) return { ok: false, fault: { offset: 0, text: error.message } };
    // The transformer itself is missing or broken here: nothing the author can mend in the source.
    return { ok: false, unavailable: messageOf(error).split("\n", 1)[0] ?? "" };
  }
  const error = reply.errors.find(({ message }) => message !== TOP_LEVEL_RETURN);
  if (error !== undefined) {
    return { ok: false, fault: faultOf(error, mask.text) };
  }
  return {
    ok: true,
    code: mask.restore(reply.code),
    mappings: reply.mappings,
    ...(reply.tree === undefined ? {} : { tree: reply.tree }),
  };
}

/** A diagnostic of the transformer; its labels count UTF-8 bytes. */
function faultOf(error: OxcReply["errors"][number], source: string): SourceFault {
  const redeclared = /already been declared/.test(error.message);
  const label = redeclared ? error.labels.at(-1) : error.labels[0];
  const offset = unitsOfBytes(source, label?.start ?? 0);
  const help = error.helpMessage === null ? "" : ` (${error.helpMessage.replace(/\.$/, "")})`;
  const text = error.message.replace(/\.$/, "").replace(/ but found `EOF`$/, " before the end of the source");
  return { offset, text: describeToken(text, source, offset) + help };
}

/** The first decorator: no engine runs them, and the transformer would leave them standing. */
export function findDecorator(tree: TreeNode): SourceFault | undefined {
  let first: SourceFault | undefined;
  walk(tree, (node) => {
    if (node.type === "Decorator" && (first === undefined || node.start < first.offset)) {
      first = { offset: node.start, text: "decorators do not run in a cell: call the function yourself" };
    }
  });
  return first;
}

interface Mask {
  text: string;
  restore(code: string): string;
}

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The transformer works on UTF-8, where half a surrogate pair would silently become U+FFFD. Private-use
 * characters that the source does not hold stand in for them.
 */
function maskLoneSurrogates(source: string): Mask {
  const lone = new Set(source.match(LONE));
  if (lone.size === 0) return { text: source, restore: (code) => code };
  const standIns = new Map<string, string>();
  let next = 0xe000;
  for (const half of lone) {
    while (source.includes(String.fromCharCode(next))) next += 1;
    standIns.set(half, String.fromCharCode(next));
    next += 1;
  }
  const halves = new Map([...standIns].map(([half, standIn]) => [standIn, half]));
  return {
    text: source.replace(LONE, (half) => standIns.get(half) ?? half),
    restore: (code) => code.replace(/[\ue000-\uf8ff]/g, (unit) => halves.get(unit) ?? unit),
  };
}
