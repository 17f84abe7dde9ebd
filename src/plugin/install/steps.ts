/**
 * The steps of an install, in order. `archive-checked` is for archives, `dependencies-fetched` for plugins
 * whose dependencies npm must get. Those behind `records-written` no longer change the outcome.
 */
export const INSTALL_STEPS = [
  "resolved",
  "stage-made",
  "fetched",
  "archive-checked",
  "unpacked",
  "manifest-checked",
  "dependencies-planned",
  "dependencies-fetched",
  "dependencies-placed",
  "host-linked",
  "entry-checked",
  "locked",
  "recovered",
  "journal-written",
  "previous-moved",
  "published",
  "records-written",
  "journal-removed",
  "unlocked",
  "stage-removed",
] as const;

export const UNINSTALL_STEPS = [
  "resolved",
  "stage-made",
  "locked",
  "recovered",
  "journal-written",
  "previous-moved",
  "records-written",
  "journal-removed",
  "unlocked",
  "stage-removed",
] as const;

export type Step = (typeof INSTALL_STEPS)[number] | (typeof UNINSTALL_STEPS)[number];

/** Hears of every step right after it is done; whatever it throws fails the work at that point. */
export type OnStep = (step: Step) => void | Promise<void>;
