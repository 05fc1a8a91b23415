import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BulkOutcome, maxUsersPerBulk, outcomeAfter } from '#shared/contract/bulk.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError, exitCodes, notSent, notWritten, withNote } from '../terminal/cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type BulkCommand, type BulkProgress, noProgress, openProgress } from './bulk-progress.ts';
import { progressLine, showBulkReport, tallyOf } from './bulk-report.ts';
import { readUsersFile } from './read-users.ts';

export interface BulkOptions {
  readonly usersFile: string;
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
}

/** One request of a bulk run. */
export interface BulkBatch {
  readonly userIds: readonly string[];
  readonly bulkId?: string;
  readonly dryRun?: boolean;
}

/** How a batch is sent. */
export interface BulkSending {
  readonly end: string | null;
  /** The service answers each user as it answered the first request with this key that took effect for the user. */
  readonly idempotencyKey: string;
}

/** The operation on all users. */
export interface BulkTask {
  /** Identifies an interrupted run. */
  readonly command: Omit<BulkCommand, 'url'>;
  /** The timestamp that an end such as `2h` stands for. A resumed run uses the timestamp of the first run. */
  readonly end?: string | null;
  readonly send: (batch: BulkBatch, sending: BulkSending) => Promise<{ readonly items: readonly BulkOutcome[] }>;
  /** The words of the command that undoes the whole run, by its id, if the program has that command. */
  readonly undo: (bulkId: string) => readonly string[];
  /** False if that command will find nothing, unless an earlier process began the run. Default: true. */
  readonly canUndo?: boolean;
  /** What that command does not undo. Default: nothing. */
  readonly undoLimits?: readonly string[];
  /** The ids of users who are known to need no change, and are not sent. Default: none. */
  readonly unchanged?: readonly string[];
  /** Whether the users who are sent are known to need the change. Default: false. */
  readonly isChecked?: boolean;
  /** Divides the ids into requests. Default: a hundred each. */
  readonly batches?: (ids: readonly string[]) => readonly (readonly string[])[];
}

type Outcomes = Map<string, BulkOutcome>;

/** How many users have been processed. */
interface Done {
  readonly done: number;
  readonly total: number;
}

/** Runs an operation for every user in a file of ids. */
export async function runForFile(context: CommandContext<BulkOptions>, task: BulkTask): Promise<void> {
  const { terminal, options } = context;
  const ids = await readUsersFile(options.usersFile, terminal, (names) => findUsers(context, names));
  await runBulk(context, { ...task, ids });
}

async function findUsers({ client }: CommandContext, names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await eachOf(inBatches(names, maxUsersPerBulk), async (batch) => {
    const { items } = await client.call('resolve-users', { body: { names: batch } });
    for (const { name, users } of items) if (users.some(({ userId }) => userId === name)) found.add(name);
  });
  return found;
}

/**
 * Processes many users, a hundred per request, with several requests at once. Ctrl-C stops after the current requests. The
 * same command then resumes: it skips changed and unchanged users, and retries those that failed.
 */
export async function runBulk(
  context: CommandContext<BulkOptions>,
  task: BulkTask & { readonly ids: readonly string[] },
): Promise<void> {
  const { terminal, options } = context;
  const { ids } = task;
  context.announce();
  if (options.failuresFile !== undefined) clearFailures(options.failuresFile, options.usersFile);
  const progress = openRun(context, task);
  const outcomes = finishedBefore(progress, task);
  noteResumption(terminal, progress, { done: outcomes.size, total: ids.length });
  const waiting = ids.filter((id) => !outcomes.has(id));
  const error = await sendAll(context, { task, waiting, outcomes, progress }).catch((failure: unknown) => failure);
  if (outcomes.size === 0 || outcomes.size === ids.length) progress.finish();
  const sorted = new Map(ids.flatMap((id) => outcomes.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
  const { bulkId } = progress;
  const isIncomplete = outcomes.size < ids.length;
  const canUndo = progress.isResumed || (task.canUndo !== false && (isIncomplete || hasEffect(outcomes)));
  const words = task.undo(bulkId);
  const undo = canUndo && context.hasCommand(...words) && context.commandLine(...words);
  const facts = { bulkId, ...(undo && { undo }) };
  showBulkReport(context, sorted, { total: ids.length, ...(!options.dryRun && facts) });
  if (undo && !options.dryRun) terminal.note(`Bulk: ${bulkId}`, `Undo with: ${undo}`, ...(task.undoLimits ?? []));
  if (error !== undefined) throw withResumeHint(error, context, { done: outcomes.size, total: ids.length });
  const { failed } = tallyOf(outcomes);
  if (failed > 0) throw new CliError(`${failed} of ${countOf(ids.length, 'user')} failed.`);
}

function noteResumption(terminal: Terminal, { isResumed }: BulkProgress, { done, total }: Done): void {
  if (isResumed && done > 0) terminal.note(`Resuming: ${done} of ${countOf(total, 'user')} already done.`);
}

function openRun({ client, options }: CommandContext<BulkOptions>, { command, end = null }: BulkTask): BulkProgress {
  if (options.usersFile === '-' || options.dryRun) return noProgress(end);
  return openProgress(options.usersFile, { url: client.url, ...command }, end);
}

/** Whether a user was changed, or may have been. */
function hasEffect(outcomes: Outcomes): boolean {
  return [...outcomes.values()].some((outcome) => outcome.outcome === 'changed' || isUncertain(outcome));
}

/** Whether the user may have been changed: these codes do not say. */
function isUncertain({ problem }: BulkOutcome): boolean {
  return ['unavailable', 'no_outcome'].includes(problem?.code ?? '');
}

/**
 * The outcomes that need no request: those of an earlier run, except of failed users, who are retried, and of users who are
 * known to need no change.
 */
function finishedBefore(
  { outcomes }: BulkProgress,
  { ids, unchanged = [] }: Pick<BulkTask, 'unchanged'> & { readonly ids: readonly string[] },
): Outcomes {
  const finished = outcomes.filter(({ outcome }) => outcome !== 'failed');
  const known = unchanged.map((userId): BulkOutcome => ({ userId, outcome: 'unchanged' }));
  const byId = new Map([...known, ...finished].map((outcome) => [outcome.userId, outcome]));
  return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
}

interface Run {
  readonly task: BulkTask;
  readonly waiting: readonly string[];
  readonly outcomes: Outcomes;
  readonly progress: BulkProgress;
}

/** Adds each answered batch to `outcomes`, so that they are complete even after a failure. */
async function sendAll(context: CommandContext<BulkOptions>, run: Run): Promise<void> {
  const { task, waiting, outcomes, progress } = run;
  const line = progressLine(context.terminal, outcomes.size + waiting.length);
  const onInterrupt = () => context.terminal.note('', 'Stopping after the current requests …');
  const batches = keyedParts(run).flatMap(({ userIds, idempotencyKey }) =>
    (task.batches?.(userIds) ?? inBatches(userIds, maxUsersPerBulk)).map((batch) => ({
      userIds: batch,
      idempotencyKey,
    })),
  );
  const send = async (batch: KeyedPart) => {
    const items = await sendBatch(context, run, batch);
    progress.add(items);
    for (const item of items) outcomes.set(item.userId, item);
    line.show(tallyOf(outcomes));
  };
  try {
    await untilInterrupted(onInterrupt, async (isInterrupted) => {
      await eachOf(batches, send, isInterrupted);
      const isComplete = waiting.every((id) => outcomes.has(id));
      if (!isComplete) throw new CliError('Interrupted.', { exitCode: exitCodes.interrupted });
    });
  } finally {
    line.end();
  }
}

/** Users who are sent with the same Idempotency-Key. */
interface KeyedPart {
  readonly userIds: readonly string[];
  readonly idempotencyKey: string;
}

/**
 * The id of the run is the key, also after a process was killed before it had the answers. Users for whom an earlier process
 * was refused need another one: with the same key, the service would repeat the refusal.
 */
function keyedParts({ waiting, progress: { outcomes, bulkId } }: Run): KeyedPart[] {
  const refused = new Set(outcomes.filter((outcome) => !isUncertain(outcome)).map(({ userId }) => userId));
  const [again, first] = [true, false].map((wanted) => waiting.filter((id) => refused.has(id) === wanted));
  return [
    { userIds: first ?? [], idempotencyKey: bulkId },
    { userIds: again ?? [], idempotencyKey: randomUUID() },
  ];
}

/** The number of concurrent requests. */
const requestsAtOnce = 4;

/**
 * Processes items, four at once. After a failure, or once stopped, no further one is begun; those that were begun end, and then
 * the first failure is thrown. `isStopped` tells work that takes several requests.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item, isStopped: () => boolean) => Promise<void>,
  isInterrupted = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  const isStopped = () => failures.length > 0 || isInterrupted();
  const waiting = items.values();
  const workOn = async () => {
    for (const item of waiting) {
      if (isStopped()) return;
      await work(item, isStopped).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, workOn));
  if (failures.length > 0) throw failures[0];
}

/** Divides a list into parts of this size; the last one may be smaller. */
export function inBatches<Item>(items: readonly Item[], size: number): readonly Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

const maxAttempts = 3;

/** The outcomes of a batch; users for whom the service was unavailable are sent again, as the same call. */
async function sendBatch(
  { options }: CommandContext<BulkOptions>,
  { task, progress: { bulkId, until } }: Run,
  { userIds, idempotencyKey }: KeyedPart,
): Promise<readonly BulkOutcome[]> {
  const send = async (waiting: readonly string[]) => {
    const batch = { userIds: waiting, bulkId, ...(options.dryRun && { dryRun: true }) };
    return (await task.send(batch, { end: until, idempotencyKey })).items;
  };
  const answered = await sendUntilAvailable(userIds, send, task.isChecked ? outcomeAfter : undefined);
  const missing = { code: 'no_outcome', detail: 'The answer has no outcome for this user.' };
  return userIds.map((userId) => answered.get(userId) ?? { userId, outcome: 'failed', problem: missing });
}

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

/** The terminal sends Ctrl-C to this process and npm forwards it, so it arrives twice. */
const duplicateSignalMilliseconds = 500;

/** Runs `work`, which polls for a first Ctrl-C or SIGTERM; a second one ends the process immediately. */
export async function untilInterrupted(
  onInterrupt: () => void,
  work: (isInterrupted: () => boolean) => Promise<void>,
): Promise<void> {
  let firstAt: number | undefined;
  const stop = () => {
    if (firstAt !== undefined && Date.now() - firstAt > duplicateSignalMilliseconds)
      process.exit(exitCodes.interrupted);
    if (firstAt === undefined) onInterrupt();
    firstAt ??= Date.now();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await work(() => firstAt !== undefined);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Empties the file before anything is sent, so that a folder without write permission fails early. */
function clearFailures(file: string, usersFile: string): void {
  if (resolve(file) === resolve(usersFile)) throw notSent('--failures-file must differ from the file of users.');
  try {
    writeFileSync(file, '');
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

function withResumeHint(
  error: unknown,
  { options, again }: CommandContext<BulkOptions>,
  { done, total }: Done,
): unknown {
  if (done === 0) return error;
  const next =
    options.usersFile === '-'
      ? 'Run the same command again to start again from the first user, which is safe.'
      : `Resume with: ${again()}`;
  return withNote(error, `${done} of ${countOf(total, 'user')} done. ${next}`);
}
