import type { OptionItems } from '#shared/contract/item-kinds.ts';

export const directoryItems = {
  kinds: {
    /** The users and groups of a directory, beside the accounts, which are in the partitions of their users. */
    directory: {
      partitions: 'SCIM#*',
      managed: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    },
  },
} as const satisfies OptionItems;
