import type { AuthServiceError } from './client-error.ts';

/** The most by which an answer moves the clock. */
const maxSkew = 300_000;

/**
 * How many milliseconds the service is ahead of this machine, as far as it is believed: five minutes either way, and only by a
 * 401 `clock_skew`; undefined for every other answer.
 */
export function readSkew({ status, code, problem }: AuthServiceError): number | undefined {
  if (status !== 401 || code !== 'clock_skew') return undefined;
  return Math.max(-maxSkew, Math.min(maxSkew, Date.parse(problem?.serverTime) - Date.now())) || 0;
}
