import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BulkOutcome, maxUsersPerBulk } from '#shared/contract/bulk.ts';
import type { CommandContext } from '../service/command-context.ts';
import { CliError, exitCodes, notSent, notWritten, withNote } from '../terminal/cli-error.ts';
import { type BulkCommand, type BulkProgress, noProgress, openProgress } from './bulk-progress.ts';
import { progressLine, showBulkReport, tallyOf } from './bulk-report.ts';
import { readUsersFile } from './read-user-ids.ts';

export interface BulkOptions {
  readonly usersFile: string;
  readonly failuresFile?: string;
  readonly dryRun?: boolean;
}

/** One request of a bulk. */
export interface BulkBatch {
  readonly userIds: readonly string[];
  readonly bulkId?: string;
  readonly dryRun?: boolean;
}

/** What is done for all the users. */
export interface BulkTask {
  /** By which an interrupted run is recognised. */
  readonly command: Omit<BulkCommand, 'url'>;
  /** The timestamp that an end such as `2h` stands for now; of a resumed run it is that of the first. */
  readonly end?: string | null;
  readonly send: (batch: BulkBatch, end: string | null) => Promise<{ readonly items: readonly BulkOutcome[] }>;
  /** The command that undoes the whole, by its id. */
  readonly undo: (bulkId: string) => string;
  /** What that command leaves as it is. Default: nothing. */
  readonly undoLimits?: readonly string[];
}

type Outcomes = Map<string, BulkOutcome>;

/** Does the same for every user in a file of ids. */
export async function runForFile(context: CommandContext<BulkOptions>, task: BulkTask): Promise<void> {
  const { terminal, options } = context;
  const ids = await readUsersFile(options.usersFile, terminal);
  await runBulk(context, { ...task, ids });
}

/**
 * Works on many users, a hundred at a time and some requests at once. Ctrl-C stops after those that are under way. The same
 * command then resumes: it skips users that are changed or unchanged, and retries those that failed.
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
  const outcomes = finishedBefore(progress, ids);
  if (outcomes.size > 0) terminal.note(`Resuming: ${outcomes.size} of ${ids.length} users are done already.`);
  const waiting = ids.filter((id) => !outcomes.has(id));
  const error = await sendAll(context, { task, waiting, outcomes, progress }).catch((failure: unknown) => failure);
  if (outcomes.size === 0 || outcomes.size === ids.length) progress.finish();
  const sorted = new Map(ids.flatMap((id) => outcomes.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
  const { bulkId } = progress;
  const undo = `auth-service ${task.undo(bulkId)}`;
  showBulkReport(context, sorted, { total: ids.length, ...(!options.dryRun && { bulkId, undo }) });
  // Also where nothing is known to have changed: an answer may have been lost.
  if (!options.dryRun) terminal.note(`Bulk: ${bulkId}`, `Undo with: ${undo}`, ...(task.undoLimits ?? []));
  const { failed } = tallyOf(outcomes);
  if (error !== undefined) throw withResumeHint(error, context, { done: outcomes.size, total: ids.length });
  if (failed > 0) throw new CliError(`${failed} of ${ids.length} users failed.`);
}

function openRun({ client, options }: CommandContext<BulkOptions>, { command, end = null }: BulkTask): BulkProgress {
  if (options.usersFile === '-' || options.dryRun) return noProgress(end);
  return openProgress(options.usersFile, { url: client.url, ...command }, end);
}

/** The outcomes to keep from an earlier run; users that failed are left out, so that they are retried. */
function finishedBefore({ outcomes }: BulkProgress, ids: readonly string[]): Outcomes {
  const finished = outcomes.filter(({ outcome }) => outcome !== 'failed');
  const byId = new Map(finished.map((outcome) => [outcome.userId, outcome]));
  return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
}

interface Run {
  readonly task: BulkTask;
  readonly waiting: readonly string[];
  readonly outcomes: Outcomes;
  readonly progress: BulkProgress;
}

/** Requests that are under way at once. */
const requestsAtOnce = 4;

/** Adds each answered batch to `outcomes`, so that they are complete up to any failure. */
async function sendAll(context: CommandContext<BulkOptions>, run: Run): Promise<void> {
  const { waiting, outcomes, progress } = run;
  const line = progressLine(context.terminal, outcomes.size + waiting.length);
  const onInterrupt = () => context.terminal.note('', 'Stopping after the current requests …');
  const batches = inBatches(waiting, maxUsersPerBulk).values();
  const failures: unknown[] = [];
  try {
    await untilInterrupted(onInterrupt, async (isInterrupted) => {
      const work = async () => {
        for (const userIds of batches) {
          const items = await sendBatch(context, run, userIds);
          progress.add(items);
          for (const item of items) outcomes.set(item.userId, item);
          line.show(tallyOf(outcomes));
          if (failures.length > 0 || isInterrupted()) return;
        }
      };
      const workers = Array.from({ length: requestsAtOnce }, () => work().catch((error) => failures.push(error)));
      await Promise.all(workers);
      if (failures.length > 0) throw failures[0];
      const isComplete = waiting.every((id) => outcomes.has(id));
      if (!isComplete) throw new CliError('Interrupted.', { exitCode: exitCodes.interrupted });
    });
  } finally {
    line.end();
  }
}

/** Divides a list into parts of this size, the last of which may be smaller. */
export function inBatches<Item>(items: readonly Item[], size: number): readonly Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

const maxAttempts = 3;

/** The outcomes of a batch; the users for whom the service was not available are sent again. */
async function sendBatch(
  { options }: CommandContext<BulkOptions>,
  { task, progress: { bulkId, until } }: Run,
  userIds: readonly string[],
): Promise<readonly BulkOutcome[]> {
  const answered = new Map<string, BulkOutcome>();
  let waiting = userIds;
  for (let attempt = 1; attempt <= maxAttempts && waiting.length > 0; attempt++) {
    const batch = { userIds: waiting, bulkId, ...(options.dryRun && { dryRun: true }) };
    const { items } = await task.send(batch, until);
    for (const item of items) answered.set(item.userId, item);
    waiting = waiting.filter((userId) => answered.get(userId)?.problem?.code === 'unavailable');
  }
  const missing = { code: 'no_outcome', detail: 'The answer has no outcome for this user.' };
  return userIds.map((userId) => answered.get(userId) ?? { userId, outcome: 'failed', problem: missing });
}

/** npm forwards the Ctrl-C that the terminal has also sent to this process, so the same one arrives twice. */
const duplicateSignalMilliseconds = 500;

/** Runs `work`, which polls whether the first Ctrl-C or SIGTERM has come; a second one ends the process at once. */
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
  if (resolve(file) === resolve(usersFile)) throw notSent('--failures-file must be another file than the users.');
  try {
    writeFileSync(file, '');
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

function withResumeHint(
  error: unknown,
  { options }: CommandContext<BulkOptions>,
  { done, total }: { readonly done: number; readonly total: number },
): unknown {
  if (done === 0) return error;
  const effect = options.usersFile === '-' ? 'start again from the first user, which is safe' : 'resume';
  return withNote(error, `${done} of ${total} users are done. Run the same command again to ${effect}.`);
}
