import { setTimeout as pause } from 'node:timers/promises';
import type { TestService } from './start-service.ts';

type Item = Record<string, unknown>;

/** The changes of a user as they stand in the table, oldest first. */
export async function historyOf(service: TestService, userId: string): Promise<Item[]> {
  const items = [...(await service.items())].filter(([key]) => key.startsWith(`USER#${userId} CHANGE#`));
  return items.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

/** The keys of the items that differ, with `*` for what is random in them. */
export function writtenBetween(before: Map<string, Item>, after: Map<string, Item>): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys
    .filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)))
    .map((key) => key.replace(/(CHANGE#|NONCE#.*#).+$/, '$1*'))
    .sort();
}

/** Asks again until the answer is the one waited for; the last answer after 100 times, about 5 s. */
export async function eventually<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  for (let asked = 1; asked < 100; asked++) {
    const answer = await ask();
    if (isIt(answer)) return answer;
    await pause(50);
  }
  return ask();
}
