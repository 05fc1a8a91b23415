export const secondsPerDay = 86_400;

/** The value of the attribute `ttl`: seconds since the epoch, rounded up so that nothing is removed early. */
export function epochSeconds(timestamp: string): number {
  return Math.ceil(Date.parse(timestamp) / 1000);
}
