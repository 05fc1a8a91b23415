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

const nextYear = new Date().getUTCFullYear() + 1;

/** Values that are refused as the expiry of a block or a grant. */
export const invalidExpiries: readonly (readonly [what: string, end: unknown])[] = [
  ['in the past', fromNow(-1000)],
  ['over five years ahead', yearsFromNow(5, 86_400_000)],
  ['in the year 9999', '9999-12-31T23:59:59Z'],
  ['without an offset', `${nextYear}-06-01T12:00:00`],
  ['without a time', `${nextYear}-06-01`],
  ['on 30 February', `${nextYear}-02-30T12:00:00Z`],
  ['at the hour 24', `${nextYear}-06-01T24:00:00Z`],
  ['with an offset of a day', `${nextYear}-06-01T12:00:00+24:00`],
  ['no date', 'tomorrow'],
  ['empty', ''],
  ['a number', Date.now() + 86_400_000],
  ['an object', {}],
];
