import { resolve } from 'node:path';
import type { CommandContext } from '#cli/service/command-context.ts';
import type { ReasonOptions } from '#cli/terminal/arguments.ts';
import { CliError, notSent, notWritten } from '#cli/terminal/cli-error.ts';
import { countOf } from '#shared/contract/wording.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import type { ImportFile } from '../import/import-file.ts';
import { confirmations, describeDifference, type ImportPlan, needsConfirmation } from '../import/import-plan.ts';
import type { RejectedRow } from '../import/rejected-rows.ts';

export interface ImportOptions extends ReasonOptions {
  readonly reactivate?: boolean;
  readonly unblock?: boolean;
  readonly skipRejected?: boolean;
  readonly rejectedFile?: string;
  readonly dryRun?: boolean;
}

/** A file, and what importing it would do. */
interface Shown {
  readonly plan: ImportPlan;
  readonly rejected: readonly RejectedRow[];
  readonly read: ImportFile;
}

/** Says what will change, before anything does: the result of a dry run, and otherwise on stderr. */
export function showPlan(
  { options, show, terminal }: CommandContext<ImportOptions>,
  { plan, rejected, read }: Shown,
): void {
  const { differences, changing, unchanged } = plan;
  const lines = differences.map((difference) => `${describeDifference(difference)}.`);
  if (options.dryRun !== true) {
    terminal.note(...lines);
    return;
  }
  show(
    {
      changed: changing.length,
      unchanged,
      differences,
      rejected: rejected.map(({ line, problem }) => ({ line, problem })),
    },
    ...lines,
    `Dry run, nothing was written: ${countOf(changing.length, 'user')} would change, ${unchanged.toLocaleString('en')} would not, and ${countOf(rejected.length, 'row')} of ${read.rowCount.toLocaleString('en')} would be rejected.`,
  );
}

interface Source {
  readonly context: CommandContext<ImportOptions>;
  readonly file: string;
  readonly read: ImportFile;
}

/** Writes the rejected rows next to the file; returns what to tell about it. */
export function writeRejected({ context, file, read }: Source, rejected: readonly RejectedRow[]): string[] {
  const { rejectedFile } = context.options;
  if (rejected.length === 0) return [];
  const path = rejectedFile ?? (file === '-' ? undefined : rejectedName(file, read));
  if (path === undefined) return [];
  if (file !== '-' && resolve(path) === resolve(file))
    throw notSent('--rejected-file must differ from the file itself.');
  try {
    writeWhole(path, read.write(rejected), { mode: 0o600 });
  } catch (cause) {
    throw notWritten(path, cause);
  }
  return [`The rejected rows are in ${path}. Correct them there, and import that file.`];
}

/** `people.csv`, `people.rejected.csv`, `people.rejected-2.csv`, so that no file that is imported is overwritten. */
function rejectedName(file: string, { extension }: ImportFile): string {
  const [, base = file, isAgain, count = '1'] = /^(.*?)(\.rejected(?:-(\d+))?)?(?:\.(?:csv|jsonl))?$/i.exec(file) ?? [];
  return `${base}.rejected${isAgain === undefined ? '' : `-${Number(count) + 1}`}.${extension}`;
}

const maxShownProblems = 10;

/** The error for a file with rejected rows, which changes nothing. */
export function refusal(
  { rowCount }: ImportFile,
  rejected: readonly RejectedRow[],
  notes: readonly string[],
): CliError {
  const more = rejected.length - maxShownProblems;
  return new CliError(
    `${rejected.length.toLocaleString('en')} of ${countOf(rowCount, 'row')} rejected. Nothing was changed.`,
    {
      notes: [
        ...rejected.slice(0, maxShownProblems).map(({ line, problem }) => `line ${line}: ${problem}`),
        ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : []),
        ...notes,
        'To import the other rows now, add --skip-rejected.',
      ],
    },
  );
}

/** What gives access back must be allowed by an option of its own. */
export function requireConfirmed({ differences }: ImportPlan, options: ImportOptions): void {
  const missing = differences.filter(needsConfirmation).filter(({ effect }) => options[confirmations[effect]] !== true);
  if (missing.length === 0) return;
  const needed = new Set(missing.map(({ effect }) => confirmations[effect]));
  throw notSent(
    `${missing.map(describeDifference).join(', ')}. Nothing was changed.`,
    [...needed].map((option) => `Add --${option} to allow that, or correct the file.`),
  );
}
