import type { Change } from '#shared/contract/change.ts';
import { pickFields, recordedFields } from '#shared/contract/field-forms.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import { deleteRole, type RoleSubject } from '#shared/domain/role/delete-role.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { type Role, type RoleItem, roleItemOf } from '#shared/table/items/role-item.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { repairEntry } from '../table/repair-entry.ts';
import { compareChain, isBeginning, versionAfter } from './compare-chain.ts';
import { recordSteps, type Step } from './record-steps.ts';
import type { RepairRun } from './repair-run.ts';

/** The Changes of a role that the service wrote, oldest first, and the MACs of those that it did not. */
export interface RoleChanges {
  readonly chain: readonly Change[];
  readonly forged: ReadonlySet<string>;
}

/** Brings a role together with its Changes, and finishes its deletion; true if something was written. */
export async function repairRole(
  subject: RoleSubject,
  item: Item | undefined,
  { chain, forged }: RoleChanges,
  run: RepairRun,
): Promise<boolean> {
  const found = roleItemOf(item);
  const [first] = chain;
  // The beginning is lost; what follows has all fields.
  if (
    found === undefined &&
    first?.after &&
    !chain.some(({ action }) => action === 'role.deleted') &&
    !isBeginning(first)
  ) {
    run.note('history-gap', { ...subject, changeId: first.id });
    return run.apply(first, subject, [appliedBy(subject, undefined, first)]);
  }
  const state = compareChain(found?.role, chain, forged);
  if (state.kind === 'behind') {
    const { next } = state;
    return run.apply(next, subject, [appliedBy(subject, found?.role, next)]);
  }
  if (found !== undefined && state.kind === 'unrecorded') {
    return run.repair('change-missing', { ...subject }, await record(found, chain, run));
  }
  if (found === undefined || !found.deleted || found.swept) return false;
  const finish = async () => (await deleteRole({ ...subject, force: true }, run.context)).complete;
  return run.finish({ ...subject }, finish);
}

function appliedBy({ appId, role }: RoleSubject, read: Role | undefined, change: Change): TransactEntry {
  const { action, at, before, after, integrity } = change;
  const last = { appId, role, version: versionAfter(change), updatedAt: at, chainHead: integrity.mac };
  const key = roleKey(appId, role);
  if (action === 'role.deleted') return repairEntry(key, read, { ...last, deleting: true, swept: false }, ['ttl']);
  const createdAt = before === null ? at : (read?.createdAt ?? at);
  const defined = { ...last, ...recordedFields(roleFields, after), createdAt };
  return repairEntry(key, read, defined, ['deleting', 'swept', 'closedUntil', 'ttl']);
}

async function record({ role, deleted }: RoleItem, chain: readonly Change[], { context }: RepairRun) {
  const last = chain.at(-1);
  const fields = pickFields(roleFields, role);
  const isNew = last === undefined || last.after === null;
  const before = isNew ? null : recordedFields(roleFields, last.after);
  const step: Step = deleted
    ? { action: 'role.deleted', before: fields, after: null }
    : { action: 'role.defined', before, after: fields };
  const at = monotonicTimestamp(role);
  const subject = { appId: role.appId, role: role.role };
  const [change] = recordSteps([step], {
    subject,
    last,
    version: role.version,
    at,
    context,
    key: await latestChainKey(),
  });
  const set = { version: versionAfter(change), updatedAt: change.at, chainHead: change.integrity.mac };
  return [repairEntry(roleKey(role.appId, role.role), role, set), ...putChangeEntries(change)];
}
