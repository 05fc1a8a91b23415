import { endsSoonDays, unusedDays } from '#shared/contract/key-attention.ts';
import { endingBlockDays } from '../contract/overview.ts';

/** What follows each number of what is to be done: `1 block ends within 7 days`. */
export const toDoWords = {
  blocks: (count: number) => `${count === 1 ? 'block ends' : 'blocks end'} within ${endingBlockDays} days`,
  expiringKeys: (count: number) => `${count === 1 ? 'API key expires' : 'API keys expire'} within ${endsSoonDays} days`,
  unusedKeys: (count: number) => `${count === 1 ? 'API key was' : 'API keys were'} unused for ${unusedDays} days`,
} as const;
