import { removeItem } from '#test/support/alter-item.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import { groupMemberKey } from '../table/directory-item-keys.ts';
import { newMemberOfDirectory } from './support/new-directory.ts';

/** What directories add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  more: () => ({
    'delete-connection': {
      'done for a directory': async () => {
        const { connectionId } = await newMemberOfDirectory();
        return { call: { path: { connectionId } }, status: 200 };
      },
    },
    'delete-user': {
      'done for a user of a directory': async () => {
        const { userId } = await newMemberOfDirectory();
        return { call: { path: { userId } }, status: 200 };
      },
    },
  }),
  damage: async (service) => {
    const { userId, connectionId, groupId } = await newMemberOfDirectory();
    const { pk, sk } = groupMemberKey(connectionId, groupId, userId);
    await removeItem(service, [pk, sk]);
    return (finding) => finding.kind === 'account' && finding.userId === userId;
  },
};
