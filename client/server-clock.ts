import type { AuthServiceError } from './client-error.ts';

/** The most by which an answer moves what is signed as the present; when a signature expires is bounded by that. */
export const maxSkew = 300_000;

/** How many milliseconds the service says that it is ahead of the client, by a 401 `clock_skew` alone; else undefined. */
export function readSkew({ status, code, problem }: AuthServiceError, now: number): number | undefined {
  if (status !== 401 || code !== 'clock_skew') return undefined;
  return Date.parse(problem?.serverTime) - now || 0;
}
