import Box from '@cloudscape-design/components/box';
import { useContext } from 'react';
import { differences } from '#shared/contract/change-words.ts';
import { countOf } from '#shared/contract/wording.ts';
import { localTimeText } from '../lists/local-time-text.ts';
import { BulksContext } from '../options/bulks-context.ts';
import { BulkLink } from './bulk-link.tsx';
import { type BulkRecord, describeUndone, kindsOf } from './bulk-record.ts';
import { appOfBulk, type BulkRow } from './history-rows.ts';
import type { Names } from './use-names.ts';

/** Finds the record of a bulk change; undefined until it is known. */
export type FindBulk = (bulkId: string) => BulkRecord | undefined;

export interface BulkDetailsProps {
  readonly row: BulkRow;
  readonly bulkOf: FindBulk;
  readonly names: Names;
}

/** A bulk change or its undo in one row: what it did, its state, and the link to its page. */
export function BulkDetails({ row, bulkOf, names }: BulkDetailsProps) {
  const { newest, isUndo, bulkId, changes } = row;
  const { kindOf } = useContext(BulksContext);
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
  const kind = kindOf(changes);
  const { userId = '' } = newest;
  const kinds = [only, ...others].join(', ');
  return (
    <div className="break">
      <Box variant="strong">
        <BulkLink bulk={bulk}>{kind?.word ?? 'Bulk change'}</BulkLink>
        {kind === undefined ? `: ${kinds}` : ` ${names.userName(userId) ?? userId}`}
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
