/**
 * File name under which the guest controller is evaluated. Frames that carry it are ours and are dropped
 * from everything a cell or its author sees.
 */
export const GUEST_FILE = "openclaw-code-mode:guest.js";
