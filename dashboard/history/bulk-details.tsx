import Box from '@cloudscape-design/components/box';
import { differences } from '#shared/contract/change-words.ts';
import { countOf } from '#shared/contract/wording.ts';
import { localTimeText } from '../lists/local-time-text.ts';
import { bulkKindOf } from '../options/registered-pages.ts';
import { BulkLink } from './bulk-link.tsx';
import { type BulkRecord, describeUndone, kindsOf } from './bulk-record.ts';
import { appOfBulk, type BulkRow } from './history-rows.ts';
import type { Names } from './use-names.ts';

/** Finds the record of a bulk change; undefined until it is known. */
export type FindBulk = (bulkId: string) => BulkRecord | undefined;

function nameUser(nameOf: Names['userName'], userId = ''): string {
  return nameOf(userId) ?? userId;
}

/** A bulk change or its undo in one row: what it did, its state, and the link to its page. */
export interface BulkDetailsProps {
  readonly row: BulkRow;
  readonly bulkOf: FindBulk;
  readonly names: Names;
}

export function BulkDetails({ row, bulkOf, names }: BulkDetailsProps) {
  const { newest, isUndo, bulkId, changes } = row;
  const record = bulkOf(bulkId);
  const bulk = { bulkId, appId: appOfBulk(row) };
  const [only, ...others] = kindsOf(changes);
  if (isUndo) {
    return (
      <div className="break">
        <Box variant="strong">
          Undo of a <BulkLink bulk={bulk}>bulk change</BulkLink>
        </Box>
        <Box variant="small" display="block">
          {countOf(changes.length, 'change')}
        </Box>
      </div>
    );
  }
  const kind = bulkKindOf(changes);
  const kinds = [only, ...others].join(', ');
  return (
    <div className="break">
      <Box variant="strong">
        <BulkLink bulk={bulk}>{kind?.word ?? 'Bulk change'}</BulkLink>
        {kind === undefined ? `: ${kinds}` : ` ${nameUser(names.userName, newest.userId)}`}
      </Box>
      {kind !== undefined && (
        <Box variant="small" display="block">
          {kinds}
        </Box>
      )}
      {others.length === 0 &&
        differences(newest, localTimeText).map(({ name, after }) => (
          <Box key={name} variant="small" display="block">
            {name}: {after ?? 'none'}
          </Box>
        ))}
      <Box variant="small" display="block">
        {record && describeUndone(record)}
      </Box>
    </div>
  );
}
