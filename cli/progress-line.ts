import type { BulkOutcome } from '#shared/contract/management.ts';
import type { Terminal } from './terminal.ts';

/** How many users came out how. */
export type Tally = Readonly<Record<BulkOutcome['outcome'], number>>;

export interface ProgressLine {
  show(tally: Tally): void;
  /** Leaves the line to what comes next. */
  end(): void;
}

const barWidth = 24;

/** How far it is, on stderr: a bar that moves on a terminal, else a line each time. */
export function progressLine({ stderr, note }: Terminal, total: number): ProgressLine {
  if (!stderr.isTTY) return { show: (tally) => note(counts(tally, total)), end: () => undefined };
  let open = false;
  return {
    show: (tally) => {
      open = true;
      stderr.write(`\r\u001b[K${bar(sum(tally) / total)} ${counts(tally, total)}`);
    },
    end: () => {
      if (open) stderr.write('\n');
    },
  };
}

/** `300 of 1,000 users: 290 changed, 8 unchanged, 2 failed`. */
export function counts(tally: Tally, total: number): string {
  const { changed, unchanged, failed } = tally;
  const of = sum(tally) === total ? '' : ` of ${format(total)}`;
  return `${format(sum(tally))}${of} users: ${format(changed)} changed, ${format(unchanged)} unchanged, ${format(failed)} failed`;
}

export function tallyOf(outcomes: ReadonlyMap<string, BulkOutcome>): Tally {
  const tally = { changed: 0, unchanged: 0, failed: 0 };
  for (const { outcome } of outcomes.values()) tally[outcome]++;
  return tally;
}

function bar(done: number): string {
  const full = Math.floor(done * barWidth);
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}] ${String(Math.floor(done * 100)).padStart(3)} %`;
}

function sum({ changed, unchanged, failed }: Tally): number {
  return changed + unchanged + failed;
}

function format(number: number): string {
  return number.toLocaleString('en');
}
