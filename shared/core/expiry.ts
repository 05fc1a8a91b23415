/** Whether a timestamp has been reached, inclusive; `null` never is. */
export function hasPassed(timestamp: string | null, at: Date): boolean {
  return timestamp !== null && Date.parse(timestamp) <= at.getTime();
}
