import type { AuthServiceError } from './client-error.ts';

/** How many milliseconds the service says that it is ahead of this machine, by a 401 `clock_skew` alone; else undefined. */
export function readSkew({ status, code, problem }: AuthServiceError): number | undefined {
  if (status !== 401 || code !== 'clock_skew') return undefined;
  return Date.parse(problem?.serverTime) - Date.now() || 0;
}
