import type { CommandContext } from '#cli/service/command-context.ts';
import { CliError } from '#cli/terminal/cli-error.ts';
import { readInput } from '#cli/terminal/read-input.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { checkChains, type Finding } from '#shared/integrity/check-chains.ts';
import type { FoldedChanges } from '#shared/integrity/fold-changes.ts';
import { breakView, firstOfEachKind, sentence } from '../export-breaks.ts';
import { isArchive } from '../history-archive.ts';
import { missingChanges } from '../missing-changes.ts';
import { findChangedBy } from './ask-verdicts.ts';
import { nameOf } from './json-file.ts';
import { parseExportedChanges, readExportedChanges } from './read-exported-changes.ts';
import { readTableExport } from './read-table-export.ts';
import { reportState } from './report-state.ts';
import { verifyArchive } from './verify-archive.ts';
import { type HeadsOptions, olderThanExport, readRuns, reportHeads } from './verify-heads.ts';

export interface VerifyOptions extends HeadsOptions {
  /** The application of an exported application history. Default: the export is the global history. */
  readonly app?: string;
  /** An export of the table, to compare with the changes. Default: none. */
  readonly state?: string;
  /** Changes that were kept elsewhere, all of which the export must contain. Default: none. */
  readonly witness?: string;
}

/**
 * Verifies an export: the links locally, and the MACs through the service, which alone has the key and receives no personal
 * data. Prints the first break of each kind, and fails if there is one.
 */
export async function verifyHistory(context: CommandContext<VerifyOptions>, file: string): Promise<void> {
  const { options, terminal } = context;
  const bytes = await readInput(file, terminal);
  if (isArchive(bytes)) {
    const { app, state, witness, heads } = options;
    if ([app, state, witness, heads].every((option) => option === undefined))
      return verifyArchive(context, file, bytes);
    throw context.usageError(
      'An archive is verified without options: extract its changes.json to verify that with them.',
    );
  }
  const runs = await readRuns(options, terminal);
  const exported = parseExportedChanges(Buffer.from(bytes).toString('utf8'), nameOf(file));
  const read = options.witness === undefined ? [] : await readExportedChanges(options.witness, terminal);
  const { changes, witnessed } = together(exported, read);
  const changed = await findChangedBy(context, changes);
  const unverified = new Set(changed.map(({ change }) => change));
  const isVerified = (change: ExportedChange) => change.integrity !== undefined && !unverified.has(change);
  const { findings, folded, ...links } = checkChains(changes, changed, { appId: options.app });
  const verified = exported.filter(isVerified);
  const absent = findMissing(witnessed.filter(isVerified), verified, options);
  const breaks = firstOfEachKind([...findings, ...absent.findings]);
  const summary = { checked: changes.length, ...links };
  const state = await stateReport(context, folded);
  const heads = runs && reportHeads(runs, verified, options.app);
  const witness = options.witness === undefined ? {} : { witness: { checked: witnessed.length, older: absent.older } };
  context.show(
    { ...summary, breaks: breaks.map(breakView), ...witness, ...state?.view, ...heads?.view },
    ...breaks.map(sentence),
    ...(state?.lines ?? []),
    ...(options.witness === undefined ? [] : [witnessLine(witnessed.length, absent.older)]),
    ...(heads?.lines ?? []),
    summarize(summary),
  );
  if (breaks.length > 0) throw new CliError('The export does not match the history that the service wrote.');
  if (state?.isSound === false) throw new CliError('The table does not match its history.');
  if (heads?.isSound === false) throw new CliError('The export lacks changes whose heads were signed.');
}

/** Replaces each witnessed change by the same one of the export, if it has it, so that each is judged once. */
function together(exported: readonly ExportedChange[], witnessed: readonly ExportedChange[]) {
  const known = new Map(exported.map((change) => [JSON.stringify(change), change]));
  const same = witnessed.map((change) => known.get(JSON.stringify(change)) ?? change);
  return { changes: [...new Set([...exported, ...same])], witnessed: same };
}

/** The witnessed changes that the export lacks; with `app`, only those of the application itself and of its accesses. */
function findMissing(
  witnessed: readonly ExportedChange[],
  exported: readonly ExportedChange[],
  { app }: VerifyOptions,
): { readonly findings: readonly Finding[]; readonly older: number } {
  const wanted = witnessed
    .filter(({ appId }) => app === undefined || appId === app)
    .map((change) => ({ ...change, change, mac: change.integrity?.mac ?? '', at: String(change.at) }));
  const { missing, older } = missingChanges(wanted, exported);
  return { findings: missing.map(({ change }) => ({ kind: 'not-in-export', change })), older };
}

function witnessLine(count: number, older: number): string {
  return `Looked for ${countOf(count, 'witnessed change')} in the export. ${olderThanExport(older)}`;
}

async function stateReport({ options, terminal }: CommandContext<VerifyOptions>, folded: FoldedChanges) {
  return options.state === undefined ? undefined : reportState(folded, await readTableExport(options.state, terminal));
}

interface Summary {
  readonly checked: number;
  readonly subjects: number;
  readonly withoutBeginning: number;
}

function summarize({ checked, subjects, withoutBeginning }: Summary): string {
  const verified = `Verified ${countOf(checked, 'change')} in ${historiesOf(subjects)}.`;
  if (withoutBeginning === 0) return verified;
  return `${verified} ${historiesOf(withoutBeginning)} ${withoutBeginning === 1 ? 'starts' : 'start'} before this export.`;
}

function historiesOf(count: number): string {
  return countOf(count, 'history', 'histories');
}
