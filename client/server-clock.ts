import type { AuthServiceError } from './client-error.ts';

/** The maximum correction of the signing time by a response; it also bounds the expiry of signatures. */
export const maxSkew = 300_000;

/** How many milliseconds the service is ahead of the client, from a 401 `clock_skew`; undefined for any other error. */
export function readSkew({ status, code, problem }: AuthServiceError, now: number): number | undefined {
  if (status !== 401 || code !== 'clock_skew') return undefined;
  return Date.parse(problem?.serverTime) - now || 0;
}
