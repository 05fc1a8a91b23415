import Box from '@cloudscape-design/components/box';
import { differences } from '#shared/contract/change-words.ts';
import { countOf } from '#shared/contract/wording.ts';
import { localTimeText } from '../lists/local-time-text.ts';
import { BulkLink } from './bulk-link.tsx';
import { type BulkRecord, describeUndone, kindsOf } from './bulk-record.ts';
import { appOfBulk, type BulkRow } from './history-rows.ts';

/** Finds the record of a bulk change; undefined until it is known. */
export type FindBulk = (bulkId: string) => BulkRecord | undefined;

/** A bulk change or its undo in one row: what it did, its state, and the link to its page. */
export function BulkDetails({ row, bulkOf }: { readonly row: BulkRow; readonly bulkOf: FindBulk }) {
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
  return (
    <div className="break">
      <Box variant="strong">
        <BulkLink bulk={bulk}>Bulk change</BulkLink>: {[only, ...others].join(', ')}
      </Box>
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
