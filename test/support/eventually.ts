import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a request until its answer is the expected one; gives up after 600 times, at least 30 s, with the last answer. */
export async function eventually<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  for (let asked = 1; asked < 600 && !isIt(answer); asked++) {
    await pause(50);
    answer = await ask();
  }
  return answer;
}
