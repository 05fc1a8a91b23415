import { setTimeout as pause } from 'node:timers/promises';
import type { AskApplication, AskedStatus } from './ask-application.ts';

/** Which answers of the application a case accepts. */
export interface Expected {
  readonly words: string;
  accepts(status: AskedStatus): boolean;
}

/** The application did not do what a case expects. */
export class UnmetExpectation extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, saw ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

export const admitted: Expected = { words: 'admitted (2xx)', accepts: isFrom(200, 299) };
/** A redirect to a login or to a page about the refusal is one, an error of the application is not. */
export const refused: Expected = { words: 'refused (3xx or 4xx)', accepts: isFrom(300, 499) };
/** While there is no decision, an error of the application is right too. */
export const closed: Expected = { words: 'not admitted (3xx, 4xx or 5xx)', accepts: isFrom(300, 599) };
export const answered: Expected = { words: 'answered', accepts: isFrom(200, 599) };

function isFrom(lowest: number, highest: number): Expected['accepts'] {
  return (status) => typeof status === 'number' && status >= lowest && status <= highest;
}

/** Waits for what is expected of the application, and throws an UnmetExpectation if it does not happen. */
export interface Expectations {
  /** One request; one that fails, on a busy machine for example, is repeated. */
  once(expected: Expected, ask?: AskApplication): Promise<void>;
  /** Requests until several answers in a row are the expected ones; from this time on, none may be another. */
  within(milliseconds: number, expected: Expected): Promise<void>;
  /** Requests for this time, which must all be answered as expected. */
  throughout(milliseconds: number, expected: Expected): Promise<void>;
}

/** How many answers in a row count: an application may have several processes, which learn of a change one after the other. */
const answersInARow = 4;

/** How often a request that fails is repeated. */
const repetitions = 2;

function isFailure(status: AskedStatus): boolean {
  return typeof status !== 'number' || status >= 500;
}

/** Creates the expectations of the user's browser. */
export function createExpectations(askAsUser: AskApplication): Expectations {
  async function once(expected: Expected, ask: AskApplication = askAsUser): Promise<void> {
    let status = await ask();
    for (let left = repetitions; left > 0 && isFailure(status) && !expected.accepts(status); left--)
      status = await ask();
    if (!expected.accepts(status)) throw new UnmetExpectation(expected.words, `${status}`);
  }

  return {
    once,
    async within(milliseconds, expected) {
      const start = performance.now();
      for (let inARow = 0; inARow < answersInARow; ) {
        const elapsed = performance.now() - start;
        const status = await askAsUser();
        inARow = expected.accepts(status) ? inARow + 1 : 0;
        if (inARow > 0) continue;
        if (elapsed > milliseconds)
          throw new UnmetExpectation(
            `${expected.words} within ${inSeconds(milliseconds)}`,
            `${status} after ${inSeconds(elapsed)}`,
          );
        await pause(pollMilliseconds(milliseconds));
      }
    },
    async throughout(milliseconds, expected) {
      const start = performance.now();
      do {
        await once(expected);
        await pause(pollMilliseconds(milliseconds));
      } while (performance.now() - start < milliseconds);
      await once(expected);
    },
  };
}

function pollMilliseconds(milliseconds: number): number {
  return Math.min(250, milliseconds / 10);
}

function inSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
