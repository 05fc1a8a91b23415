import { isInRollout } from '#shared/contract/rollout.ts';
import type { Item } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import type { ReplicaDecision, SdkReplica } from '../sdk-replica.ts';
import { accessKey, accessOf, applicationKey, isLive, rolloutOf, userKey } from '../stored-state.ts';
import { Histories } from './histories.ts';

/** By how much the end of a block or a grant may be before or after a decision, so that either is right. */
const toleranceMilliseconds = 200_000;

/**
 * Checks that, after each complete poll, the SDK's replica decides about each user as the table had them at some instant of the
 * poll, however late the index, the stream or the clocks are.
 */
export function checkReplica({ replicas, commits, swarm }: Run): string[] {
  const histories = new Histories(commits);
  const skewMilliseconds = Math.max(swarm?.skewMilliseconds ?? 0, swarm?.clockErrorMilliseconds ?? 0) + 1000;
  return replicas.flatMap((replica) => {
    const { refusal, appId, polls } = replica;
    if (refusal !== undefined) return refusal === 'key_revoked' ? [] : [`${appId} was refused with ${refusal}`];
    return polls.length === 0
      ? [`${appId} never completed a poll`]
      : wrongDecisions(replica, histories, skewMilliseconds);
  });
}

function wrongDecisions({ appId, polls }: SdkReplica, histories: Histories, skewMilliseconds: number): string[] {
  return polls.flatMap(({ startedAt, endedAt, decisions }) =>
    decisions.flatMap((decision) => {
      const { userId } = decision;
      const users = histories.during(userKey(userId), startedAt, endedAt);
      // It cannot know whether an id exists that no change has named.
      if (users.some((user) => user === undefined)) return [];
      const accesses = histories.during(accessKey(userId, appId), startedAt, endedAt);
      const keys = [userKey(userId), accessKey(userId, appId), applicationKey(appId)];
      const states = histories.together(keys, startedAt, endedAt).filter(([, , app]) => isLive(app));
      if (accesses.some((access) => endsAround(access, endedAt))) return [];
      const recent = histories.during(accessKey(userId, appId), endedAt - skewMilliseconds, endedAt);
      if (recent.some((access) => endsSoon(access, endedAt, skewMilliseconds))) return [];
      const possible = states.map(([user, access, app]) =>
        decisionOf({ userId, appId, user, access, app: app as Item }, endedAt),
      );
      const made = textOf(decision);
      if (states.length === 0 || possible.includes(made)) return [];
      return [
        `${userId} in ${appId} was ${made} in the poll of ${startedAt}, instead of ${[...new Set(possible)].join(' or ')}`,
      ];
    }),
  );
}

function endsAround(access: Item | undefined, at: number): boolean {
  if (access === undefined) return false;
  const { until, roles } = accessOf(access);
  const ends = [until, ...Object.values(roles).map(({ expiresAt }) => expiresAt)];
  return ends.some((end) => end !== null && Math.abs(Date.parse(end) - at) < toleranceMilliseconds);
}

/** Whether a process whose clock is fast may have dropped a grant that has not ended yet: its end is no change. */
function endsSoon(access: Item | undefined, at: number, skewMilliseconds: number): boolean {
  if (access === undefined) return false;
  const ends = Object.values(accessOf(access).roles).map(({ expiresAt }) => expiresAt);
  return ends.some((end) => end !== null && Date.parse(end) >= at && Date.parse(end) <= at + skewMilliseconds);
}

interface Facts {
  readonly userId: string;
  readonly appId: string;
  readonly user: Item | undefined;
  readonly access: Item | undefined;
  readonly app: Item;
}

/** The decision that the stored items make, by the rules of the documentation. */
function decisionOf({ userId, appId, user, access, app }: Facts, at: number): string {
  if (!isLive(user)) return 'user_not_found';
  const { status, until, roles } = access === undefined ? { status: null, until: null, roles: {} } : accessOf(access);
  const held = Object.entries(roles)
    .filter(([, { expiresAt }]) => expiresAt === null || Date.parse(expiresAt) > at)
    .map(([name]) => name);
  const isOver = status === 'disabled' && until !== null && Date.parse(until) <= at;
  const isDefault = rolloutOf(app) === 100 || isInRollout(appId, userId, rolloutOf(app));
  const effective = isOver ? 'enabled' : (status ?? (isDefault ? 'enabled' : 'disabled'));
  return [user.status === 'inactive' ? 'disabled' : effective, ...held.sort()].join(' ');
}

function textOf({ code, effectiveStatus, roles }: ReplicaDecision): string {
  return code ?? [effectiveStatus, ...roles.map(({ name }) => name).sort()].join(' ');
}
