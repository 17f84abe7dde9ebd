/** A place in the order of a catalog's calls, taken when the call arrives. */
export interface Ticket {
  readonly sequential: boolean;
  /** The call whose tool made this one, when a tool uses the catalog it belongs to. */
  readonly parent: Ticket | undefined;
  /** Resolves when the call may run. */
  ready(): Promise<void>;
  /** Ends the call, whatever became of it. */
  release(): void;
}

/**
 * Order of the calls of one catalog. Parallel calls overlap; a sequential call waits for every earlier
 * one and holds back every later one until its result is accepted.
 */
export interface CallOrder {
  /** Undefined when the call would wait for the call that makes it, and so for ever. */
  enter(sequential: boolean, parent?: Ticket): Ticket | undefined;
}

interface Place extends Ticket {
  open: () => void;
  gate: Promise<void>;
  started: boolean;
}

export function createCallOrder(): CallOrder {
  /** Calls that have arrived and not ended, oldest first. */
  const line = new Set<Place>();

  function openGates(): void {
    let first = true;
    for (const place of line) {
      if (place.sequential && !first) return;
      if (!place.started) {
        place.started = true;
        place.open();
      }
      if (place.sequential) return;
      first = false;
    }
  }

  /** Whether a call at the end of the line would wait, directly or through others, for `ancestor`. */
  function waitsFor(ancestor: Ticket, sequential: boolean): boolean {
    let behind = false;
    for (const place of line) {
      if (place === ancestor) behind = true;
      if (behind && place.sequential) return true;
    }
    return behind && sequential;
  }

  return {
    enter(sequential, parent) {
      for (let at = parent; at !== undefined; at = at.parent) {
        if (waitsFor(at, sequential)) return undefined;
      }
      let open = (): void => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const place: Place = {
        sequential,
        parent,
        open,
        gate,
        started: false,
        ready: () => gate,
        release() {
          if (line.delete(place)) openGates();
        },
      };
      line.add(place);
      openGates();
      return place;
    },
  };
}
