import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { changesOfBulkRange } from '../../table/bulk-range.ts';

const appId = 'billing' as AppId;

test('the changes of a bulk are among those of its application, or of the status of users', () => {
  const rest = {
    between: { first: '0', last: '8' },
    descending: false,
    where: { attribute: 'bulkId', value: 'b' },
  };
  const span = { descending: false };
  expect(changesOfBulkRange(appId, 'b', span)).toStrictEqual({
    index: 'gsi1',
    pk: 'APP#billing#CHANGES',
    ...rest,
  });
  expect(changesOfBulkRange(undefined, 'b', span)).toStrictEqual({
    index: 'gsi1',
    pk: 'USERS#CHANGES',
    ...rest,
  });
});
