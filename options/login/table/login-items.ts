import type { OptionItems } from '#shared/contract/item-kinds.ts';

export const loginItems = {
  kinds: {
    /** The clients of applications at the provider, and what it was last told of each account. */
    login: {
      partitions: 'LOGIN#*',
      managed: ['BatchGetItem'],
    },
    /** The users and applications of whose changes the provider is still to be told. */
    loginTask: {
      partitions: 'LOGINS',
      managed: ['BatchGetItem', 'UpdateItem'],
    },
  },
} as const satisfies OptionItems;
