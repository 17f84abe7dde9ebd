// Vitest global setup: tests that start the built command line need dist/ to match the sources.
export async function setup(): Promise<void> {
  // @ts-expect-error a plain script without types
  const { build } = await import("../../scripts/build.mjs");
  await build();
}
