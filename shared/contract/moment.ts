import * as v from 'valibot';

const dateTime = /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** An RFC 3339 date-time with its offset, kept as `YYYY-MM-DDTHH:mm:ss.sssZ`, so that text order is time order. */
export const momentSchema = v.pipe(
  v.string('must be a string'),
  v.check(isDateTime, 'must be an RFC 3339 date-time with an offset, such as 2027-01-31T12:00:00Z'),
  v.metadata({ format: 'date-time' }),
  v.transform((text) => new Date(text).toISOString()),
);

function isDateTime(text: string): boolean {
  const [, year, month, day] = dateTime.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  // Date rolls 30 February over to March; a calendar day that does not exist is a mistake to name, not to mend.
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= daysInMonth && !Number.isNaN(Date.parse(text));
}
