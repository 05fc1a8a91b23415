import type { Change } from '#shared/contract/change.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import type { ChainedState, FoundResource, RepairedResource } from '#shared/domain/request/option-repair.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import { putNewEntry } from '#shared/table/expression.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { repairEntry } from '../table/repair-entry.ts';
import { compareChain, gapsIn, newestChanges, versionAfter } from './compare-chain.ts';
import { readGenuineChanges } from './genuine-changes.ts';
import { recordSteps, type Step, type Steps, stepsOr } from './record-steps.ts';
import { keyStepsOf, keysAfter } from './repair-keys.ts';
import type { RepairRun } from './repair-run.ts';

/** Repairs a resource of an option with its keys, also one that was deleted, whose deletion it finishes. */
export async function repairResource(resource: RepairedResource, id: string, run: RepairRun): Promise<void> {
  await run.untilWhole(() => repairOnce(resource, id, run));
}

async function repairOnce(resource: RepairedResource, id: string, run: RepairRun): Promise<boolean> {
  const subject = resource.subjectOf(id);
  // Before its changes: one that is made meanwhile must not look as if it were lost.
  const found = await resource.read(id);
  const { kept, forged } = await readGenuineChanges(resource.changesOf(id), run);
  const own = kept.map(({ change }) => change);
  const state = compareChain(found?.state, own, forged);
  if (state.kind === 'behind') {
    const { next } = state;
    if (next.action === 'key.rotated' && found !== undefined) run.note('key', { ...subject, changeId: next.id });
    return run.apply(next, subject, [appliedBy({ resource, id }, found?.state, next)]);
  }
  if (found === undefined) {
    if (own.length > 0) run.note('orphan', subject);
    return false;
  }
  run.nameGaps(gapsIn(own, own.length < newestChanges ? found.state.createdAt : undefined));
  if (state.kind === 'whole') return found.deleted && resource.finishDeletion(found, run);
  return run.repair('change-missing', subject, await record({ resource, id }, found, { own, run }));
}

interface One {
  readonly resource: RepairedResource;
  readonly id: string;
}

function appliedBy({ resource, id }: One, read: ChainedState | undefined, change: Change): TransactEntry {
  const { at, after, action, integrity } = change;
  const last = { version: versionAfter(change), updatedAt: at, chainHead: integrity.mac };
  const key = resource.keyOf(id);
  if (action === resource.actions.deleted) {
    return repairEntry(key, read, { ...last, deleting: true, keys: {} }, ['gsi1pk', 'gsi1sk']);
  }
  if (read === undefined) {
    const place = { ...key, ...resource.indexKeyOf(id) };
    const attributes = { ...resource.fixedIn(id, after), ...resource.settingsIn(after) };
    return putNewEntry({ ...place, ...attributes, keys: {}, createdAt: at, ...last });
  }
  const isUpdate = action === resource.actions.updated;
  const set = isUpdate ? resource.settingsIn(after) : { keys: keysAfter(read.keys, change) };
  return repairEntry(key, read, { ...set, ...last });
}

/** Records a state whose Changes are missing. */
async function record(
  { resource, id }: One,
  { state, deleted }: FoundResource,
  { own, run }: { readonly own: readonly Change[]; readonly run: RepairRun },
): Promise<TransactEntry[]> {
  const changes = recordSteps(deleted ? [deletionOf(resource, state)] : stepsOf(resource, state, own), {
    subject: resource.subjectOf(id),
    last: own.at(-1),
    version: state.version,
    context: run.context,
    at: monotonicTimestamp(state),
    key: await latestChainKey(),
  });
  const newest = changes.at(-1) ?? changes[0];
  const last = { version: versionAfter(newest), chainHead: newest.integrity.mac, updatedAt: newest.at };
  return [repairEntry(resource.keyOf(id), state, last), ...changes.flatMap((change) => putChangeEntries(change))];
}

function deletionOf({ actions, recordedOf }: RepairedResource, state: ChainedState): Step {
  return { action: actions.deleted, before: recordedOf(state), after: null };
}

function stepsOf({ actions, recordedOf }: RepairedResource, state: ChainedState, own: readonly Change[]): Steps {
  const recorded = recordedOf(state);
  if (own.length === 0 && state.version === 1) return [{ action: actions.created, before: null, after: recorded }];
  const before = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [
      name,
      own.findLast(({ after }) => after?.[name] !== undefined)?.after?.[name] ?? value,
    ]),
  );
  const isSame = Object.entries(recorded).every(([name, value]) => before[name] === value);
  const update: Step = { action: actions.updated, before, after: recorded };
  const keys = keyStepsOf(state.keys, own);
  return stepsOr(update, isSame ? keys : [...keys, update]);
}
