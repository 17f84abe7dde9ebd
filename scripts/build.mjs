// Bundles the command line (one lazy chunk a command), the guest worker and the SDK into dist/.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const stampFile = join(dist, ".build-stamp");

/** Hash of everything the build reads, so that an unchanged tree is not built again. */
function inputHash() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(path.slice(root.length)).update(readFileSync(path));
  for (const name of ["package.json", "package-lock.json", "tsconfig.json", "scripts/build.mjs"]) {
    if (existsSync(join(root, name))) add(join(root, name));
  }
  const entries = readdirSync(join(root, "src"), { withFileTypes: true, recursive: true });
  for (const entry of entries
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath ?? e.path, e.name))
    .sort()) {
    add(entry);
  }
  return hash.digest("hex");
}

// CommonJS dependencies call require for Node's own modules, and some ask for their own file name.
const COMMONJS_BANNER =
  "import { createRequire as __cr } from 'node:module'; import { fileURLToPath as __fp } from 'node:url'; const require = __cr(import.meta.url), __bundledFile = __fp(import.meta.url), __bundledDir = __fp(new URL('.', import.meta.url));";

/** Takes the banner from the chunks that need none: evaluated in every chunk it costs each command milliseconds. */
function stripBanners(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".js")) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const text = readFileSync(path, "utf8");
    if (!text.startsWith(COMMONJS_BANNER)) continue;
    const body = text.slice(COMMONJS_BANNER.length).trimStart();
    if (!/\brequire\b|__bundledFile|__bundledDir/.test(body)) writeFileSync(path, body);
  }
}

/** Builds unless dist/ already matches the sources; answers whether it built. */
export async function build({ force = false } = {}) {
  const hash = inputHash();
  if (!force && existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return false;
  const { build: bundle } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });

  const shared = {
    bundle: true,
    platform: "node",
    target: "node20.19",
    sourcemap: false,
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: root,
    define: { OPENCLAW_VERSION: JSON.stringify(version) },
    // Native or very large packages stay packages; everything else is bundled for start-up time.
    external: ["quickjs-wasi", "oxc-parser", "oxc-transform", "typescript", "typebox", "tsx", "jiti"],
  };
  const esm = {
    ...shared,
    format: "esm",
    define: { ...shared.define, __filename: "__bundledFile", __dirname: "__bundledDir" },
    banner: { js: COMMONJS_BANNER },
  };
  const sdkEntries = readdirSync(join(root, "src/sdk")).filter((name) => name.endsWith(".ts"));
  const [sdk] = await Promise.all([
    bundle({
      ...esm,
      entryPoints: sdkEntries.map((name) => `src/sdk/${name}`),
      outdir: "dist/sdk",
      splitting: true,
      chunkNames: "shared/[name]-[hash]",
      metafile: true,
    }),
    bundle({
      ...esm,
      entryPoints: { cli: "src/cli.ts" },
      outdir: "dist",
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      minifySyntax: true,
      minifyWhitespace: true,
    }),
    ...threadEntries(bundle).map((entry) => bundle({ ...esm, ...entry })),
    promisify(execFile)(process.execPath, [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      join(root, "tsconfig.sdk.json"),
    ]).catch((error) => {
      throw new Error(`SDK types do not compile:\n${error.stdout || error.message}`);
    }),
  ]);
  stripBanners(join(dist, "chunks"));
  stripBanners(join(dist, "sdk"));
  writeFileSync(join(dist, "sdk/index.json"), JSON.stringify(sdkIndex(sdk.metafile)));
  if (existsSync(join(root, "src/templates"))) {
    cpSync(join(root, "src/templates"), join(dist, "templates"), { recursive: true });
  }
  mkdirSync(join(dist, "check"));
  cpSync(join(root, "src/check/guest-globals.d.ts"), join(dist, "check/guest-globals.d.ts"));
  await writeBootedImage(bundle, shared);
  writeFileSync(stampFile, hash);
  return true;
}

/** Which names each SDK module exports, by subpath: what an import of a plugin may ask for. */
function sdkIndex(metafile) {
  const index = {};
  for (const { entryPoint, exports } of Object.values(metafile.outputs)) {
    if (entryPoint === undefined) continue;
    const name = entryPoint.slice("src/sdk/".length, -".ts".length);
    index[`plugin-sdk/${name}`] = { file: `${name}.js`, exports };
  }
  index["plugin-sdk"] = index["plugin-sdk/core"];
  return index;
}

/** Scripts that run in threads or processes of their own and so need files of their own; CommonJS starts faster. */
function threadEntries(bundle) {
  return [
    ["src/runtime/worker.ts", "dist/worker.cjs"],
    ["src/plugin/load/sdk-hooks-thread.ts", "dist/sdk-hooks.js"],
    ["src/plugin/load/watchdog-thread.ts", "dist/watchdog.cjs"],
    ["src/plugin/install/check-entry-child.ts", "dist/check-entry.js"],
  ]
    .filter(([source]) => existsSync(join(root, source)))
    .map(([source, outfile]) => ({
      entryPoints: [source],
      outfile,
      minifySyntax: true,
      minifyWhitespace: true,
      ...(outfile.endsWith(".cjs") ? { format: "cjs", banner: {}, define: {} } : {}),
      plugins: [guestSource(bundle)],
    }));
}

/** Boots the cell engine once and keeps its memory, so that starting a worker is reading a file. */
async function writeBootedImage(bundle, shared) {
  const outfile = join(dist, "write-image.mjs");
  await bundle({
    ...shared,
    format: "esm",
    entryPoints: ["src/runtime/worker/write-image.ts"],
    outfile,
    plugins: [guestSource(bundle)],
  });
  const { writeBootedImage: write } = await import(`${pathToFileURL(outfile).href}?${Date.now()}`);
  const engine = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  write(engine, join(dist, "guest.image"));
  rmSync(outfile);
}

/** `guest:source`: the controller that runs inside the VM, bundled into one expression. */
function guestSource(bundle) {
  return {
    name: "guest-source",
    setup(build) {
      build.onResolve({ filter: /^guest:source$/ }, ({ path }) => ({ path, namespace: "guest" }));
      build.onLoad({ filter: /.*/, namespace: "guest" }, async () => {
        const { outputFiles } = await bundle({
          bundle: true,
          write: false,
          format: "iife",
          globalName: "guest",
          target: "esnext",
          legalComments: "none",
          minifySyntax: true,
          minifyWhitespace: true,
          absWorkingDir: root,
          entryPoints: ["src/runtime/guest/index.ts"],
        });
        const text = outputFiles[0].text.trimEnd();
        return { contents: `(() => {"use strict";${text}\nreturn guest.boot;})()`, loader: "text" };
      });
    },
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const built = await build({ force: process.argv.includes("--force") });
  if (built) process.stdout.write("built dist/\n");
}
