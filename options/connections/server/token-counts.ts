import { countKeys, keyAttention } from '#shared/domain/api-key/list-all-keys.ts';
import type { OverviewCount } from '#shared/domain/application/overview-count.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { tokenMember } from '../contract/token-member.ts';
import { connectionOf } from '../table/connection-item.ts';
import { connectionsRange } from '../table/connection-item-keys.ts';

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
