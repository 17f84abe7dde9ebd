import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";
import { type PreparedCell, USER_FILE } from "../../../src/runtime/prepare/types.js";

const wasm = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));

export type Ran = { value: unknown } | { error: string };

/** Evaluates a prepared cell as its contract says, in a bare engine; errors come with mapped frames. */
export async function evaluate(cell: PreparedCell): Promise<Ran> {
  const vm = await QuickJS.create({ wasm, maxStackSize: 262_144 });
  try {
    vm.evalCode(
      `globalThis.settle = (run) => {
        run().then(
          (value) => { globalThis.outcome = JSON.stringify({ value: value === undefined ? null : value }); },
          (error) => {
            globalThis.outcome = JSON.stringify(
              error instanceof Error
                ? { header: error.message === "" ? error.name : error.name + ": " + error.message, stack: error.stack }
                : { header: String(error), stack: "" },
            );
          },
        );
      };`,
      "openclaw-code-mode:controller.js",
    ).dispose();
    vm.setProp(vm.global, "run", vm.evalCode(`(async () => {\n${cell.code}\n})`, USER_FILE));
    vm.evalCode("settle(run)", "openclaw-code-mode:controller.js").dispose();
    vm.executePendingJobs();
    const text = vm.evalCode("String(globalThis.outcome)", "openclaw-code-mode:controller.js").toString();
    if (text === "undefined") return { error: "pending" };
    const outcome = JSON.parse(text) as { value?: unknown; header?: string; stack?: string };
    if (outcome.header === undefined) return { value: outcome.value };
    const frames = cell.mapFrames(outcome.stack ?? "");
    return { error: frames === "" ? outcome.header : `${outcome.header}\n${frames}` };
  } finally {
    vm.dispose();
  }
}
