// Runs in a process of its own: commits five cells to one session store.
import { fileSessionStore } from "../../../src/runtime/bridge/file-session-store.js";
import { desk } from "./harness.js";

const [path, prefix] = process.argv.slice(2) as [string, string];
const { session } = desk([], { store: fileSessionStore(path) });
for (let n = 0; n < 5; n++) {
  const { value, cell } = desk([], { session });
  await value("store.set", `${prefix}${n}`, n);
  await cell.commit();
}
