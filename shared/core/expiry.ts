/**
 * Whether a timestamp has been reached, inclusive; `null` never is. Ends are compared when they are read: no job has to run, and
 * `ttl` only removes items that no longer count.
 */
export function hasPassed(timestamp: string | null, at: Date): boolean {
  return timestamp !== null && Date.parse(timestamp) <= at.getTime();
}
