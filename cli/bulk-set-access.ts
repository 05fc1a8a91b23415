import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BulkOutcome, maxUsersPerBulk } from '#shared/contract/access-lists.ts';
import { type BulkCommand, type BulkProgress, noProgress, openProgress } from './bulk-progress.ts';
import { progressLine, showBulkReport, tallyOf } from './bulk-report.ts';
import { CliError, exitCodes, notSent } from './cli-error.ts';
import type { CommandContext } from './command-context.ts';
import { readUsersFile } from './read-user-ids.ts';

export interface BulkOptions {
  readonly usersFile: string;
  readonly failuresFile?: string;
}

/** The access setting that all the users get. */
export type BulkSetting = Omit<BulkCommand, 'url'> & {
  /** The timestamp that `until` stands for now. */
  readonly untilTimestamp: string | null;
};

type Outcomes = Map<string, BulkOutcome>;

/**
 * Sets the access of every user in a file, a hundred at a time. Ctrl-C stops between two requests. The same command then
 * resumes: it skips users that are changed or unchanged, and retries those that failed.
 */
export async function bulkSetAccess(context: CommandContext<BulkOptions>, setting: BulkSetting): Promise<void> {
  const { terminal, options } = context;
  const ids = await readUsersFile(options.usersFile, terminal);
  if (options.failuresFile !== undefined) clearFailures(options.failuresFile, options.usersFile);
  const progress = openRun(context, setting);
  const outcomes = finishedBefore(progress, ids);
  if (outcomes.size > 0) terminal.note(`Resuming: ${outcomes.size} of ${ids.length} users are done already.`);
  const waiting = ids.filter((id) => !outcomes.has(id));
  const error = await sendAll(context, { setting, waiting, outcomes, progress }).catch((failure: unknown) => failure);
  if (outcomes.size === 0 || outcomes.size === ids.length) progress.finish();
  showBulkReport(context, outcomes, ids.length);
  if (error !== undefined) throw withResumeHint(error, context, { done: outcomes.size, total: ids.length });
  const { failed } = tallyOf(outcomes);
  if (failed > 0) throw new CliError(`${failed} of ${ids.length} users failed.`);
}

function openRun(
  { client, options }: CommandContext<BulkOptions>,
  { untilTimestamp, ...command }: BulkSetting,
): BulkProgress {
  if (options.usersFile === '-') return noProgress(untilTimestamp);
  return openProgress(options.usersFile, { url: client.url, ...command }, untilTimestamp);
}

/** The outcomes to keep from an earlier run; users that failed are left out, so that they are retried. */
function finishedBefore({ outcomes }: BulkProgress, ids: readonly string[]): Outcomes {
  const finished = outcomes.filter(({ outcome }) => outcome !== 'failed');
  const byId = new Map(finished.map((outcome) => [outcome.userId, outcome]));
  return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
}

interface Run {
  readonly setting: BulkSetting;
  readonly waiting: readonly string[];
  readonly outcomes: Outcomes;
  readonly progress: BulkProgress;
}

/** Adds each answered batch to `outcomes`, so that they are complete up to any failure. */
async function sendAll(context: CommandContext, { setting, waiting, outcomes, progress }: Run): Promise<void> {
  const line = progressLine(context.terminal, outcomes.size + waiting.length);
  const onInterrupt = () => context.terminal.note('', 'Stopping after the current request …');
  try {
    await untilInterrupted(onInterrupt, async (isInterrupted) => {
      for (let from = 0; from < waiting.length; from += maxUsersPerBulk) {
        if (isInterrupted()) throw new CliError('Interrupted.', { exitCode: exitCodes.interrupted });
        const items = await sendBatch(context, waiting.slice(from, from + maxUsersPerBulk), { setting, progress });
        progress.add(items);
        for (const item of items) outcomes.set(item.userId, item);
        line.show(tallyOf(outcomes));
      }
    });
  } finally {
    line.end();
  }
}

async function sendBatch(
  { client }: CommandContext,
  userIds: readonly string[],
  { setting, progress }: Pick<Run, 'setting' | 'progress'>,
): Promise<readonly BulkOutcome[]> {
  const { appId, status, reason } = setting;
  const body = { userIds, status, reason, until: progress.until };
  const { items } = await client.call('set-access-in-bulk', { path: { appId }, body });
  const answered = new Map(items.map((item) => [item.userId, item]));
  const missing = { code: 'no_outcome', detail: 'The answer has no outcome for this user.' };
  return userIds.map((userId) => answered.get(userId) ?? { userId, outcome: 'failed', problem: missing });
}

/** npm forwards the Ctrl-C that the terminal has also sent to this process, so the same one arrives twice. */
const duplicateSignalMilliseconds = 500;

/** Runs `work`, which polls whether the first Ctrl-C or SIGTERM has come; a second one ends the process at once. */
async function untilInterrupted(
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
  if (resolve(file) === resolve(usersFile)) throw notSent('--failures-file must be another file than --users-file.');
  try {
    writeFileSync(file, '');
  } catch (cause) {
    throw notSent(`Cannot write ${file}: ${(cause as Error).message}`);
  }
}

function withResumeHint(
  error: unknown,
  { options }: CommandContext<BulkOptions>,
  { done, total }: { readonly done: number; readonly total: number },
): unknown {
  if (!(error instanceof CliError) || done === 0) return error;
  const { exitCode, notes, cause, message } = error;
  const effect = options.usersFile === '-' ? 'start again from the first user, which is safe' : 'resume';
  const hint = `${done} of ${total} users are done. Run the same command again to ${effect}.`;
  return new CliError(message, { exitCode, cause, notes: [...notes, hint] });
}
