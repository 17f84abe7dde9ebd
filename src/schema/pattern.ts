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
