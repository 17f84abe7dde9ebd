import { describe, expect, it } from "vitest";
import {
  defineToolPlugin,
  getToolPluginMetadata,
  openRecord,
  ToolArgumentValidationError,
  ToolPluginDefinitionError,
  toolPluginMetadataSymbol,
} from "../../src/sdk/tool-plugin.js";
import { jsonResult, textResult } from "../../src/sdk/tool-results.js";

const identity = { id: "p", name: "P", description: "d" };
const parameters = { type: "object", properties: {} } as const;

/** What a plugin registers, with the options beside it. */
function registered(entry: { register(api: any): void }, pluginConfig?: Record<string, unknown>) {
  const calls: { tool: any; options: any }[] = [];
  const api = { pluginConfig, registerTool: (tool: any, options: any) => calls.push({ tool, options }) };
  entry.register(api);
  return { calls, api };
}

describe("defineToolPlugin", () => {
  it("keeps its metadata under the global symbol, out of sight", () => {
    const outputSchema = { type: "string" } as const;
    const entry = defineToolPlugin({
      ...identity,
      tools: (tool) => [
        tool({ name: "a", description: "A.", parameters, outputSchema, execute: () => "x" }),
        tool({ name: "b", label: "Bee", description: "B.", parameters, optional: true, factory: () => null }),
        tool({ name: "c", description: "C.", parameters, workspaceAccess: false, execute: () => 1 }),
      ],
    });
    expect(toolPluginMetadataSymbol).toBe(Symbol.for("openclaw.plugin-sdk.tool-plugin.metadata"));
    expect(Object.keys(entry)).toEqual(["id", "name", "description", "configSchema", "register"]);
    expect(getToolPluginMetadata(entry)).toEqual({
      ...identity,
      activation: { onStartup: true },
      configSchema: { type: "object", additionalProperties: false, properties: {} },
      tools: [
        { name: "a", label: "a", description: "A.", parameters, outputSchema },
        { name: "b", label: "Bee", description: "B.", parameters, optional: true },
        { name: "c", label: "c", description: "C.", parameters, workspaceAccess: false },
      ],
    });
    for (const other of [undefined, null, 1, "x", {}, [], () => {}]) {
      expect(getToolPluginMetadata(other)).toBeUndefined();
    }
  });

  it("calls `tools` once, when the plugin is defined", () => {
    let calls = 0;
    const entry = defineToolPlugin({
      ...identity,
      tools: () => {
        calls += 1;
        return [];
      },
    });
    registered(entry);
    registered(entry);
    expect(calls).toBe(1);
  });

  it("registers static tools with their options, and factories by name", async () => {
    const made = { name: "b" };
    const entry = defineToolPlugin({
      ...identity,
      tools: (tool) => [
        tool({
          name: "a",
          description: "A.",
          parameters,
          execute: (_params, config, context) => ({ config, id: context.toolCallId }),
        }),
        tool({
          name: "b",
          description: "B.",
          parameters,
          optional: true,
          factory: (context) => ({ ...made, context }) as never,
        }),
      ],
    });
    const { calls, api } = registered(entry, { key: "k" });
    expect(calls.map(({ options }) => options)).toEqual([undefined, { name: "b", optional: true }]);
    expect(calls[0]!.tool).toMatchObject({ name: "a", label: "a", description: "A.", parameters });
    expect((await calls[0]!.tool.execute("call-1", {})).details).toEqual({
      config: { key: "k" },
      id: "call-1",
    });
    const toolContext = { sandboxed: true };
    expect(calls[1]!.tool(toolContext)).toEqual({
      name: "b",
      context: { api, config: { key: "k" }, toolContext },
    });
  });
});

describe("what execute returns", () => {
  const run = async (value: unknown) => {
    const entry = defineToolPlugin({
      ...identity,
      tools: (tool) => [tool({ name: "t", description: "d", parameters, execute: () => value })],
    });
    return registered(entry).calls[0]!.tool.execute("id", {});
  };

  for (const [title, value, text, details] of [
    ["a string", "as it is", "as it is", "as it is"],
    ["an empty string", "", "", ""],
    ["an object", { a: [1] }, '{\n  "a": [\n    1\n  ]\n}', { a: [1] }],
    ["a number", 3, "3", 3],
    ["false", false, "false", false],
    ["null", null, "null", null],
    ["nothing", undefined, "null", null],
    ["a promise", Promise.resolve({ ok: true }), '{\n  "ok": true\n}', { ok: true }],
  ] as const) {
    it(`wraps ${title}`, async () => {
      expect(await run(value)).toEqual({ content: [{ type: "text", text }], details });
    });
  }

  it("keeps the original value in details", async () => {
    const value = { when: new Date(0) };
    expect((await run(value)).details).toBe(value);
  });

  it("names the tool when JSON cannot hold the value", async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    for (const value of [1n, { n: 1n }, cyclic, () => {}, Symbol("s")]) {
      await expect(run(value)).rejects.toThrow(/tool "t" returned a .*JSON cannot hold/);
    }
  });

  it("passes what execute throws on unchanged", async () => {
    const error = new Error("mine");
    const entry = defineToolPlugin({
      ...identity,
      tools: (tool) => [
        tool({
          name: "t",
          description: "d",
          parameters,
          execute: () => {
            throw error;
          },
        }),
      ],
    });
    await expect(registered(entry).calls[0]!.tool.execute("id", {})).rejects.toBe(error);
  });
});

describe("a malformed definition", () => {
  const tool = { name: "t", description: "d", parameters, execute: () => 1 };
  const define = (change: object) => () =>
    defineToolPlugin({ ...identity, tools: () => [], ...change } as never);
  const withTools = (...tools: unknown[]) => define({ tools: () => tools });

  for (const [title, make, message] of [
    [
      "no definition",
      () => defineToolPlugin(undefined as never),
      "definition must be an object, not undefined",
    ],
    ["no id", define({ id: undefined }), "id must be a string, not undefined"],
    ["a blank id", define({ id: "  " }), "id must not be blank"],
    ["a name that is no text", define({ name: 3 }), "name must be a string, not a number"],
    ["no description", define({ description: undefined }), "description must be a string"],
    [
      "an activation that is no object",
      define({ activation: [] }),
      "activation must be an object, not an array",
    ],
    ["a schema that is no object", define({ configSchema: "x" }), "configSchema must be a schema object"],
    [
      "tools that are no function",
      define({ tools: [] }),
      "tools must be a function that returns a list of tools, not an array",
    ],
    ["no list of tools", define({ tools: () => undefined }), "tools must return an array, not undefined"],
    [
      "a promise of tools",
      define({ tools: async () => [] }),
      "tools must return its list at once, not a promise",
    ],
    ["a tool that is null", withTools(null), 'tool "#0": definition must be an object, not null'],
    ["a tool without a name", withTools({ ...tool, name: undefined }), 'tool "#0": name must be a string'],
    ["an empty name", withTools({ ...tool, name: "" }), 'tool "#0": name must not be blank'],
    ["the same name twice", withTools(tool, tool), 'tool "t": name is used twice (tools #0 and #1)'],
    [
      "no tool description",
      withTools({ ...tool, description: undefined }),
      'tool "t": description must be a string',
    ],
    [
      "no parameters",
      withTools({ ...tool, parameters: undefined }),
      'tool "t": parameters must be a schema object, not undefined',
    ],
    [
      "an output schema that is a string",
      withTools({ ...tool, outputSchema: "x" }),
      'tool "t": outputSchema must be a schema object',
    ],
    [
      "no execute",
      withTools({ ...tool, execute: undefined }),
      'tool "t": execute is missing; define execute or factory',
    ],
    [
      "execute that is no function",
      withTools({ ...tool, execute: "x" }),
      'tool "t": execute must be a function, not a string',
    ],
    [
      "execute and factory",
      withTools({ ...tool, factory: () => null }),
      'tool "t": factory stands beside execute',
    ],
    [
      "an output schema on a factory",
      withTools({ ...tool, execute: undefined, factory: () => null, outputSchema: {} }),
      'tool "t": outputSchema does not belong on a factory tool',
    ],
    [
      "optional that is text",
      withTools({ ...tool, optional: "yes" }),
      'tool "t": optional must be true or false',
    ],
    [
      "an unknown workspace access",
      withTools({ ...tool, workspaceAccess: "write" }),
      'tool "t": workspaceAccess must be',
    ],
  ] as const) {
    it(`is refused, naming tool and field: ${title}`, () => {
      expect(make).toThrow(ToolPluginDefinitionError);
      expect(make).toThrow(message);
    });
  }

  it("is refused with everything that is wrong, not only the first", () => {
    try {
      define({ id: "", tools: () => [{}, tool, tool] })();
      expect.unreachable();
    } catch (error) {
      const { problems } = error as ToolPluginDefinitionError;
      expect(problems.map((problem) => `${problem.tool ?? ""}.${problem.field}`)).toEqual([
        ".id",
        "#0.name",
        "#0.description",
        "#0.parameters",
        "#0.execute",
        "t.name",
      ]);
    }
  });
});

describe("the configuration schema", () => {
  const { configSchema } = defineToolPlugin({
    ...identity,
    configSchema: {
      type: "object",
      additionalProperties: false,
      required: ["key", "size"],
      properties: { key: { type: "string" }, size: { type: "integer", default: 5 } },
    } as const,
    tools: () => [],
  });

  it("fills defaults in a copy", () => {
    const given = { key: "k" };
    expect(configSchema.safeParse(given)).toEqual({ success: true, data: { key: "k", size: 5 } });
    expect(given).toEqual({ key: "k" });
  });

  it("says what is wrong and where", () => {
    const issues = (value: unknown) => {
      const result = configSchema.safeParse(value);
      return result.success ? [] : result.error.issues;
    };
    expect(issues(undefined)).toEqual([{ path: [], message: "must be object" }]);
    expect(issues({ key: 1, a: 2 })).toEqual([
      { path: [], message: 'must not have additional properties: "a"' },
      { path: ["key"], message: "must be string" },
    ]);
  });

  it("takes nothing where none is declared", () => {
    const none = defineToolPlugin({ ...identity, tools: () => [] }).configSchema;
    expect(none.safeParse({})).toEqual({ success: true, data: {} });
    expect(none.safeParse({ a: 1 }).success).toBe(false);
  });
});

describe("the rest of the SDK", () => {
  it("openRecord stays open for every provider", () => {
    expect(openRecord("Free keys.")).toEqual({
      type: "object",
      additionalProperties: true,
      description: "Free keys.",
    });
    expect(openRecord(undefined, { minProperties: 1 })).toEqual({
      type: "object",
      additionalProperties: true,
      minProperties: 1,
    });
  });

  it("ToolArgumentValidationError is classed by hosts without being an instance of theirs", () => {
    const error = new ToolArgumentValidationError("Expected an object.");
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "ToolArgumentValidationError",
      errorKind: "argument-validation",
      message: "Expected an object.",
    });
  });

  it("textResult and jsonResult", () => {
    expect(textResult("hi")).toEqual({ content: [{ type: "text", text: "hi" }] });
    expect(textResult("hi", { n: 1 })).toEqual({
      content: [{ type: "text", text: "hi" }],
      details: { n: 1 },
    });
    expect(jsonResult([1])).toEqual({ content: [{ type: "text", text: "[\n  1\n]" }], details: [1] });
  });
});
