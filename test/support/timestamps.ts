/** The timestamp this many milliseconds from now, in the service's format. */
export function fromNow(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** The timestamp this many years and milliseconds from now. */
export function yearsFromNow(years: number, milliseconds = 0): string {
  const time = new Date(Date.now() + milliseconds);
  time.setUTCFullYear(time.getUTCFullYear() + years);
  return time.toISOString();
}
