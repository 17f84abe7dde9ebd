/**
 * A definition that leads back to itself on the very same value, which would be checked forever;
 * undefined when there is none. `edges[i]` holds the definitions that definition `i` applies to its own
 * value.
 */
export function findLoop(edges: readonly ReadonlySet<number>[]): number | undefined {
  const waiting = edges.map((targets) => new Set(targets));
  const users: number[][] = edges.map(() => []);
  edges.forEach((targets, from) => {
    for (const to of targets) users[to]!.push(from);
  });
  // What leads nowhere is settled first, then what leads only to settled ones, and so on.
  const free = waiting.flatMap((targets, i) => (targets.size === 0 ? [i] : []));
  for (let done = free.pop(); done !== undefined; done = free.pop()) {
    for (const user of users[done]!) {
      waiting[user]!.delete(done);
      if (waiting[user]!.size === 0) free.push(user);
    }
  }
  const stuck = waiting.findIndex((targets) => targets.size > 0);
  return stuck === -1 ? undefined : stuck;
}
