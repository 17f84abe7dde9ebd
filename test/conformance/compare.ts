/** Why `actual` is not what a golden result says, or undefined when it is. */
export function difference(expected: unknown, actual: unknown, path = "$"): string | undefined {
  if (isRecord(expected)) {
    const placeholder = judgePlaceholder(expected, actual, path);
    if (placeholder !== "none") return placeholder;
    if (!isRecord(actual)) return `${path}: ${show(actual)} instead of an object`;
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (!Object.hasOwn(expected, key)) return `${path}.${key}: not expected`;
      if (!Object.hasOwn(actual, key)) return `${path}.${key}: missing`;
      const inner = difference(expected[key], actual[key], `${path}.${key}`);
      if (inner !== undefined) return inner;
    }
    // A record with stand-ins was put together by hand; only real ones keep their order.
    if (Object.values(expected).some(isStandIn)) return undefined;
    const order = (record: object): string => Object.keys(record).join();
    return order(expected) === order(actual) ? undefined : `${path}: keys in order ${order(actual)}`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path}: ${show(actual)} instead of an array`;
    if (actual.length !== expected.length) return `${path}: ${show(actual)} instead of ${show(expected)}`;
    for (const [index, item] of expected.entries()) {
      const inner = difference(item, actual[index], `${path}[${index}]`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (expected === "<resultId>") {
    return /^result_[0-9a-f-]{36}$/.test(String(actual))
      ? undefined
      : `${path}: ${show(actual)} is no result id`;
  }
  if (typeof expected === "string" && typeof actual === "string") {
    return normalisePlaces(expected) === normalisePlaces(actual)
      ? undefined
      : `${path}: ${show(actual)} instead of ${show(expected)}`;
  }
  return Object.is(expected, actual) ? undefined : `${path}: ${show(actual)} instead of ${show(expected)}`;
}

/** Judges one of the `$…` stand-ins; "none" when `expected` is ordinary data. */
function judgePlaceholder(
  expected: Record<string, unknown>,
  actual: unknown,
  path: string,
): string | undefined | "none" {
  if (Array.isArray(expected.$message)) {
    const fragments = expected.$message as string[];
    if (typeof actual !== "string" || actual === "") return `${path}: ${show(actual)} instead of a message`;
    const missing = fragments.filter((fragment) => !actual.includes(fragment));
    return missing.length === 0 ? undefined : `${path}: ${show(actual)} lacks ${show(missing)}`;
  }
  if (isRecord(expected.$truncated)) {
    return judgeMarker(expected.$truncated.totalBytes as number, actual, path);
  }
  if (isRecord(expected.$savedReference)) {
    const reference = isRecord(actual) && actual.truncated === true ? actual.reference : undefined;
    if (!isRecord(reference)) return `${path}: ${show(actual)} is no saved reference`;
    for (const [key, value] of Object.entries(expected.$savedReference)) {
      if (reference[key] !== value) return `${path}.reference.${key}: ${show(reference[key])}`;
    }
    return undefined;
  }
  if (expected.$string === true) return typeof actual === "string" ? undefined : `${path}: not a string`;
  if (expected.$number === true) return typeof actual === "number" ? undefined : `${path}: not a number`;
  if (expected.$declaration === true) {
    return typeof actual === "string" && actual !== "" ? undefined : `${path}: not a declaration`;
  }
  return "none";
}

function judgeMarker(totalBytes: number, actual: unknown, path: string): string | undefined {
  if (!isRecord(actual) || actual.truncated !== true || typeof actual.prefix !== "string") {
    return `${path}: ${show(actual)} is no truncation marker`;
  }
  const total = Buffer.byteLength(actual.prefix) + Number(actual.omittedBytes);
  if (total !== totalBytes) return `${path}: prefix and omitted bytes make ${total}, not ${totalBytes}`;
  if (!actual.prefix.isWellFormed()) return `${path}: the prefix splits a character`;
  return undefined;
}

/** Places under any label of a cell's source compare as one. */
function normalisePlaces(text: string): string {
  return text.replace(/openclaw-code-mode:user\.[jt]s:/g, "openclaw-code-mode:user.js:");
}

function isStandIn(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).some((key) => key.startsWith("$"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
