import '#test/support/settle-ten-seconds.ts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { now } from '#shared/core/clock.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { createDirectoryGroup } from '../../server/change-directory-group.ts';
import { removeDirectoryGroup } from '../../server/remove-directory-group.ts';
import { groupKey } from '../../table/directory-item-keys.ts';
import { newDirectory } from '../support/new-directory.ts';

const memory = tableForEachTest();
beforeEach(() => {
  // Only the date.
  jest.useRealTimers();
  jest.useFakeTimers({
    doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout'],
  });
});

test('a group is not deleted until what is in progress has settled, for which there must be time', async () => {
  const context = await newDirectory();
  const { id } = await createDirectoryGroup({ displayName: 'Staff', externalId: null, members: [] }, context);
  // It settles ten seconds after the group was marked, and a request has 24.
  memory.beforeFirst('TransactWriteItems', () => jest.setSystemTime(now().getTime() + 15_000));
  await expect(removeDirectoryGroup({ id }, context)).rejects.toMatchObject({ code: 'unavailable' });
  expect(memory.table.get(groupKey(context.caller.connectionId, id))).toMatchObject({ deleting: true });
});
