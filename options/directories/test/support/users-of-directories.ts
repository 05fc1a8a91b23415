import { beforeEach, expect, jest } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { verifyChanges } from '#shared/domain/history/verify-changes.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { getUser } from '#shared/domain/user/users.ts';
import { checkChains } from '#shared/integrity/check-chains.ts';
import { compareState, type StoredItem } from '#shared/integrity/compare-state.ts';
import { foldChanges } from '#shared/integrity/fold-changes.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import type { DirectoryUserState } from '../../scim/directory.ts';
import { changeDirectoryUser } from '../../server/change-directory-user.ts';

export const ada = 'ada' as UserId;

/** The code with which a request is refused, or `accepted`. */
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ code }) => code,
  );

/** An empty table for each test, and what tests of users of directories read in it. */
export function directoryUsersForEachTest() {
  const memory = tableForEachTest();
  // Retries wait for some milliseconds.
  beforeEach(() => {
    jest.useRealTimers();
  });
  const entries = () => memory.table.items() as StoredItem[];
  const history = async () => (await listAllChanges({ limit: 100 })).items.toReversed();
  return {
    memory,
    entries,
    history,
    keysOfDirectory: () => entries().filter(({ pk }) => String(pk).startsWith('SCIM#')),
    statusOf: async (userId: UserId) => (await getUser({ userId })).status,
    userHistory: async () =>
      (await history()).flatMap(({ action, userId, caller }) =>
        userId === undefined ? [] : [`${action} ${caller.kind}`],
      ),
    change: (context: ConnectionContext, id: UserId, next: Partial<DirectoryUserState>) =>
      changeDirectoryUser({ id }, (current) => ({ ...current, ...next }), context),
    /** Every change is in a chain without a gap, and the table is what the changes say. */
    expectProven: async () => {
      const changes = await history();
      const verdicts = await verifyChanges(changes.map((each) => ({ ...each })));
      expect(verdicts.filter(({ verdict }) => verdict !== 'unchanged')).toEqual([]);
      expect(checkChains(changes, [], {}).findings).toEqual([]);
      expect(foldChanges(changes).discontinuities).toEqual([]);
      expect(compareState(foldChanges(changes), entries(), new Date()).differences).toEqual([]);
    },
  };
}
