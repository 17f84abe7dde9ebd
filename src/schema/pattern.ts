/**
 * A JSON Schema `pattern` as a regular expression: in Unicode mode as the standard asks, and without it
 * for patterns that only exist there (`[\w-.]`, `\-`). Throws a `SyntaxError` when neither reads it.
 */
export function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/**
 * Patterns meant to match every property name, as TypeBox writes a record of strings. Taken literally
 * some miss names with line breaks; here they do not.
 */
export const CATCH_ALL: ReadonlySet<string> = new Set(["", "^", ".*", "^.*", ".*$", "^.*$", "^(.*)$"]);
