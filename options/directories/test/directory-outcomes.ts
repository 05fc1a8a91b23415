import { removeItem } from '#test/support/alter-item.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import { groupMemberKey } from '../table/directory-item-keys.ts';
import { newMemberOfDirectory } from './support/new-directory.ts';

/** What directories add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  damage: async (service) => {
    const { userId, connectionId, groupId } = await newMemberOfDirectory();
    const { pk, sk } = groupMemberKey(connectionId, groupId, userId);
    await removeItem(service, [pk, sk]);
    return (finding) => finding.kind === 'account' && finding.userId === userId;
  },
};
