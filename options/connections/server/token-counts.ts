import { countKeys, keyAttention } from '#shared/domain/api-key/list-all-keys.ts';
import type { OverviewCount } from '#shared/domain/application/overview-count.ts';
import { connectionOf } from '#shared/table/items/connection-item.ts';
import { connectionsRange } from '#shared/table/keys/connection-item-keys.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { tokenMember } from '../contract/token-member.ts';

/** The numbers of the tokens of connections, which a role that is limited to applications cannot see. */
export const tokenCounts: OverviewCount = {
  member: tokenMember.name,
  count: async ({ isLimited }) => {
    const items = isLimited ? [] : await readAllOf(connectionsRange());
    return countKeys(
      items.flatMap((item) => connectionOf(item) ?? []),
      keyAttention,
    );
  },
};
