import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, stringifyMasked } from "../../src/text/redact.js";

describe("the redactor", () => {
  const env = {
    OPENAI_API_KEY: "env-key-value",
    DATABASE_URL: "postgres://user:pa%24sword@db/main",
    PLAIN: "placeholder-value",
    HOME: "/home/someone",
  };
  const config = {
    mcp: {
      servers: {
        a: {
          env: { ANY_NAME: "by-branch-1" },
          args: ["--api-key", "argument-1", "--token=argument-2", "file.txt"],
        },
        b: { url: "https://who:url-password@host/mcp?token=query-token", headers: { "X-Thing": "${PLAIN}" } },
      },
    },
    plugins: { entries: { p: { config: { nested: { anything: "plugin-value" } } } } },
    service: { password: 'quo"ted\\pass', apiToken: "named-token", pin_token: 123_456 },
    timeoutMs: 10_000,
  };
  const redact = createRedactor(env, config, ["explicit-secret"]);

  test.each([
    "env-key-value",
    "pa$sword",
    "placeholder-value",
    "by-branch-1",
    "argument-1",
    "argument-2",
    "url-password",
    "query-token",
    "plugin-value",
    'quo"ted\\pass',
    "named-token",
    "123456",
    "explicit-secret",
  ])("hides %s, as it is, in JSON, in JSON within JSON and in an address", (secret) => {
    const forms = [
      secret,
      JSON.stringify({ a: secret }),
      JSON.stringify({ text: JSON.stringify({ a: secret }) }),
      encodeURIComponent(secret),
    ];
    for (const form of forms) {
      const clean = redact(`before ${form} after`);
      expect(clean).toContain("***");
      for (const other of forms) expect(clean).not.toContain(other);
    }
  });

  test("leaves the rest as it is", () => {
    const line = "request run=cm_1 id=bridge:callValue:1 tool=file.txt path=/home/someone limit=10000";
    expect(redact(line)).toBe(line);
  });

  test("knows the usual forms of tokens", () => {
    for (const token of [
      "Bearer abcdefgh12345678",
      "ghp_abcdefghijklmnop",
      "postgres://me:hunter2@host/db",
    ]) {
      expect(redact(`x ${token} y`)).toContain("***");
    }
    expect(redact("postgres://me:hunter2@host/db")).toBe("postgres://***@host/db");
  });

  test("hides any secret of any text around it", () => {
    const secret = fc
      .string({ minLength: 6, unit: "grapheme" })
      .filter((text) => text.trim().length >= 6 && !"***".includes(text.trim()));
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const hide = createRedactor({ SOME_TOKEN: value }, { tools: { password: value } });
        for (const form of [value, JSON.stringify(value).slice(1, -1)]) {
          expect(
            hide(`${before}\u0000${form}\u0000${after}`.replaceAll("*", "-")).includes(form) &&
              !form.includes("*"),
          ).toBe(false);
        }
      }),
      { seed: 20261130, numRuns: 300 },
    );
  });

  test("masks values under telling names in snapshots", () => {
    const text = stringifyMasked({
      user: "ann",
      apiKey: "zzz",
      nested: [{ sessionToken: 12, tokenUse: { a: 1 } }],
    });
    expect(JSON.parse(text)).toEqual({
      user: "ann",
      apiKey: "***",
      nested: [{ sessionToken: "***", tokenUse: { a: 1 } }],
    });
  });
});
