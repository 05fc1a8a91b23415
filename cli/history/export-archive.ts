import { writeArchive } from '#shared/archive/history-archive.ts';
import { leavesGaps, type Selection, verificationOf } from '#shared/archive/verification.ts';
import { type Change, recordOf } from '#shared/contract/change.ts';
import { countOf, nameOperator } from '#shared/contract/wording.ts';
import { createNameFinder } from '#shared/csv/known-names.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import type { CommandContext } from '../service/command-context.ts';
import { limitNote } from '../service/show-pages.ts';
import { CliError } from '../terminal/cli-error.ts';
import { findChangedBy } from './ask-verdicts.ts';
import { type FetchPage, namesFrom, openExport, readAll } from './export-changes.ts';

/**
 * Writes an archive with the changes and their verification. Fails if one of them is not as the service wrote it; the archive is
 * written nevertheless, because it says which.
 */
export async function exportArchive(
  context: CommandContext,
  { file, selection }: { readonly file: string; readonly selection: Selection },
  fetchPage: FetchPage,
): Promise<void> {
  const { client, terminal } = context;
  const opened = openExport(file);
  try {
    const changes: Change[] = [];
    const { limitedTo } = await readAll(context, fetchPage, async (page) => void changes.push(...page.map(recordOf)));
    const operator = await client.call('get-operator', {});
    const changed = await findChangedBy(context, changes);
    const checked = checkChains(changes, changed, { appId: selection.appId, isSelection: leavesGaps(selection) });
    const verification = verificationOf(
      {
        verifiedAt: new Date().toISOString(),
        verifiedBy: nameOperator(operator),
        service: client.url,
        selection,
        isComplete: true,
        limitedTo,
      },
      changes,
      checked,
    );
    const names = await createNameFinder(namesFrom(client))(changes);
    opened.write(writeArchive({ changes, names, verification }));
    opened.finish();
    if (limitedTo !== undefined) terminal.note(limitNote(limitedTo));
    const { isSound, sentences } = verification;
    const done = `Exported ${countOf(changes.length, 'change')} and their verification to ${file}.`;
    context.show({ file, changes: changes.length, isSound }, ...sentences, done);
    if (!isSound) throw new CliError('The export does not match the history that the service wrote.');
  } finally {
    opened.discard();
  }
}
