// Created once: a collator costs far more than a comparison, and its locale is fixed, so that the same
// tools give the same bytes on every machine.
const collator = new Intl.Collator("en");

/**
 * Order of names a person or a model sees: English collation, then code units, so that names which
 * differ only in characters collation ignores still have one order.
 */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || compareCodeUnits(a, b);
}

/** Order of files and of keys inside generated files. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
