import { newBulkId as bulkIdAt, maxUsersPerBulk, outcomeAfter } from '#shared/contract/bulk-calls.ts';
import { eachOf, inBatches } from './each-of.ts';
import type { BulkOutcome } from './management-contract.ts';

/** One request of a bulk run. */
export interface BulkBatch {
  /** At most 100. */
  readonly userIds: readonly string[];
  /** The id by which the whole run can be undone, for the body of the request. */
  readonly bulkId: string;
  /** For the options of the call: the service answers each user as it answered the first request with this key. */
  readonly idempotencyKey: string;
}

/** How many users have an outcome. */
export interface BulkProgress {
  /** Users with an outcome. */
  readonly done: number;
  /** All users of the run. */
  readonly total: number;
}

/** What a request of a bulk run answers. */
export interface BulkAnswer {
  /** An outcome for each user of the batch. */
  readonly items: readonly BulkOutcome[];
}

/** The operation on all users. */
export interface BulkRun {
  /** The users, each once. */
  readonly userIds: readonly string[];
  /** Sends one request: calls an operation with what the batch has. */
  readonly send: (batch: BulkBatch) => Promise<BulkAnswer>;
  /** The id of the run; a new one by default. A resumed run passes that of the first one, within a day. */
  readonly bulkId?: string;
  /**
   * The outcomes of the run, which get those of each batch as soon as it is answered; keep them to resume it. Users who were
   * changed or unchanged before are not sent again, those who failed are.
   */
  readonly outcomes?: Map<string, BulkOutcome>;
  /** Called with the outcomes of each batch, in the order of the answers. */
  readonly onOutcomes?: (outcomes: readonly BulkOutcome[], progress: BulkProgress) => void;
  /** Whether to stop after the current requests. */
  readonly isStopped?: () => boolean;
  /** Whether the users who are sent are known to need the change. Default: false. */
  readonly isChecked?: boolean;
  /** Divides the ids into requests. Default: a hundred each. */
  readonly batches?: (ids: readonly string[]) => readonly (readonly string[])[];
}

/** A new id of a bulk run, which may go on for a day. */
export function newBulkId(): string {
  return bulkIdAt(Date.now());
}

/**
 * Processes many users, a hundred per request, with several requests at once, and returns their outcomes by id. After a failure,
 * the requests that were begun end, and it is thrown; the same run with its `bulkId` and `outcomes` then does the rest.
 *
 * ```ts
 * import { createManagementClient, runBulk } from '@auth-service/client/management';
 *
 * const manage = createManagementClient({ url: process.env.MANAGE_URL ?? '' });
 * const path = { appId: 'billing', role: 'editor' };
 * await runBulk({
 *   userIds: ['ada', 'bob'],
 *   send: ({ userIds, bulkId, idempotencyKey }) =>
 *     manage.call('assign-role-in-bulk', { path, body: { userIds, bulkId } }, { idempotencyKey }),
 *   onOutcomes: (_, { done, total }) => console.log(`${done} of ${total}`),
 * });
 * ```
 */
export async function runBulk(run: BulkRun): Promise<ReadonlyMap<string, BulkOutcome>> {
  const { userIds, bulkId = newBulkId(), outcomes = new Map(), onOutcomes, isStopped } = run;
  const refused = refusedBefore(outcomes);
  for (const [userId, { outcome }] of outcomes) if (outcome === 'failed') outcomes.delete(userId);
  const waiting = userIds.filter((userId) => !outcomes.has(userId));
  const parts = keyedParts(waiting, { refused, bulkId });
  const batches = parts.flatMap(({ userIds: ids, idempotencyKey }) => {
    const divided = run.batches?.(ids) ?? inBatches(ids, maxUsersPerBulk);
    return divided.map((batch) => ({ userIds: batch, bulkId, idempotencyKey }));
  });
  const send = async (batch: BulkBatch) => {
    const items = await sendBatch(run, batch);
    for (const item of items) outcomes.set(item.userId, item);
    onOutcomes?.(items, { done: outcomes.size, total: userIds.length });
  };
  await eachOf(batches, send, isStopped);
  return outcomes;
}

/** The users for whom an earlier attempt was refused, so that the same key would repeat the refusal. */
function refusedBefore(outcomes: ReadonlyMap<string, BulkOutcome>): ReadonlySet<string> {
  const failed = [...outcomes.values()].filter(({ outcome }) => outcome === 'failed');
  return new Set(failed.filter((outcome) => !isUncertain(outcome)).map(({ userId }) => userId));
}

/** Whether the user may have been changed: these codes do not say. */
export function isUncertain({ problem }: BulkOutcome): boolean {
  return ['unavailable', 'no_outcome'].includes(problem?.code ?? '');
}

/** The id of the run is the key, also after a process was killed before it had the answers. */
function keyedParts(
  waiting: readonly string[],
  { refused, bulkId }: { readonly refused: ReadonlySet<string>; readonly bulkId: string },
): Omit<BulkBatch, 'bulkId'>[] {
  return [
    { userIds: waiting.filter((id) => !refused.has(id)), idempotencyKey: bulkId },
    { userIds: waiting.filter((id) => refused.has(id)), idempotencyKey: crypto.randomUUID() },
  ];
}

/** The outcomes of a batch; users for whom the service was unavailable are sent again, as the same call. */
async function sendBatch({ send, isChecked }: BulkRun, batch: BulkBatch): Promise<readonly BulkOutcome[]> {
  const sendSome = async (userIds: readonly string[]) => (await send({ ...batch, userIds })).items;
  const answered = await sendUntilAvailable(batch.userIds, sendSome, isChecked ? outcomeAfter : undefined);
  const missing = { code: 'no_outcome', detail: 'The answer has no outcome for this user.' };
  return batch.userIds.map((userId) => answered.get(userId) ?? { userId, outcome: 'failed', problem: missing });
}

const maxAttempts = 3;

/** The outcome after another attempt, and the one before. */
type Latest<Outcome> = (before: Outcome | undefined, outcome: Outcome) => Outcome;

/**
 * Sends users, and those for whom the service was unavailable up to twice more. Returns the outcomes that it answered: of each user
 * the last one, unless `latest` says otherwise.
 */
export async function sendUntilAvailable<Outcome extends Pick<BulkOutcome, 'userId' | 'problem'>>(
  userIds: readonly string[],
  send: (userIds: readonly string[]) => Promise<readonly Outcome[]>,
  latest: Latest<Outcome> = (_, outcome) => outcome,
): Promise<ReadonlyMap<string, Outcome>> {
  const answered = new Map<string, Outcome>();
  let waiting = userIds;
  for (let attempt = 1; attempt <= maxAttempts && waiting.length > 0; attempt++) {
    for (const item of await send(waiting)) answered.set(item.userId, latest(answered.get(item.userId), item));
    waiting = waiting.filter((userId) => answered.get(userId)?.problem?.code === 'unavailable');
  }
  return answered;
}
