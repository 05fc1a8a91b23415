import { settleSeconds } from '#shared/contract/time-bounds.ts';
import { joined, type Key, type Mutation } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import { accessOf, applicationKey, isAccess, roleKey } from '../stored-state.ts';
import { bounds } from '../swarm.ts';

interface Closing {
  readonly since: number;
  readonly until: number;
}

/**
 * Checks that no access changes in a closed application and no closed role is assigned, because either may be deleted.
 */
export function checkClosings({ commits }: Run): string[] {
  const closings = new Map<string, Closing>();
  return commits.flatMap(({ at, mutations }) => {
    for (const mutation of mutations) note(closings, mutation, at);
    const isClosed = (key: Key) => isHeld(closings.get(joined(key)), at);
    return mutations.flatMap((mutation) => written(mutation, isClosed));
  });
}

function note(closings: Map<string, Closing>, { pk, sk, before, after }: Mutation, at: number): void {
  if (after?.closedUntil === before?.closedUntil) return;
  if (typeof after?.closedUntil !== 'string') closings.delete(joined({ pk, sk }));
  else closings.set(joined({ pk, sk }), { since: at, until: Date.parse(after.closedUntil) });
}

/** Whether the closing is effective: earlier writes have finished, and it has not expired by any clock. */
function isHeld(closing: Closing | undefined, at: number): boolean {
  if (closing === undefined) return false;
  return at > closing.since + settleSeconds * 1000 && at < closing.until - 2 * bounds.skewMilliseconds;
}

function written({ before, after }: Mutation, isClosed: (key: Key) => boolean): string[] {
  if (after === undefined || !isAccess(after)) return [];
  const { userId, appId, roles } = accessOf(after);
  const held = before === undefined ? {} : accessOf(before).roles;
  const given = Object.keys(roles).filter((role) => roles[role]?.grantedAt !== held[role]?.grantedAt);
  const where = `the access of ${userId} in ${appId}`;
  return [
    ...(isClosed(applicationKey(appId)) ? [`${where} was changed, and the application is closed`] : []),
    ...given.filter((role) => isClosed(roleKey(appId, role))).map((role) => `${where} got ${role}, which is closed`),
  ];
}
