import { randomInt } from 'node:crypto';

/** The present; the only place that asks for it. */
export function now(): Date {
  return new Date();
}

/** Resolves after so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A whole number of milliseconds from 0 to `limit`, to spread retries. */
export function jitter(limitMilliseconds: number): number {
  return randomInt(limitMilliseconds + 1);
}

/** Whether a timestamp has been reached, its very instant included; `null` never is. */
export function hasPassed(timestamp: string | null, at: Date): boolean {
  return timestamp !== null && Date.parse(timestamp) <= at.getTime();
}
