import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface WorkerFiles {
  /** Script of the thread. */
  worker: string;
  /** The engine's WebAssembly module. */
  engine: string;
  /** The booted image. */
  image: string;
}

/**
 * Paths of what a cell's thread needs. The worker is a build product, so sources run
 * by a development tool use the one in `dist/`.
 * @throws Error when the project was not built
 */
export function workerFiles(): WorkerFiles {
  const worker = findUpwards(dirname(fileURLToPath(import.meta.url)), join("dist", "worker.cjs"));
  if (worker === undefined) throw new Error("dist/worker.cjs is missing; run: npm run build");
  return {
    worker,
    engine: createRequire(worker).resolve("quickjs-wasi/quickjs.wasm"),
    image: join(dirname(worker), "guest.image"),
  };
}

function findUpwards(from: string, path: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, path);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}
