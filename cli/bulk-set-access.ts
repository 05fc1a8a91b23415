import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { maxUsersPerBulk } from '#shared/contract/limits.ts';
import type { BulkOutcome } from '#shared/contract/management.ts';
import { type BulkCommand, type BulkProgress, noProgress, openProgress } from './bulk-progress.ts';
import { showBulkReport } from './bulk-report.ts';
import { CliError, exitCodes, notSent } from './cli-error.ts';
import type { Work } from './kit.ts';
import { onInterrupt } from './on-interrupt.ts';
import { progressLine, tallyOf } from './progress-line.ts';
import { readUsersFile } from './read-user-ids.ts';

export interface BulkOptions {
  readonly usersFile: string;
  readonly failuresFile?: string;
}

/** What all the users get. */
export type BulkSetting = Omit<BulkCommand, 'url'> & {
  /** The moment that `until` means now. */
  readonly untilMoment: string | null;
};

type Outcomes = Map<string, BulkOutcome>;

/**
 * Sets the access of every user of a file, a hundred at a time. Ctrl-C stops between two requests, and the same command
 * goes on from there: it skips who is changed or unchanged, and tries who failed again.
 */
export async function bulkSetAccess(work: Work<BulkOptions>, setting: BulkSetting): Promise<void> {
  const { terminal, options } = work;
  const ids = await readUsersFile(options.usersFile, terminal);
  if (options.failuresFile !== undefined) clearFailures(options.failuresFile, options.usersFile);
  const progress = open(work, setting);
  const outcomes = settledBefore(progress, ids);
  if (outcomes.size > 0) terminal.note(`Going on: ${outcomes.size} of ${ids.length} users were done before.`);
  const waiting = ids.filter((id) => !outcomes.has(id));
  const error = await sendAll(work, { setting, waiting, outcomes, progress }).catch((failure: unknown) => failure);
  if (outcomes.size === 0 || outcomes.size === ids.length) progress.finish();
  showBulkReport(work, outcomes, ids.length);
  if (error !== undefined) throw withWayOn(error, work, { done: outcomes.size, total: ids.length });
  const { failed } = tallyOf(outcomes);
  if (failed > 0) throw new CliError(`${failed} of ${ids.length} users failed.`);
}

/** Who failed is tried again. */
function settledBefore({ outcomes }: BulkProgress, ids: readonly string[]): Outcomes {
  const settled = outcomes.filter(({ outcome }) => outcome !== 'failed');
  const byId = new Map(settled.map((outcome) => [outcome.userId, outcome]));
  return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((outcome) => [outcome.userId, outcome]));
}

interface Run {
  readonly setting: BulkSetting;
  readonly waiting: readonly string[];
  readonly outcomes: Outcomes;
  readonly progress: BulkProgress;
}

/** Whatever stops it, `outcomes` has what was done until then. */
async function sendAll(work: Work, { setting, waiting, outcomes, progress }: Run): Promise<void> {
  const line = progressLine(work.terminal, outcomes.size + waiting.length);
  const say = () => work.terminal.note('', 'Stopping after the request under way …');
  try {
    await onInterrupt(say, async (interrupted) => {
      for (let from = 0; from < waiting.length; from += maxUsersPerBulk) {
        if (interrupted()) throw new CliError('Interrupted.', { exitCode: exitCodes.interrupted });
        const items = await sendBatch(work, waiting.slice(from, from + maxUsersPerBulk), { setting, progress });
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
  { client }: Work,
  userIds: readonly string[],
  { setting, progress }: Pick<Run, 'setting' | 'progress'>,
): Promise<readonly BulkOutcome[]> {
  const { appId, status, reason } = setting;
  const body = { userIds, status, reason, until: progress.until };
  const { items } = await client.call('set-access-in-bulk', { path: { appId }, body });
  const answered = new Map(items.map((item) => [item.userId, item]));
  const silent = { code: 'no_outcome', detail: 'The answer says nothing about this user.' };
  return userIds.map((userId) => answered.get(userId) ?? { userId, outcome: 'failed', problem: silent });
}

function open({ client, options }: Work<BulkOptions>, { untilMoment, ...command }: BulkSetting): BulkProgress {
  if (options.usersFile === '-') return noProgress(untilMoment);
  return openProgress(options.usersFile, { url: client.url, ...command }, untilMoment);
}

/** Written now, so that a place where one cannot write shows before anything is sent. */
function clearFailures(file: string, usersFile: string): void {
  if (resolve(file) === resolve(usersFile)) throw notSent('--failures-file must be another file than --users-file.');
  try {
    writeFileSync(file, '');
  } catch (cause) {
    throw notSent(`Cannot write ${file}: ${(cause as Error).message}`);
  }
}

function withWayOn(error: unknown, { options }: Work<BulkOptions>, at: { done: number; total: number }): unknown {
  if (!(error instanceof CliError) || at.done === 0) return error;
  const { exitCode, notes, cause, message } = error;
  const again =
    options.usersFile === '-'
      ? 'The same command begins anew, which is harmless.'
      : 'The same command goes on from there.';
  const sofar = `${at.done} of ${at.total} users are done. ${again}`;
  return new CliError(message, { exitCode, cause, notes: [...notes, sofar] });
}
