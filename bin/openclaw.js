#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
  process.stderr.write(
    `error: openclaw needs Node 20.19, 22.12 or newer; this is ${process.versions.node}\n`,
  );
  process.exit(70);
}
try {
  const { main } = await import("../dist/cli.js");
  await main();
} catch (error) {
  if (error?.code === "ERR_MODULE_NOT_FOUND" && String(error.message).includes("dist")) {
    process.stderr.write("error: openclaw is not built; run `npm run build` in its folder\n");
    process.exit(70);
  }
  throw error;
}
