// Its locale is fixed, so that the same tools give the same bytes on every machine. Made when it is first needed
// and kept: it costs milliseconds, far more than a comparison.
let collator: Intl.Collator | undefined;

/**
 * Order of names a person or a model sees: English collation, then code units, so that names which
 * differ only in characters collation ignores still have one order.
 */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator("en");
  return collator.compare(a, b) || compareCodeUnits(a, b);
}

/** Order of files and of keys inside generated files. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
