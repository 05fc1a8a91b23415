import type { CallRecord } from '../clients.ts';
import { singles } from '../operations.ts';
import type { Run } from '../run-seed.ts';
import type { CommittedChange, StoredChange } from '../stored-state.ts';
import { effectsOf } from './acknowledged.ts';
import type { Told } from './during-call.ts';
import { partsOf } from './parts.ts';

/**
 * Checks that a bulk changes each user at most once and says for each whether it did, and that exactly the changes of a bulk
 * and their undos have its id.
 */
export function checkBulks({ calls, changes }: Run): string[] {
  const bulks = calls.filter(({ operation }) => singles[operation] !== undefined);
  return [
    ...bulks.flatMap((call) => partsOf(call).flatMap((part) => wrongPart(part, call, changes))),
    ...bulks.flatMap((call) => repeated(call, changes)),
    ...wrongIds(calls, changes),
  ];
}

/** `checkImports` says which of its changes are of the bulk. */
function isOfImport({ requestId, undoOf }: StoredChange, calls: readonly CallRecord[]): boolean {
  const isIts = ({ attempts }: CallRecord) => attempts.some((attempt) => attempt.requestId === requestId);
  return undoOf === undefined && calls.some((call) => call.operation === 'import-users' && isIts(call));
}

function effectsIn(
  call: CallRecord,
  changes: readonly CommittedChange[],
  { operation, input }: Pick<Told, 'operation' | 'input'>,
) {
  const isIts = ({ change }: CommittedChange) => change.userId === input.userId;
  return effectsOf({ ...call, operation, input }, changes).filter(isIts);
}

function wrongPart(part: Told, call: CallRecord, changes: readonly CommittedChange[]): string[] {
  const { outcome, input } = part;
  const isMade = effectsIn(call, changes, part).length > 0;
  // The outcome of an attempt is unknown if it ran out of time.
  if (outcome.kind === 'failed' || (outcome.kind === 'refused' && outcome.status === 503)) return [];
  const isTold = outcome.kind === 'done' && outcome.body.changed === true;
  if (isTold === isMade) return [];
  return [
    `${call.id} ${call.operation} ${isMade ? 'changed' : 'did not change'} ${input.userId}: ${JSON.stringify(outcome)}`,
  ];
}

function repeated(call: CallRecord, changes: readonly CommittedChange[]): string[] {
  return partsOf(call).flatMap((part) => {
    const { length } = effectsIn(call, changes, part);
    return length > 1 ? [`${call.id} ${call.operation} changed ${part.input.userId} ${length} times`] : [];
  });
}

function wrongIds(calls: readonly CallRecord[], changes: readonly CommittedChange[]): string[] {
  const bulks = calls.filter(({ operation }) => singles[operation] !== undefined);
  const asked = new Map(
    bulks.flatMap(({ attempts, input }) => {
      const { bulkId } = input as { readonly bulkId?: string };
      return attempts.map(({ requestId }) => [requestId, bulkId]);
    }),
  );
  const known = new Map(changes.map(({ change }) => [change.id, change.bulkId]));
  const expected = ({ undoOf, requestId }: StoredChange) =>
    undoOf === undefined ? asked.get(requestId) : known.get(undoOf);
  return changes
    .filter(({ change }) => change.bulkId !== expected(change) && !isOfImport(change, calls))
    .map(({ change }) => `${change.action} ${change.id} of ${change.requestId} has the bulk ${change.bulkId}`);
}
