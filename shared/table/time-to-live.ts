/** The value of the attribute `ttl`: seconds since the epoch, rounded up so that nothing leaves early. */
export function epochSeconds(moment: string): number {
  return Math.ceil(Date.parse(moment) / 1000);
}
