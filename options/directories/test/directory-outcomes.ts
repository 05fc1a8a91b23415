import { groupMemberKey } from '#shared/table/keys/directory-item-keys.ts';
import { removeItem } from '#test/support/alter-item.ts';
import { newMemberOfDirectory } from '#test/support/new-directory.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';

/** What directories add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  damage: async (service) => {
    const { userId, connectionId, groupId } = await newMemberOfDirectory();
    const { pk, sk } = groupMemberKey(connectionId, groupId, userId);
    await removeItem(service, [pk, sk]);
    return (finding) => finding.kind === 'account' && finding.userId === userId;
  },
};
