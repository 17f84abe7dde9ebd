import { writePlugin } from "./plugin-project.js";

/** Tools of the plugin that tests of serving use: see the entry. */
export const DESK_TOOLS = ["desk_add", "desk_slow", "desk_secret", "desk_photo", "desk_fail", "desk_note"];

const ENTRY = `import { appendFileSync } from "node:fs";
const note = (line) => process.env.DESK_JOURNAL && appendFileSync(process.env.DESK_JOURNAL, line + "\\n");
const object = (properties = {}, required = []) => ({ type: "object", properties, required, additionalProperties: false });
const number = { type: "number" };
const sleep = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener("abort", () => { clearTimeout(timer); note("aborted"); reject(new Error("aborted")); });
});
export default {
  id: "desk", name: "Desk",
  register(api) {
    const tool = (name, description, parameters, execute, more = {}) =>
      api.registerTool({ name, label: name, description, parameters, execute, ...more }, more.registration);
    tool("desk_add", "Adds two numbers.", object({ a: number, b: number }, ["a", "b"]),
      async (id, { a, b }) => { console.log("desk_add runs"); return { content: [], details: { sum: a + b } }; },
      { outputSchema: object({ sum: number }, ["sum"]) });
    tool("desk_slow", "Answers after some time.", object({ ms: number }, ["ms"]),
      async (id, { ms }, signal, onUpdate) => { note("slow"); onUpdate?.({ content: [], details: { at: "half" } }); await sleep(ms, signal); note("done"); return { content: [], details: { waited: ms } }; });
    tool("desk_secret", "Must stay in the drawer.", object(), async () => { note("secret"); return { content: [], details: { drawer: "open" } }; });
    tool("desk_photo", "Takes a photo.", object(),
      async () => ({ content: [{ type: "image", data: "aGk=", mimeType: "image/png" }], details: { width: 1 } }),
      { catalogMode: "direct-only" });
    tool("desk_fail", "Fails with what it is told.", object({ text: { type: "string" } }, ["text"]),
      async (id, { text }) => { throw new Error(text); });
    tool("desk_note", "Echoes.", object({ text: { type: "string" } }, ["text"]),
      async (id, { text }) => ({ content: [], details: { text } }));
  },
};
`;

/** Writes the plugin `desk` into `dir`. */
export function writeDesk(dir: string): string {
  return writePlugin(dir, { id: "desk", entry: ENTRY, tools: DESK_TOOLS });
}
