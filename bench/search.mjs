// catalog.search over 10,000 tools: time to build the catalog and the index, then p50, p95 and p99 of a
// query. Exits 1 when p95 is 5 ms or more. usage: node bench/search.mjs [tools] [queries]
import { tsImport } from "tsx/esm/api";

const { buildCatalog } = await tsImport("../src/catalog/build.ts", import.meta.url);
const [count = 10_000, rounds = 2_000] = process.argv.slice(2).map(Number);

const verbs = "get list create update delete search send read write fetch run schedule cancel inspect".split(
  " ",
);
const nouns =
  "invoice issue calendar event contact shipment message file page image session note order ticket report".split(
    " ",
  );
const places = "github slack billing weather maps crm storage browser mail deploy".split(" ");
const pick = (list, n) => list[n % list.length];

const tools = Array.from({ length: count }, (_, n) => {
  const [verb, noun, place] = [pick(verbs, n), pick(nouns, n >> 2), pick(places, n >> 5)];
  return {
    name: `${place}_${verb}_${noun}_${n}`,
    source: "openclaw",
    owner: place,
    description: `${verb} the ${noun} of a ${pick(places, n * 7)} account, optionally filtered by ${pick(nouns, n * 3)} and date.`,
    parameters: {
      type: "object",
      properties: {
        [`${noun}_id`]: { type: "string", description: `Which ${noun} to ${verb}` },
        limit: { type: "integer" },
      },
      required: [`${noun}_id`],
      additionalProperties: false,
    },
    execute: async () => ({}),
  };
});
const queries = [
  "create an issue on github",
  "what is the weather today",
  "send a message to a channel",
  "openclaw",
  "list invoices of a customer",
  "remind me tomorrow to cancel the order",
  "get",
  "github_get_invoice_0",
  "delete calendar event account date filter",
  "nothing matches zzzzz",
];

const time = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};
let catalog;
const built = time(() => {
  catalog = buildCatalog(tools, { searchDefaultLimit: 8, maxSearchLimit: 50 });
});
const indexed = time(() => catalog.search("first query"));
const times = [];
for (let n = 0; n < rounds; n += 1) {
  times.push(time(() => catalog.search(pick(queries, n), { limit: n % 2 === 0 ? 8 : 50 })));
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
console.log(`${count} tools: catalog ${built.toFixed(0)} ms, index ${indexed.toFixed(0)} ms`);
console.log(
  `query p50 ${at(0.5).toFixed(2)} ms, p95 ${at(0.95).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms`,
);
process.exitCode = at(0.95) < 5 ? 0 : 1;
