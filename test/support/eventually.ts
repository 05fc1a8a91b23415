import { setTimeout as pause } from 'node:timers/promises';

/** How long a test waits for anything before it fails: nine minutes. A test may take ten (`jest.config.mjs`). */
export const patience = 540_000;

/** Repeats a request until its response is the expected one; returns the last response when `patience` runs out. */
export async function eventually<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + patience;
  let answer = await ask();
  while (!isIt(answer) && performance.now() < end) {
    await pause(50);
    answer = await ask();
  }
  return answer;
}
