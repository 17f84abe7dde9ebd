import { describe, expect, it } from "vitest";
import { checkConfigText } from "../../src/config/config.js";
import { LIMIT_NAMES, LIMIT_RULES, resolveLimits } from "../../src/config/limits.js";
import { codeModeSettings } from "../../src/config/settings.js";

/** The documented table, written out so that a change of the rules is noticed. */
const TABLE: Record<string, [fallback: number, min: number, max: number]> = {
  timeoutMs: [10_000, 100, 60_000],
  memoryLimitBytes: [67_108_864, 1_048_576, 1_073_741_824],
  maxOutputBytes: [65_536, 1_024, 10_485_760],
  maxSnapshotBytes: [10_485_760, 1_024, 268_435_456],
  maxPendingToolCalls: [16, 1, 128],
  snapshotTtlSeconds: [900, 1, 86_400],
  searchDefaultLimit: [8, 1, 50],
  maxSearchLimit: [50, 1, 50],
  mcpStartMs: [5_000, 100, 600_000],
};

describe("limits", () => {
  it("are exactly these", () => {
    expect(LIMIT_NAMES.toSorted()).toEqual(Object.keys(TABLE).toSorted());
    for (const name of LIMIT_NAMES) {
      const { default: fallback, min, max } = LIMIT_RULES[name];
      expect([name, fallback, min, max]).toEqual([name, ...(TABLE[name] as number[])]);
    }
  });

  it.each(Object.entries(TABLE))("%s has its default and clamps", async (name, [fallback, min, max]) => {
    const used = (value: unknown): number =>
      codeModeSettings({ tools: { codeMode: { [name]: value } as any } }).limits[name as "timeoutMs"];
    expect(codeModeSettings({}).limits[name as "timeoutMs"]).toBe(fallback);
    for (const [asked, expected] of [
      [min - 1, min],
      [min, min],
      [min + 1, Math.min(min + 1, max)],
      [max - 1, Math.max(max - 1, min)],
      [max, max],
      [max + 1, max],
      [-5, min],
      [0, min],
    ] as const) {
      // The default number of results can never pass the most that may be asked for.
      expect([asked, used(asked)]).toEqual([asked, expected]);
      const { issues } = await checkConfigText(
        JSON.stringify({ tools: { codeMode: { [name]: asked } } }),
        "f",
      );
      expect(issues.map(({ level }) => level)).toEqual(asked < min || asked > max ? ["warning"] : []);
    }
    // In the library an unusable value falls back instead.
    for (const value of [0, -1, 1.5, Number.NaN, "5", null, undefined]) {
      expect(resolveLimits({ [name]: value })[name as "timeoutMs"]).toBe(fallback);
    }
  });

  it("keep the default number of results under the maximum", () => {
    const { limits } = codeModeSettings({
      tools: { codeMode: { searchDefaultLimit: 20, maxSearchLimit: 5 } },
    });
    expect(limits).toMatchObject({ searchDefaultLimit: 5, maxSearchLimit: 5 });
  });
});

describe("settings of an agent", () => {
  const config = {
    tools: { codeMode: { timeoutMs: 2_000, maxOutputBytes: 4_096, languages: ["javascript"] } },
    agents: {
      list: [
        { id: "ops", tools: { codeMode: { timeoutMs: 3_000 } } },
        { id: "off", tools: { codeMode: false } },
      ],
    },
  };

  it("win over those of the file, field by field", () => {
    expect(codeModeSettings(config, { agentId: "ops" })).toMatchObject({
      enabled: "auto",
      enabledFrom: "default",
      limitSettings: { timeoutMs: 3_000, maxOutputBytes: 4_096 },
      languages: ["javascript"],
    });
    expect(codeModeSettings(config).limits.timeoutMs).toBe(2_000);
  });

  it("may be a plain switch, with the file's limits behind it", () => {
    const { enabled, limits } = codeModeSettings(config, { agentId: "off" });
    expect({ enabled, timeoutMs: limits.timeoutMs }).toEqual({ enabled: false, timeoutMs: 2_000 });
  });

  it("are not needed for the agent every installation has", () => {
    expect(codeModeSettings({}, { agentId: "main" }).enabled).toBe("auto");
    expect(() => codeModeSettings(config, { agentId: "opps" })).toThrow("no agent `opps`");
  });

  it("allow both languages unless told otherwise", () => {
    expect(codeModeSettings({}).languages).toEqual(["javascript", "typescript"]);
  });
});
