import { Type as Old } from "@sinclair/typebox";
import { type Static, Type } from "typebox";
import { expect, expectTypeOf, it } from "vitest";
import { type AnyAgentTool, defineToolPlugin, openRecord } from "../../src/sdk/tool-plugin.js";

// What matters here is that `tsc` accepts this file: a missing error under `@ts-expect-error` is an error.
const identity = { id: "typed", name: "Typed", description: "Types flow from the schemas." };

it("infers parameters, settings and context without annotations", () => {
  const entry = defineToolPlugin({
    ...identity,
    configSchema: Type.Object({ key: Type.Optional(Type.String()), size: Type.Integer({ default: 1 }) }),
    tools: (tool) => [
      tool({
        name: "one",
        description: "d",
        parameters: Type.Object({
          city: Type.String(),
          days: Type.Optional(Type.Number()),
          kind: Type.Union([Type.Literal("a"), Type.Literal("b")]),
          extra: openRecord("free keys"),
        }),
        execute(params, config, context) {
          expectTypeOf(params).toEqualTypeOf<{
            city: string;
            days?: number;
            kind: "a" | "b";
            extra: Record<string, unknown>;
          }>();
          expectTypeOf(config).toEqualTypeOf<{ key?: string; size: number }>();
          expectTypeOf(context.signal).toEqualTypeOf<AbortSignal | undefined>();
          expectTypeOf(context.toolCallId).toEqualTypeOf<string>();
          // @ts-expect-error there is no such parameter
          return params.town;
        },
      }),
    ],
  });
  expect(entry.id).toBe("typed");
});

it("holds the result to the output schema", () => {
  const Shipment = Type.Object({ id: Type.String(), tons: Type.Number() }, { additionalProperties: false });
  const parameters = Type.Object({});
  const rest = { description: "d", parameters, outputSchema: Type.Array(Shipment) };
  const stored: readonly Static<typeof Shipment>[] = [];
  defineToolPlugin({
    ...identity,
    tools: (tool) => [
      tool({ ...rest, name: "a", execute: () => [{ id: "x", tons: 1 }] }),
      tool({ ...rest, name: "b", execute: async () => stored }),
      // @ts-expect-error tons is a number
      tool({ ...rest, name: "c", execute: () => [{ id: "x", tons: "1" }] }),
      // @ts-expect-error tons is missing
      tool({ ...rest, name: "d", execute: async () => [{ id: "x" }] }),
      // @ts-expect-error nothing is no list
      tool({ ...rest, name: "f", execute: () => undefined }),
      tool({ name: "g", description: "d", parameters, execute: () => undefined }),
    ],
  });
});

it("types factories, and keeps an output schema off them", () => {
  const made: AnyAgentTool | null = null;
  const parameters = Type.Object({});
  defineToolPlugin({
    ...identity,
    tools: (tool) =>
      [
        tool({
          name: "a",
          description: "d",
          parameters,
          optional: true,
          workspaceAccess: "execute",
          factory({ api, config, toolContext }) {
            expectTypeOf(api.id).toEqualTypeOf<string>();
            expectTypeOf(config).toEqualTypeOf<object>();
            expectTypeOf(toolContext.sandboxed).toEqualTypeOf<boolean | undefined>();
            return toolContext.sandboxed ? null : made;
          },
        }),
        // @ts-expect-error the concrete tool carries the output schema
        tool({ name: "b", description: "d", parameters, outputSchema: parameters, factory: () => null }),
        // @ts-expect-error a tool needs execute or factory
        () => tool({ name: "c", description: "d", parameters }),
      ].slice(0, 1) as never,
  });
});

it("has no settings without a schema, and knows the older TypeBox and plain JSON Schema", () => {
  defineToolPlugin({
    ...identity,
    tools: (tool) => [
      tool({
        name: "a",
        description: "d",
        parameters: Old.Object({ city: Old.String(), days: Old.Optional(Old.Number()) }),
        execute(params, config) {
          expectTypeOf(params).toEqualTypeOf<{ city: string; days?: number }>();
          // @ts-expect-error no settings were declared
          return config.key;
        },
      }),
      tool({
        name: "b",
        description: "d",
        parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const,
        execute: (params) => expectTypeOf(params.n).toEqualTypeOf<number>(),
      }),
    ],
  });
});
