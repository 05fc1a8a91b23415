import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AccessStatus } from '#shared/contract/access.ts';
import type { BulkOutcome } from '#shared/contract/management.ts';
import { notSent } from './cli-error.ts';

/** What a run was asked to do; only the very same command goes on where it stopped. */
export interface BulkCommand {
  readonly url: string;
  readonly appId: string;
  readonly status: AccessStatus;
  readonly reason: string | null;
  /** As it was typed: `2h` is another moment each time. */
  readonly until: string | null;
}

/** How far a run has come, kept beside the file of ids until all of them have been sent. */
export interface BulkProgress {
  /** What an interrupted run of the same command has got done. */
  readonly outcomes: readonly BulkOutcome[];
  /** The moment of the first run, so that all users get the same one. */
  readonly until: string | null;
  add(items: readonly BulkOutcome[]): void;
  /** All have been sent: the next run begins anew. */
  finish(): void;
}

/** JSON Lines: this first, then the outcomes of each batch, added when it was answered. */
interface Head {
  readonly command: BulkCommand;
  readonly until: string | null;
  readonly startedAt: string;
}

/** What was done longer ago may not hold any more. */
const trustedMilliseconds = 24 * 3600 * 1000;

/** Opens the progress beside a file of ids; the one of another command, of a past day or of a past `until` is given up. */
export function openProgress(file: string, command: BulkCommand, until: string | null, now = new Date()): BulkProgress {
  const path = `${file}.progress`;
  const kept = readKept(path);
  const resumed = kept !== undefined && canGoOn(kept.head, command, now) ? kept : undefined;
  const head = resumed?.head ?? { command, until, startedAt: now.toISOString() };
  const outcomes = resumed?.outcomes ?? [];
  // Written anew, a line that a crash has cut off is gone.
  write(path, [head, ...(outcomes.length > 0 ? [outcomes] : [])]);
  return {
    outcomes,
    until: head.until,
    add: (items) => appendFileSync(path, `${JSON.stringify(items)}\n`),
    finish: () => rmSync(path, { force: true }),
  };
}

/** Of standard input nothing is kept. */
export function noProgress(until: string | null): BulkProgress {
  return { outcomes: [], until, add: () => undefined, finish: () => undefined };
}

function canGoOn(head: Head, command: BulkCommand, now: Date): boolean {
  if (JSON.stringify(head.command) !== JSON.stringify(command)) return false;
  if (now.getTime() - Date.parse(head.startedAt) > trustedMilliseconds) return false;
  return head.until === null || Date.parse(head.until) > now.getTime();
}

function readKept(path: string): { readonly head: Head; readonly outcomes: readonly BulkOutcome[] } | undefined {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [head, ...batches] = lines.flatMap(parse);
  if (typeof head !== 'object' || head === null || !('command' in head)) return undefined;
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
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  } catch (cause) {
    throw notSent(`Cannot keep the progress in ${path}: ${(cause as Error).message}`, [
      'Copy the ids to a folder where you can write, or pass them on standard input: --users-file -',
    ]);
  }
}
