/** The moment so many milliseconds from now, as the service writes it. */
export function fromNow(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

/** The moment so many years and milliseconds from now. */
export function yearsFromNow(years: number, milliseconds = 0): string {
  const moment = new Date(Date.now() + milliseconds);
  moment.setUTCFullYear(moment.getUTCFullYear() + years);
  return moment.toISOString();
}

const nextYear = new Date().getUTCFullYear() + 1;

/** Ends of a block or a grant that are refused. */
export const unsoundEnds: readonly (readonly [what: string, end: unknown])[] = [
  ['in the past', fromNow(-1000)],
  ['over five years ahead', yearsFromNow(5, 86_400_000)],
  ['in the year 9999', '9999-12-31T23:59:59Z'],
  ['without an offset', `${nextYear}-06-01T12:00:00`],
  ['without a time', `${nextYear}-06-01`],
  ['on 30 February', `${nextYear}-02-30T12:00:00Z`],
  ['at 24 o’clock', `${nextYear}-06-01T24:00:00Z`],
  ['with an offset of a day', `${nextYear}-06-01T12:00:00+24:00`],
  ['no date', 'tomorrow'],
  ['empty', ''],
  ['a number', Date.now() + 86_400_000],
  ['an object', {}],
];
