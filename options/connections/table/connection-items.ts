import type { OptionItems } from '#shared/contract/item-kinds.ts';

/** Connections, which nothing deletes. */
export const connectionItems = {
  kinds: {
    /** Connection, Key use, and the Changes of a connection. */
    connection: {
      partitions: 'CONNECTION#*',
      managed: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    },
  },
  lists: { connections: { index: 'gsi1', partitions: 'CONNECTIONS' } },
} as const satisfies OptionItems;
