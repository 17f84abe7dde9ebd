import type { Static, TSchema } from "typebox";

/**
 * The TypeScript type a schema stands for: TypeBox 1.x schemas, plain JSON Schema literals (`as const`),
 * and schemas of `@sinclair/typebox` 0.x, which carry their type in a `static` member.
 */
export type InferSchema<Schema> =
  // `any` would walk every branch of TypeBox's own inference: a second of compile time for nothing.
  0 extends 1 & Schema
    ? Schema
    : Schema extends { static: infer Old; params: unknown[] }
      ? Old
      : Schema extends TSchema
        ? Static<Schema>
        : unknown;

/** `Value`, read-only at every level: what a tool may return where a schema promises `Value`. */
export type Returnable<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Returnable<Value[Key]> }
  : Value;

export type MaybePromise<Value> = Value | Promise<Value>;
