import type { OptionItems } from '#shared/contract/item-kinds.ts';

export const webhookItems = {
  kinds: {
    /** The delivery of webhooks: where each is, its attempts, and what it is asked to send. */
    webhook: {
      partitions: 'WEBHOOK*',
      managed: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'UpdateItem'],
    },
  },
} as const satisfies OptionItems;
