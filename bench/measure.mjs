// Interleaved whole-process timing: every round runs each command once, so that noise of the machine hits all alike.
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * @param {{name: string, args: string[], cwd?: string, env?: object, base?: string, most?: number}[]} commands
 *   `args` behind `node`; `base` names the command to divide by (the first by default); `most` is the promised ratio
 * @param {number} rounds runs of each
 * @returns rows with medians in ms and ratios
 */
export function measure(commands, rounds = 5) {
  const times = new Map(commands.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, args, cwd, env } of commands) {
      const from = performance.now();
      const run = spawnSync(process.execPath, args, {
        cwd,
        env: { ...process.env, ...env },
        encoding: "utf8",
      });
      const took = performance.now() - from;
      if (run.status !== 0) throw new Error(`${name} exited with ${run.status}:\n${run.stdout}${run.stderr}`);
      // The first round warms the file cache and does not count.
      if (round >= 0) times.get(name).push(took);
    }
  }
  const medians = new Map([...times].map(([name, list]) => [name, median(list)]));
  return commands.map(({ name, base, most }) => {
    const by = base ?? commands[0].name;
    return { name, ms: medians.get(name), ratio: medians.get(name) / medians.get(by), base: by, most };
  });
}

export function printTable(rows) {
  const lines = rows.map(({ name, ms, ratio, base, most }) => [
    name,
    `${ms.toFixed(0)} ms`,
    `${ratio.toFixed(2)} x ${base}`,
    most === undefined ? "" : ratio <= most ? `<= ${most} ok` : `> ${most} MISSED`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
  return rows.every(({ ratio, most }) => most === undefined || ratio <= most);
}
