import { type ExportFormat, namesFrom, openExport, readAll } from '#cli/history/export-changes.ts';
import { limitNote } from '#cli/service/show-pages.ts';
import { CliError } from '#cli/terminal/cli-error.ts';
import { type Change, recordOf } from '#shared/contract/change.ts';
import { countOf, nameOperator } from '#shared/contract/wording.ts';
import { createNameFinder } from '#shared/csv/known-names.ts';
import { createVerifiedArchive } from '../verified-archive.ts';
import { findChangedBy } from './ask-verdicts.ts';

/**
 * An archive with the changes and their verification. Fails if one of them is not as the service wrote it; the archive is
 * written nevertheless, because it says which.
 */
export const archiveExport: ExportFormat = {
  contains: 'with their verification',
  write: async (context, { file, selection }, fetchPage) => {
    const { client, terminal } = context;
    const opened = openExport(file);
    try {
      const changes: Change[] = [];
      const { limitedTo } = await readAll(context, fetchPage, async (page) => void changes.push(...page.map(recordOf)));
      const verifiedBy = nameOperator(await client.call('get-operator', {}));
      const changed = await findChangedBy(context, changes);
      const { bytes, verification } = createVerifiedArchive({
        changes,
        changed,
        names: await createNameFinder(namesFrom(client))(changes),
        context: {
          verifiedAt: new Date().toISOString(),
          verifiedBy,
          service: client.url,
          selection,
          isComplete: true,
          limitedTo,
        },
      });
      opened.write(bytes);
      opened.finish();
      if (limitedTo !== undefined) terminal.note(limitNote(limitedTo));
      const { isSound, sentences } = verification;
      const done = `Exported ${countOf(changes.length, 'change')} and their verification to ${file}.`;
      context.show({ file, changes: changes.length, isSound }, ...sentences, done);
      if (!isSound) throw new CliError('The export does not match the history that the service wrote.');
    } finally {
      opened.discard();
    }
  },
};
