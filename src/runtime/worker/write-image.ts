import { readFileSync, writeFileSync } from "node:fs";
import { boot } from "./boot.js";
import { serializeBooted } from "./booted-image.js";

/** Build step: boots a VM once, so that a worker starts from its image instead of doing that again. */
export function writeBootedImage(enginePath: string, imagePath: string): void {
  const engine = readFileSync(enginePath);
  const hooks = { interrupt: () => false, rejection: () => {}, functions: {} };
  const booted = boot(new WebAssembly.Module(engine), hooks);
  writeFileSync(imagePath, serializeBooted(booted, engine));
}
