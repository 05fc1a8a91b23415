import { accessFields } from '#shared/contract/access-fields.ts';
import type { Change, RecordedState } from '#shared/contract/change.ts';
import { pickFields, recordedFields, unsetFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { type GrantState, grantStates } from '#shared/domain/access/decide-access-change.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import { revokeRole } from '#shared/domain/role/grant-role.ts';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import {
  accessOrDefault,
  type ChangedAccessItem,
  deleteAccessEntries,
  type Grant,
  isBlockedOpenly,
  liveGrants,
  type StoredAccess,
  updateAccessEntries,
} from '#shared/table/items/access-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { uncountBlockEntry } from '#shared/table/items/counters-item.ts';
import { deleteMemberEntry } from '#shared/table/items/role-item.ts';
import { orderChangeEntry, type User } from '#shared/table/items/user-item.ts';
import { compareChain, isBeginning, isKept, versionAfter } from './compare-chain.ts';
import { recordSteps, type Step, stepsOr } from './record-steps.ts';
import type { RepairRun } from './repair-run.ts';
import type { Owners, UserFacts } from './user-partition.ts';

/** Brings a user's accesses together with their Changes and with what they depend on; true if something was written. */
export async function repairAccesses(
  facts: UserFacts & { readonly user: User },
  owners: Owners,
  run: RepairRun,
  key: ChainKey,
): Promise<boolean> {
  for (const appId of owners.appIds) {
    if (await repairAccess(facts, appId, { owners, run, key })) return true;
  }
  return false;
}

interface Repairing {
  readonly owners: Owners;
  readonly run: RepairRun;
  readonly key: ChainKey;
}

async function repairAccess(
  { userId, user, accesses, changes, forged }: UserFacts & { readonly user: User },
  appId: AppId,
  { owners, run, key }: Repairing,
): Promise<boolean> {
  const stored = accesses.find((access) => access.appId === appId);
  const subject = { userId, appId };
  const isOlder = stored !== undefined && stored.userCreatedAt < user.createdAt;
  if (owners.applications.get(appId) === undefined || isOlder) {
    return stored === undefined ? false : run.repair('access', subject, deletionOf(stored, owners));
  }
  const chain = lastChainOf(changes.filter((change) => change.appId === appId));
  const access = stored ?? accessOrDefault(undefined, userId, appId);
  const [first] = chain;
  // The beginning is lost, and what it set; what follows still holds, such as a block.
  if (stored === undefined && first !== undefined && !isBeginning(first)) {
    run.note('history-gap', { ...subject, changeId: first.id });
    return run.apply(first, subject, updateAccessEntries(access, applied(access, user, first), first));
  }
  const state = compareChain(stored, chain, forged);
  if (state.kind === 'behind') {
    const { next } = state;
    return run.apply(next, subject, updateAccessEntries(access, applied(access, user, next), next));
  }
  if (stored !== undefined && state.kind === 'unrecorded') {
    return run.repair('change-missing', subject, recorded(stored, user, chain, { run, key }));
  }
  return stored === undefined ? false : revokeGone(stored, owners, run);
}

/** A deleted application's accesses are removed without Changes, and an access written meanwhile starts a new chain. */
function lastChainOf(changes: readonly Change[]): readonly Change[] {
  return changes.slice(Math.max(0, changes.findLastIndex(isBeginning)));
}

/**
 * Conditional on what was read: an access that has been written since is another one. A block without an end is subtracted from
 * the counters of an application that is there, as in an erasure.
 */
export function deletionOf(access: ChangedAccessItem, { applications }: Pick<Owners, 'applications'>): TransactEntry[] {
  const { userId, appId, roles, version } = access;
  const isCounted = applications.get(appId) !== undefined && isBlockedOpenly(access);
  const members = Object.keys(roles)
    .slice(0, maxMembers)
    .map((role) => deleteMemberEntry(appId, role as RoleName, userId));
  const counted = isCounted ? [uncountBlockEntry(appId)] : [];
  return [...members, ...counted, ...deleteAccessEntries({ userId, appId }, version)];
}
/** A transaction has room for them; members beyond them are stale, and found as such. */
const maxMembers = 90;

/** Revokes grants of roles that are gone, or were defined again since. */
async function revokeGone(access: ChangedAccessItem, { roles }: Owners, run: RepairRun): Promise<boolean> {
  const { userId, appId } = access;
  for (const [name, { grantedAt }] of liveGrants(access, now())) {
    const role = roles.get(`${appId} ${name}`);
    if (role !== undefined && role.createdAt <= grantedAt) continue;
    const revocation = { userId, appId, role: name as RoleName, grantedAt };
    const revoke = async () => (await revokeRole(revocation, run.context)).changed;
    if (await run.repairBy('grant', { userId, appId, role: name }, revoke)) return true;
  }
  return false;
}

/** The access after a Change. */
function applied(access: StoredAccess, user: User, change: Change): StoredAccess {
  const { action, role = '', after, at, id } = change;
  const { [role]: _, ...others } = access.roles;
  const isHeld = action === 'role.assigned';
  const roles = isHeld ? { ...others, [role]: { ...grantIn(after), grantedAt: at, changeId: id } } : others;
  const isSet = after?.explicit === true;
  const setting =
    action === 'access.changed'
      ? {
          status: isSet ? (after?.status as StoredAccess['status']) : null,
          statusChangeId: isSet ? id : null,
          ...recordedFields(accessFields, after),
        }
      : { roles };
  return { ...access, ...setting, version: versionAfter(change), updatedAt: at, userCreatedAt: user.createdAt };
}

/** What a recorded state says of a grant. */
function grantIn(recorded: RecordedState | null): GrantState {
  const end = recorded?.expiresAt;
  const expiresAt = typeof end === 'string' ? end : null;
  return { expiresAt, ...(recorded?.fromGroup === true && { fromGroup: true }) };
}

/** Records a state whose Changes are missing: what differs from those that are there. */
function recorded(
  access: ChangedAccessItem,
  user: User,
  chain: readonly Change[],
  { run, key }: Omit<Repairing, 'owners'>,
): TransactEntry[] {
  const found = differences(access, chain);
  const same = settingOf(access);
  const steps = stepsOr({ action: 'access.changed', before: same, after: same }, found);
  const { userId, appId, version } = access;
  const changes = recordSteps(steps, {
    subject: { userId, appId },
    last: chain.at(-1),
    version,
    context: run.context,
    key,
    at: monotonicTimestamp(access, user),
  });
  const newest = changes.at(-1) ?? changes[0];
  const status = changes.find(({ action }) => action === 'access.changed');
  const next = {
    ...access,
    version: newest.after?.version ?? version,
    updatedAt: newest.at,
    ...(status && access.status !== null && { statusChangeId: status.id }),
    roles: { ...access.roles, ...Object.fromEntries(changes.flatMap((change) => assignedBy(change, access))) },
  };
  return [
    ...updateAccessEntries(access, next, newest),
    orderChangeEntry(user, newest.id),
    ...changes.flatMap((change) => putChangeEntries(change)),
  ];
}

/** The grant that a Change records. */
function assignedBy({ action, role = '', id }: Change, { roles }: StoredAccess): [string, Grant][] {
  const grant = action === 'role.assigned' ? roles[role] : undefined;
  return grant === undefined ? [] : [[role, { ...grant, changeId: id }]];
}

function settingOf(access: Pick<StoredAccess, 'status' | keyof typeof accessFields>) {
  const { status } = access;
  return { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
}

/** Only what the Changes that are there say otherwise: of what they do not name, an expired one may have said the same. */
function differences(access: ChangedAccessItem, chain: readonly Change[]): Step[] {
  const isComplete = chain[0] === undefined ? access.version <= 1 : isBeginning(chain[0]);
  return [...settingSteps(access, chain, isComplete), ...roleSteps(access, chain, isComplete)];
}

function settingSteps(access: ChangedAccessItem, chain: readonly Change[], isComplete: boolean): Step[] {
  const last = chain.findLast(({ action }) => action === 'access.changed');
  const after = settingOf(access);
  if (last === undefined && !isComplete) return [];
  const unset = settingOf({ status: null, ...unsetFields(accessFields) });
  const before = withoutVersion(last?.after ?? unset);
  return isSame(before, after) ? [] : [{ action: 'access.changed', before, after }];
}

function isSame(one: object, other: object): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function withoutVersion(recorded: RecordedState & object): RecordedState & object {
  return Object.fromEntries(Object.entries(recorded).filter(([name]) => name !== 'version'));
}

function roleSteps(access: ChangedAccessItem, chain: readonly Change[], isComplete: boolean): Step[] {
  const named = chain.flatMap(({ role }) => (role === undefined ? [] : [role]));
  return [...new Set([...Object.keys(access.roles), ...named])].flatMap((role): Step[] => {
    const last = chain.findLast((change) => change.role === role);
    const grant = access.roles[role];
    if (last === undefined && !isComplete && !(grant && isKept(grant.grantedAt))) return [];
    const earlier = last?.after?.granted === true ? grantIn(last.after) : undefined;
    const { before, after } = grantStates(unexpired(earlier), unexpired(grant));
    if (isSame(before, after)) return [];
    return [{ action: after.granted ? 'role.assigned' : 'role.revoked', role, before, after }];
  });
}

/** A grant that has expired is none. */
function unexpired(grant: GrantState | undefined): GrantState | undefined {
  return grant === undefined || hasPassed(grant.expiresAt, now()) ? undefined : grant;
}
