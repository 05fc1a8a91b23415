import { isTransient } from '../clients.ts';
import type { Run } from '../run-seed.ts';
import { bounds, type Swarm } from '../swarm.ts';

/**
 * Checks that, after the faults, every call that is repeated completes, and that nothing stays closed.
 * `checkFeeds` notices what stays pending, and a run in which a deletion never completes fails as a whole.
 */
export function checkLiveness({ calls, actors, items, repeated, endedAt, swarm }: Run): string[] {
  const open = calls.filter(
    ({ id, outcome }) => repeated.includes(id) && (outcome === undefined || isTransient(outcome)),
  );
  const closed = items.filter(({ closedUntil }) => isAfter(closedUntil, endedAt, swarm));
  return [
    ...actors.flatMap((actor) => actor.open?.() ?? []),
    ...open.map(({ id, operation, outcome }) => `${id} ${operation} never completes: ${JSON.stringify(outcome)}`),
    ...closed.map(({ pk, sk, closedUntil }) => `${pk} ${sk} is closed until ${closedUntil}`),
  ];
}

function isAfter(end: unknown, at: number, swarm: Swarm | undefined): boolean {
  const tolerance = bounds.skewMilliseconds + (swarm?.clockErrorMilliseconds ?? 0);
  return typeof end === 'string' && Date.parse(end) > at + tolerance;
}
