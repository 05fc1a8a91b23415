import { isTransient } from '#test/simulation/clients.ts';
import { Histories } from '#test/simulation/invariants/histories.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import { accessKey, accessOf, isLive, userKey, userOf } from '#test/simulation/stored-state.ts';
import { bounds } from '#test/simulation/swarm.ts';
import { Personnel, type TakenBack } from './personnel.ts';

/**
 * Checks that an offboarding leaves an inactive user without the roles that its receipt says were removed, and that one that is
 * taken back leaves the user as before; unless somebody else has changed the user meanwhile, or the outcome of a call is unknown.
 */
export function checkOffboardings(run: Run): string[] {
  const takenBack = run.actors.flatMap((actor) => (actor instanceof Personnel ? actor.takenBack : []));
  if (takenBack.length === 0) return [];
  const histories = new Histories(run.commits);
  return takenBack.filter((one) => isUndisturbed(one, run)).flatMap((one) => wrong(one, histories, run));
}

function isUndisturbed({ userId, calls, startedAt, endedAt, isCalm }: TakenBack, { changes, swarm }: Run): boolean {
  const own = new Set(calls.flatMap(({ attempts }) => attempts.map(({ requestId }) => requestId)));
  // Earlier roles of the same name are gone, and cannot be given back.
  const isOthers = ({ change: { requestId, userId: changed, action }, at }: Run['changes'][number]) =>
    at >= startedAt &&
    at <= endedAt &&
    !own.has(requestId) &&
    (changed === userId || action.startsWith('role.') || action.startsWith('application.'));
  const isKnown = calls.every(
    ({ outcome }) => outcome !== undefined && !isTransient(outcome) && !JSON.stringify(outcome).includes('unavailable'),
  );
  // The history and the bulk are found by an index, which may be behind.
  const hasIndex = isCalm || (swarm?.table.indexLagMilliseconds ?? 0) === 0;
  return hasIndex && isKnown && !changes.some(isOthers);
}

function wrong({ userId, receipt, ...times }: TakenBack, histories: Histories, { swarm }: Run): string[] {
  const { startedAt, offboardedAt, endedAt } = times;
  const statusAt = (at: number) => userOf(histories.during(userKey(userId), at, at).at(-1))?.status;
  const rolesAt = (at: number, appId: string) => {
    const item = histories.during(accessKey(userId, appId), at, at).at(-1);
    if (!isLive(item)) return [];
    const lasting = Object.entries(accessOf(item).roles).filter(([, { expiresAt }]) => isLasting(expiresAt, endedAt));
    return lasting.map(([role, { expiresAt }]) => `${role} until ${expiresAt}`).sort();
  };
  if (receipt.status.outcome === 'failed') return [];
  const removed = receipt.roles.filter(({ outcome }) => outcome === 'removed');
  const left = removed.filter(({ appId, role }) =>
    rolesAt(offboardedAt, appId).some((one) => one.startsWith(`${role} `)),
  );
  const different = (swarm?.apps ?? []).filter(
    (appId) => `${rolesAt(startedAt, appId)}` !== `${rolesAt(endedAt, appId)}`,
  );
  return [
    ...(statusAt(offboardedAt) === 'inactive' ? [] : [`${userId} is not inactive after the offboarding`]),
    ...left.map(({ appId, role }) => `${userId} still has ${role} of ${appId}, which the receipt says was removed`),
    ...(statusAt(endedAt) === 'active' ? [] : [`${userId} is not active after the offboarding was taken back`]),
    ...different.map(
      (appId) => `${userId} had [${rolesAt(startedAt, appId)}] of ${appId}, and gets [${rolesAt(endedAt, appId)}] back`,
    ),
  ];
}

/** Whether it lasts longer than the offboarding, by the clock of every process. */
function isLasting(expiresAt: string | null, endedAt: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > endedAt + 2 * bounds.skewMilliseconds + 1000;
}
