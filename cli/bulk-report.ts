import { writeFileSync } from 'node:fs';
import type { BulkOutcome } from '#shared/contract/management.ts';
import { printable } from './display-width.ts';
import type { Work } from './kit.ts';
import { type Column, createTable } from './print-table.ts';
import { counts, tallyOf } from './progress-line.ts';

interface Failure {
  readonly userId: string;
  readonly code: string;
  readonly detail: string;
}

const columns: readonly Column<Failure>[] = [
  { title: 'FAILED', cell: ({ userId }) => userId },
  { title: 'CODE', cell: ({ code }) => code },
  { title: 'DETAIL', cell: ({ detail }) => detail },
];

/** Says what became of the users of a file, and keeps the ids that failed where `--failures-file` says. */
export function showBulkReport(
  { options, show, terminal }: Work<{ readonly failuresFile?: string }>,
  outcomes: ReadonlyMap<string, BulkOutcome>,
  total: number,
): void {
  const failures = [...outcomes.values()].flatMap(failureOf);
  if (options.failuresFile !== undefined) writeFailures(options.failuresFile, failures);
  const tally = tallyOf(outcomes);
  const report = { ...tally, notSent: total - outcomes.size, failures };
  show(report, ...createTable(columns, terminal.style)(failures), `${counts(tally, total)}.`);
}

function failureOf({ userId, outcome, problem }: BulkOutcome): Failure[] {
  return outcome === 'failed' ? [{ userId, code: problem?.code ?? 'unknown', detail: problem?.detail ?? '' }] : [];
}

/** A file of ids again, with the reasons as comments. */
function writeFailures(file: string, failures: readonly Failure[]): void {
  const lines = failures.map(({ userId, code, detail }) => `${userId} # ${code}: ${printable(detail)}\n`);
  writeFileSync(file, lines.join(''));
}
