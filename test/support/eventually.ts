import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until the answer is the one waited for; answers the last one after 100 times, which are about 5 s. */
export async function eventually<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  for (let asked = 1; asked < 100 && !isIt(answer); asked++) {
    await pause(50);
    answer = await ask();
  }
  return answer;
}
