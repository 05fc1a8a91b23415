import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import { notSent } from '../terminal/cli-error.ts';

/** The arguments of a bulk run; only an identical command resumes it. */
export interface BulkCommand {
  readonly url: string;
  readonly appId?: string;
  readonly role?: string;
  /** The new status, `granted` or `revoked`, or the digest of a file. */
  readonly status: string;
  readonly reason?: string | undefined;
  readonly ticket?: string | undefined;
  /** As typed, because `2h` is a different timestamp each time. */
  readonly until?: string | null;
}

/** The progress of a bulk run, kept next to the file of ids until all of them have been sent. */
export interface BulkProgress {
  /** The outcomes of an interrupted run of the same command. */
  readonly outcomes: readonly BulkOutcome[];
  /** The timestamp of the first run, so that all users get the same one. */
  readonly until: string | null;
  /** The id by which the whole run can be undone. */
  readonly bulkId: string;
  /** Whether an earlier process began this run. */
  readonly isResumed: boolean;
  add(items: readonly BulkOutcome[]): void;
  /** Removes the progress, so that the next run starts over. */
  finish(): void;
}

/** The first line of the file, which is JSON Lines; each batch adds a line with its outcomes. */
interface Head {
  readonly command: BulkCommand;
  readonly until: string | null;
  readonly bulkId: string;
  readonly startedAt: string;
}

/** Older progress is discarded: the users may have changed since, and a bulk id is valid for a day. */
const maxAgeMilliseconds = 23.5 * 3600 * 1000;

/** Opens `<file>.progress`. Discards progress of another command, older than a day, or with an `until` in the past. */
export function openProgress(file: string, command: BulkCommand, until: string | null, now = new Date()): BulkProgress {
  const path = `${file}.progress`;
  const saved = readSaved(path);
  const resumed = saved !== undefined && canResume(saved.head, command, now) ? saved : undefined;
  const head = resumed?.head ?? { command, until, bulkId: newBulkId(now.getTime()), startedAt: now.toISOString() };
  const outcomes = resumed?.outcomes ?? [];
  // Rewriting the file drops a line cut off by a crash.
  write(path, [head, ...(outcomes.length > 0 ? [outcomes] : [])]);
  return {
    outcomes,
    until: head.until,
    bulkId: head.bulkId,
    isResumed: resumed !== undefined,
    add: (items) => appendFileSync(path, `${JSON.stringify(items)}\n`),
    finish: () => rmSync(path, { force: true }),
  };
}

/** The progress of a run whose ids come from standard input, which cannot be resumed. */
export function noProgress(until: string | null): BulkProgress {
  const bulkId = newBulkId(Date.now());
  return { outcomes: [], until, bulkId, isResumed: false, add: () => undefined, finish: () => undefined };
}

function canResume(head: Head, command: BulkCommand, now: Date): boolean {
  if (JSON.stringify(head.command) !== JSON.stringify(command)) return false;
  if (now.getTime() - Date.parse(head.startedAt) > maxAgeMilliseconds) return false;
  return head.until === null || Date.parse(head.until) > now.getTime();
}

function readSaved(path: string): { readonly head: Head; readonly outcomes: readonly BulkOutcome[] } | undefined {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [head, ...batches] = lines.flatMap(parse);
  if (typeof head !== 'object' || head === null || !('command' in head) || !('bulkId' in head)) return undefined;
  return { head: head as Head, outcomes: (batches as BulkOutcome[][]).flat() };
}

function parse(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function write(path: string, lines: readonly unknown[]): void {
  try {
    writeWhole(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  } catch (cause) {
    throw notSent(`Cannot write the progress file ${path}: ${(cause as Error).message}`, [
      'Copy the ids to a writable folder or, if the command allows it, pass them on standard input: --users-file -',
    ]);
  }
}
