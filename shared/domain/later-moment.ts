/** Now, or right after the last change: the times of an item rise with its versions, also when servers' clocks differ. */
export function laterMoment(at: Date, updatedAt: string | null): string {
  const earliest = updatedAt === null ? 0 : Date.parse(updatedAt) + 1;
  return new Date(Math.max(at.getTime(), earliest)).toISOString();
}
