import { tool } from "../../support/tool.js";
import type { HostileCell } from "../hostile-cell.js";

/** Texts a cell can give to an error as its stack, made to keep busy whoever reads them. */
const stacks: [string, string][] = [
  ["natives without a caller", "'    at f (native)\\n'.repeat(400000)"],
  [
    "natives with callers of ours",
    "'    at f (native)\\n    at x (openclaw-code-mode:user.js:1:99999999)\\n'.repeat(100000)",
  ],
  ["one line of brackets", "'    at ' + 'x('.repeat(200000) + ')'"],
  ["one line of openings", "'    at ' + ' ('.repeat(200000) + 'a:1:1'"],
  ["blanks alone", "' '.repeat(400000) + 'a'"],
  ["lines of blanks", "(' '.repeat(3000) + 'at x (\\n').repeat(300)"],
  ["numbers beyond counting", "'    at f (openclaw-code-mode:user.js:' + '9'.repeat(500) + ':1)'"],
];

/** Names given to whatever looks something up. */
const names: [string, string][] = [
  ["a tool to call", "tools.callValue(name, {})"],
  ["a tool to describe", "tools.describe(name)"],
  ["a search", "catalog.search(name)"],
  ["a search of words", "catalog.search('a b '.repeat(500000))"],
  ["an older search", "tools.search(name)"],
  ["a path to read", "API.read(name)"],
  ["a path to list", "API.list('/'.repeat(400000) + 'x')"],
  ["a saved result", "results.load(name)"],
  ["a stored value", "load(name)"],
  ["a skill", "skills.read(name)"],
  ["a node", "nodes.get(name)"],
];

const explosive = () =>
  tool("explosive", (input) => input, {
    parameters: { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } },
  });

/** Cells that leave the work to the host: a reader, a lookup, a contract. */
export const hostCells: HostileCell[] = [
  ...stacks.map(([name, stack]) => ({
    name: `a stack of ${name}`,
    code: `const e = new Error('marked'); e.stack = ${stack}; throw e;`,
    limits: { timeoutMs: 5_000 },
    fails: "internal_error" as const,
    says: /^Error: marked/,
    wallMs: 4_000,
  })),
  {
    name: "a stack of a catchable refusal under huge function names",
    code: "const n = 'q'.repeat(300000); const o = { async [n]() { return await echo(1); } }; return await o[n]().catch((e) => e.code);",
    tools: () => [tool("echo", (input) => input)],
    value: "input_contract",
    wallMs: 4_000,
  },
  ...names.map(([name, call]) => ({
    name: `a name of megabytes for ${name}`,
    code: `const name = 'x'.repeat(1000000); return await ${call}.then(() => "answered", () => "answered");`,
    tools: () => Array.from({ length: 200 }, (_, i) => tool(`tool_number_${i}`, () => 1)),
    value: "answered",
    wallMs: 4_000,
  })),
  {
    name: "arguments that make a pattern of a contract explode, many at once",
    code: "const s = { text: 'a'.repeat(40) + 'b' }; const r = await Promise.allSettled(Array.from({ length: 60 }, () => explosive(s))); return r.every((x) => x.reason.code === 'input_contract');",
    tools: () => [explosive()],
    limits: { timeoutMs: 10_000 },
    value: true,
    wallMs: 8_000,
  },
  {
    name: "a source of thousands of empty exports",
    code: `${"export {};".repeat(20_000)}return 1;`,
    value: 1,
    wallMs: 4_000,
  },
  {
    name: "a source that uses every name a default export could get",
    code: `var $default;${Array.from({ length: 20_000 }, (_, i) => `var $default${i};`).join("")}export default () => 1;`,
    value: 1,
    wallMs: 4_000,
  },
  {
    name: "a fence behind which only blanks follow",
    code: `\`\`\`${" ".repeat(400_000)}!`,
    fails: "invalid_input",
    wallMs: 4_000,
  },
];
