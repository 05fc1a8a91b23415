import { applicationFields, requiredApplicationFields } from '#shared/contract/application-fields.ts';
import type { Change } from '#shared/contract/change.ts';
import { pickFields, recordedFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { deleteApplication, deleteContents } from '#shared/domain/application/delete-application.ts';
import { reviewStateOf } from '#shared/domain/application/record-review.ts';
import { registeredParts } from '#shared/domain/application/registered-parts.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import { startDeletion } from '#shared/domain/request/settling.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import { type Item, queryItems, type TransactEntry } from '#shared/table/client.ts';
import { putNewEntry } from '#shared/table/expression.ts';
import { keptOfApplication } from '#shared/table/item-schema.ts';
import {
  type Application,
  type ApplicationItem,
  readApplicationItem,
  type StoredReview,
} from '#shared/table/items/application-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { accessEntriesRange } from '#shared/table/keys/access-item-keys.ts';
import { keyUsesRange } from '#shared/table/keys/api-key-item-keys.ts';
import { applicationIndexKey, applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { ownChangesRange } from '#shared/table/keys/change-item-keys.ts';
import { membersRange, rolesRange } from '#shared/table/keys/role-item-keys.ts';
import { repairEntry } from '../table/repair-entry.ts';
import { compareChain, gapsIn, isKept, newestChanges, versionAfter } from './compare-chain.ts';
import { readGenuineChanges } from './genuine-changes.ts';
import { recordSteps, type Step, type Steps, stepsOr } from './record-steps.ts';
import { keyStepsOf, keysAfter } from './repair-keys.ts';
import { repairAccessEntries, repairMembers } from './repair-lists.ts';
import { repairRole } from './repair-role.ts';
import type { RepairRun } from './repair-run.ts';

/** Repairs an application with its keys and roles, but not their lists. */
export async function repairApplication(appId: AppId, run: RepairRun): Promise<void> {
  await run.untilWhole(() => repairOnce(appId, run));
}

async function repairOnce(appId: AppId, run: RepairRun): Promise<boolean> {
  const [found, { items: roleItems }] = await Promise.all([
    readApplicationItem(appId),
    queryItems(rolesRange(appId), {}),
  ]);
  // After the states, so that none is newer than its Changes because it was changed in between.
  const { kept, forged } = await readGenuineChanges(ownChangesRange(appId), run);
  const changes = kept.map(({ change }) => change);
  const own = changes.filter(({ role }) => role === undefined);
  if (await repairState(found, { appId, own, forged }, run)) return true;
  if (found === undefined) {
    if (changes.length > 0 || roleItems.length > 0) run.note('orphan', { appId });
    return false;
  }
  nameGaps(found.application, roleItems, changes, run);
  if (found.deleted) return finishDeletion(found, [...new Set(changes.flatMap(roleOf))], run);
  for (const part of registeredParts) {
    const missing = await part.missingItems(appId, found.application);
    if (missing.length > 0 && (await run.repair(part.items, { appId }, missing))) return true;
  }
  const roles = new Set([...roleItems.map((item) => item.role as RoleName), ...changes.flatMap(roleOf)]);
  for (const role of roles) {
    const item = roleItems.find((one) => one.role === role);
    const chain = changes.filter((change) => change.role === role);
    if (await repairRole({ appId, role }, item, { chain, forged }, run)) return true;
  }
  return false;
}

function roleOf({ role }: Change): RoleName[] {
  return role === undefined ? [] : [role as RoleName];
}

/** Changes that are missing at the beginning or in the middle of a chain cannot be written again. */
function nameGaps(application: Application, roles: readonly Item[], changes: readonly Change[], run: RepairRun): void {
  const isAll = changes.length < newestChanges;
  const createdAt = new Map<unknown, unknown>(roles.map((role) => [role.role, role.createdAt]));
  for (const [of, chain] of groupBy(changes, ({ role }) => role)) {
    const since = String(createdAt.get(of) ?? application.createdAt);
    run.nameGaps(gapsIn(chain, isAll ? since : undefined));
  }
}

/** What a deletion has left, also where a late copy of an item brought it back. */
async function finishDeletion(
  { application, swept }: ApplicationItem,
  roles: readonly RoleName[],
  run: RepairRun,
): Promise<boolean> {
  const { appId } = application;
  if (!swept) {
    const again = async () => (await deleteApplication({ appId, force: true }, run.context)).complete;
    return run.finish({ appId }, again);
  }
  const { items: entries } = await queryItems(accessEntriesRange(appId), { limit: entriesAtOnce });
  if (await repairAccessEntries(appId, entries, run)) return true;
  const contents = [accessEntriesRange(appId), rolesRange(appId), keyUsesRange(appId)];
  const left = await Promise.all(contents.map((range) => queryItems(range, { limit: 1 })));
  if (left.some(({ items }) => items.length > 0)) {
    return run.finish({ appId }, () => deleteContents(application, startDeletion()));
  }
  for (const role of roles) {
    const { items } = await queryItems(membersRange(appId, role), { limit: entriesAtOnce });
    if (await repairMembers(appId, role, items, run)) return true;
  }
  return false;
}

const entriesAtOnce = 100;

interface OwnChanges {
  readonly appId: AppId;
  readonly own: readonly Change[];
  readonly forged: ReadonlySet<string>;
}

async function repairState(found: ApplicationItem | undefined, { appId, own, forged }: OwnChanges, run: RepairRun) {
  const application = found?.application;
  const state = compareChain(application, own, forged);
  if (state.kind === 'behind') {
    const { next } = state;
    nameKeys(application, next, run);
    return run.apply(next, { appId }, appliedBy(appId, application, next));
  }
  if (state.kind === 'whole' || found === undefined) return false;
  return run.repair('change-missing', { appId }, await record(found, own, run));
}

function appliedBy(appId: AppId, application: Application | undefined, change: Change): TransactEntry[] {
  const { at, after, action, integrity } = change;
  const last = { version: versionAfter(change), updatedAt: at, chainHead: integrity.mac };
  const key = applicationKey(appId);
  if (action === 'application.deleted') {
    const set = { ...last, deleting: true, swept: false, keys: {} };
    return [repairEntry(key, application, set, ['gsi1pk', 'gsi1sk', 'closedUntil', ...keptOfApplication])];
  }
  if (application === undefined) {
    const created = { appId, ...recordedFields(applicationFields, after), keys: {}, createdAt: at, ...last };
    return [putNewEntry({ ...key, ...applicationIndexKey(appId), ...created })];
  }
  const named = Object.fromEntries(Object.entries(after ?? {}).filter(([name]) => name in applicationFields));
  if (action === 'application.reviewed') {
    return [repairEntry(key, application, { lastReview: reviewOf(change), ...last })];
  }
  const part = registeredParts.find(({ actions }) => action.startsWith(actions));
  if (part !== undefined) {
    return [repairEntry(key, application, { ...part.attributesAfter(application, change), ...last })];
  }
  const set = action === 'application.updated' ? named : { keys: keysAfter(application.keys, change) };
  return [repairEntry(key, application, { ...set, ...last })];
}

function reviewOf({ id, after }: Change): StoredReview {
  return { changeId: id, asOf: String(after?.reviewedAsOf), laterChanges: Number(after?.laterChanges) };
}

/** Names a key that cannot be restored: issue a new one. */
function nameKeys(application: Application | undefined, { action, appId, id }: Change, run: RepairRun): void {
  if (action === 'key.rotated' && application !== undefined) run.note('key', { ...(appId && { appId }), changeId: id });
}

/** Records a state whose Changes are missing. */
async function record(found: ApplicationItem, own: readonly Change[], run: RepairRun): Promise<TransactEntry[]> {
  const { application, deleted } = found;
  const { appId } = application;
  const changes = recordSteps(deleted ? [deletionStep(application)] : stepsOf(application, own), {
    subject: { appId },
    last: own.at(-1),
    version: application.version,
    context: run.context,
    at: monotonicTimestamp(application),
    key: await latestChainKey(),
  });
  const newest = changes.at(-1) ?? changes[0];
  const last = { version: versionAfter(newest), chainHead: newest.integrity.mac, updatedAt: newest.at };
  const review = changes.find(({ action }) => action === 'application.reviewed');
  return [
    repairEntry(applicationKey(appId), application, { ...last, ...(review && { lastReview: reviewOf(review) }) }),
    ...changes.flatMap((change) => putChangeEntries(change)),
  ];
}

function deletionStep(application: Application): Step {
  const before = pickFields(requiredApplicationFields, application);
  return { action: 'application.deleted', before, after: null };
}

function stepsOf(application: Application, own: readonly Change[]): Steps {
  const all = pickFields(applicationFields, application);
  if (own.length === 0 && application.version === 1)
    return [{ action: 'application.created', before: null, after: all }];
  const before = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      own.findLast(({ after }) => after?.[name] !== undefined)?.after?.[name] ?? value,
    ]),
  );
  const isSame = Object.entries(all).every(([name, value]) => before[name] === value);
  return stepsOr({ action: 'application.updated', before: all, after: all }, [
    ...keyStepsOf(application.keys, own),
    ...registeredParts.flatMap((part) => part.missingChanges(application, own)),
    ...reviewSteps(application, own),
    ...(isSame ? [] : [{ action: 'application.updated', before, after: all } as const]),
  ]);
}

function reviewSteps({ lastReview }: Application, own: readonly Change[]): Step[] {
  if (lastReview === undefined || own.some(({ id }) => id === lastReview.changeId)) return [];
  if (!isKept(new Date(timeOfUlid(lastReview.changeId)).toISOString())) return [];
  const before = own.findLast(({ action }) => action === 'application.reviewed');
  const { reviewedAsOf = null, laterChanges = null } = before?.after ?? {};
  return [{ action: 'application.reviewed', before: { reviewedAsOf, laterChanges }, after: reviewStateOf(lastReview) }];
}
