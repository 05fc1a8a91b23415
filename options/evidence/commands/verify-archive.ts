import type { CommandContext } from '#cli/service/command-context.ts';
import { CliError, notSent } from '#cli/terminal/cli-error.ts';
import type { Change } from '#shared/contract/change.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { findTableDifference } from '#shared/csv/compare-table.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { checkChains, type Finding } from '#shared/integrity/check-chains.ts';
import { breakView, firstOfEachKind, sentence } from '../export-breaks.ts';
import { type ReadArchive, readArchive } from '../history-archive.ts';
import { describeSelection, leavesGaps } from '../verification.ts';
import { findChangedBy } from './ask-verdicts.ts';
import { parseExportedChanges } from './read-exported-changes.ts';

/**
 * Verifies an archive again: the MACs and links of its changes, that its table says the same, and that it has all changes of its
 * selection that the service still has. Nothing that the archive says of its own verification is trusted.
 */
export async function verifyArchive(context: CommandContext, file: string, bytes: Uint8Array): Promise<void> {
  const { table, changes: text, verification } = open(file, bytes);
  const { selection, verifiedAt, verifiedBy, service } = verification;
  const changes = parseExportedChanges(text, `changes.json of ${file}`);
  const changed = await findChangedBy(context, changes);
  const isSelection = leavesGaps(selection);
  const { findings, folded: _, ...links } = checkChains(changes, changed, { appId: selection.appId, isSelection });
  const missing = await findMissing(context, verification, changes);
  const breaks = firstOfEachKind([...findings, ...missing]);
  const difference = compareTable(table, changes);
  context.show(
    {
      checked: changes.length,
      ...links,
      gapsChecked: !isSelection,
      verification,
      breaks: breaks.map(breakView),
      table: difference ?? null,
    },
    `Archive of ${describeSelection(selection)}, verified at ${verifiedAt} by ${verifiedBy} (${service}).`,
    ...breaks.map(sentence),
    difference === undefined ? 'changes.csv says the same as the changes.' : `BROKEN: changes.csv ${difference}.`,
    `Verified ${countOf(changes.length, 'change')} in ${countOf(links.subjects, 'history', 'histories')}.`,
    ...(isSelection ? ['Gaps between them are not breaks, because the selection leaves out changes.'] : []),
  );
  if (breaks.length > 0) throw new CliError('The archive does not match the history that the service wrote.');
  if (difference !== undefined) throw new CliError('The table of the archive does not match its changes.');
}

function open(file: string, bytes: Uint8Array): ReadArchive {
  try {
    return readArchive(bytes);
  } catch (error) {
    const notes = ['Pass the archive as the dashboard or history --export wrote it.'];
    throw notSent(`${file} ${(error as Error).message}.`, notes);
  }
}

function compareTable(table: string, changes: readonly ExportedChange[]): string | undefined {
  try {
    return findTableDifference(table, changes as readonly Change[]);
  } catch {
    return 'cannot be read as a table of changes';
  }
}

/** The global history lists a change within this time; an archive may lack younger ones. */
const listedWithinSeconds = 60;

/** The changes of the selection in the service's history that the archive lacks. */
async function findMissing(
  { client }: CommandContext,
  { selection, verifiedAt, isComplete }: ReadArchive['verification'],
  changes: readonly ExportedChange[],
): Promise<Finding[]> {
  const known = new Set(changes.map(({ id }) => id));
  const listedBy = new Date(Date.parse(verifiedAt) - listedWithinSeconds * 1000).toISOString();
  const oldest = changes.map(({ id }) => id).sort()[0];
  const missing: Finding[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('list-all-changes', { query: { ...selection, limit: maxPageSize, cursor } });
    const listed = page.items.filter(({ at }) => at < listedBy);
    const wanted = isComplete ? listed : listed.filter(({ id }) => oldest !== undefined && id > oldest);
    missing.push(
      ...wanted.filter(({ id }) => !known.has(id)).map((change) => ({ kind: 'not-in-archive', change: { ...change } })),
    );
    if (page.cursor === null) return missing;
    cursor = page.cursor;
  }
}
