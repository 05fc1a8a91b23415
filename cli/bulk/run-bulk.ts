import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isUncertain, runBulk } from '#client/management/bulk-run.ts';
import { eachOf, inBatches } from '#client/management/each-of.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { maxUsersPerBulk } from '#shared/contract/bulk-calls.ts';
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
  await runForIds(context, { ...task, ids });
}

async function findUsers({ client }: CommandContext, names: readonly string[]) {
  const found = new Map<string, readonly string[]>();
  await eachOf(inBatches(names, maxUsersPerBulk), async (batch) => {
    const { items } = await client.call('resolve-users', { body: { names: batch } });
    for (const { name, users } of items)
      if (users.length > 0)
        found.set(
          name,
          users.map(({ userId }) => userId),
        );
  });
  return found;
}

/**
 * Processes many users, a hundred per request, with several requests at once. Ctrl-C stops after the current requests. The
 * same command then resumes: it skips changed and unchanged users, and retries those that failed.
 */
export async function runForIds(
  context: CommandContext<BulkOptions>,
  task: BulkTask & { readonly ids: readonly string[] },
): Promise<void> {
  const { terminal, options } = context;
  const { ids } = task;
  context.announce();
  if (options.failuresFile !== undefined) clearFailures(options.failuresFile, options.usersFile);
  const progress = openRun(context, task);
  const outcomes = knownBefore(progress, task);
  const done = [...outcomes.values()].filter(isFinished).length;
  noteResumption(terminal, progress, { done, total: ids.length });
  const error = await sendAll(context, { task, ids, outcomes, progress }).catch((failure: unknown) => failure);
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

/** The outcomes of an earlier run, and those of users who are known to need no change, in the order of the ids. */
function knownBefore(
  { outcomes }: BulkProgress,
  { ids, unchanged = [] }: Pick<BulkTask, 'unchanged'> & { readonly ids: readonly string[] },
): Outcomes {
  const known = unchanged.map((userId): BulkOutcome => ({ userId, outcome: 'unchanged' }));
  const [failed, finished] = [false, true].map((wanted) => outcomes.filter((each) => isFinished(each) === wanted));
  const byId = new Map([failed, known, finished].flatMap((each = []) => each.map((one) => [one.userId, one] as const)));
  return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
}

function isFinished({ outcome }: BulkOutcome): boolean {
  return outcome !== 'failed';
}

interface Run {
  readonly task: BulkTask;
  readonly ids: readonly string[];
  readonly outcomes: Outcomes;
  readonly progress: BulkProgress;
}

/** Adds each answered batch to `outcomes`, so that they are complete even after a failure. */
async function sendAll({ terminal, options }: CommandContext<BulkOptions>, run: Run): Promise<void> {
  const { task, ids, outcomes, progress } = run;
  const { bulkId, until: end } = progress;
  const line = progressLine(terminal, ids.length);
  const onInterrupt = () => terminal.note('', 'Stopping after the current requests …');
  try {
    line.show(tallyOf(outcomes));
    await untilInterrupted(onInterrupt, async (isStopped) => {
      await runBulk({
        userIds: ids,
        bulkId,
        outcomes,
        isStopped,
        isChecked: task.isChecked ?? false,
        ...(task.batches && { batches: task.batches }),
        send: ({ idempotencyKey, ...batch }) =>
          task.send({ ...batch, ...(options.dryRun && { dryRun: true }) }, { end, idempotencyKey }),
        onOutcomes: (items) => {
          progress.add(items);
          line.show(tallyOf(outcomes));
        },
      });
      if (outcomes.size < ids.length) throw new CliError('Interrupted.', { exitCode: exitCodes.interrupted });
    });
  } finally {
    line.end();
  }
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
