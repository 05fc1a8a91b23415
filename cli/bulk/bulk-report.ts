import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { countOf } from '#shared/contract/wording.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import type { CommandContext } from '../service/command-context.ts';
import { type Column, createTable } from '../terminal/print-table.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';

/** The number of users for each outcome. */
export type Tally = Readonly<Record<BulkOutcome['outcome'], number>>;

export interface ProgressLine {
  show(tally: Tally): void;
  /** Ends the line, so that later output starts on a new one. */
  end(): void;
}

const barWidth = 24;

/** The lines of progress on anything but a terminal: one for each part of the users. */
const maxLines = 20;

/** Shows progress on stderr: a bar that is redrawn on a terminal, otherwise up to 20 lines. */
export function progressLine({ stderr, note }: Terminal, total: number): ProgressLine {
  let [open, noted] = [false, -1];
  if (!stderr.isTTY) {
    const show = (tally: Tally) => {
      const part = Math.floor((sum(tally) * maxLines) / total);
      if (part > noted) note(formatTally(tally, total));
      noted = part;
    };
    return { show, end: () => undefined };
  }
  return {
    show: (tally) => {
      open = true;
      stderr.write(`\r\u001b[K${bar(sum(tally) / total)} ${formatTally(tally, total)}`);
    },
    end: () => {
      if (open) stderr.write('\n');
    },
  };
}

export function tallyOf(outcomes: ReadonlyMap<string, BulkOutcome>): Tally {
  const tally = { changed: 0, unchanged: 0, failed: 0 };
  for (const { outcome } of outcomes.values()) tally[outcome]++;
  return tally;
}

interface Failure {
  readonly userId: string;
  readonly code: string;
  readonly detail: string;
}

const columns: readonly Column<Failure>[] = [
  { title: 'FAILED', cell: ({ userId }) => userId },
  { title: 'CODE', cell: ({ code }) => code },
  { title: 'DETAIL', isText: true, cell: ({ detail }) => detail },
];

/** The number of users in a bulk run and, unless it is a dry run, its id and the command that undoes it. */
export interface BulkFacts {
  readonly total: number;
  readonly bulkId?: string;
  readonly undo?: string;
}

/** Prints the outcome of a bulk run, and writes the failed ids to `--failures-file`. */
export function showBulkReport(
  { options, show, terminal }: CommandContext<{ readonly failuresFile?: string; readonly dryRun?: boolean }>,
  outcomes: ReadonlyMap<string, BulkOutcome>,
  { total, ...facts }: BulkFacts,
): void {
  const failures = [...outcomes.values()].flatMap(failureOf);
  if (options.failuresFile !== undefined) writeFailures(options.failuresFile, failures);
  const tally = tallyOf(outcomes);
  const report = { ...facts, ...tally, notSent: total - outcomes.size, failures };
  show(
    report,
    ...createTable(columns, terminal)(failures),
    `${options.dryRun ? 'Dry run, nothing was written: ' : ''}${formatTally(tally, total)}.`,
  );
}

function failureOf({ userId, outcome, problem }: BulkOutcome): Failure[] {
  return outcome === 'failed' ? [{ userId, code: problem?.code ?? 'unknown', detail: problem?.detail ?? '' }] : [];
}

/** Writes a file that `--users-file` accepts, with the reasons as comments. */
function writeFailures(file: string, failures: readonly Failure[]): void {
  const cellOf = (userId: string) => (/[,;]/.test(userId) ? `"${userId}"` : userId);
  const lines = failures.map(({ userId, code, detail }) => `${cellOf(userId)} # ${code}: ${printable(detail)}\n`);
  writeWhole(file, lines.join(''), { mode: 0o666 });
}

/** `1 user: 1 changed, 0 unchanged, 0 failed`, or `300 of 1,000 users: …` before all have been sent. */
function formatTally(tally: Tally, total: number): string {
  const { changed, unchanged, failed } = tally;
  const sent = sum(tally) === total ? '' : `${format(sum(tally))} of `;
  return `${sent}${countOf(total, 'user')}: ${format(changed)} changed, ${format(unchanged)} unchanged, ${format(failed)} failed`;
}

function bar(share: number): string {
  const full = Math.floor(share * barWidth);
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

function sum({ changed, unchanged, failed }: Tally): number {
  return changed + unchanged + failed;
}

function format(number: number): string {
  return number.toLocaleString('en');
}

/** Help for every command with `--users-file`. */
export const bulkGuide = `
The file of --users-file has one user id or e-mail address per line, several
divided by commas, semicolons or tabs, or is a CSV table with a column userId
or email. A line that is something else refuses the file, and quotation marks
keep an id together.

With --users-file, users are sent 100 at a time, four requests at once. Ctrl-C
stops after the current requests. The same command then resumes, within a day:
<file>.progress keeps the outcomes until all users have been sent.`;
