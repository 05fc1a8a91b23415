import { localTimeText } from '../lists/local-time-text.ts';

/** When something ends: after a duration, at the end of a day or at a time in the operator's time zone, or never. */
export type ExpiryChoice =
  | 'hour'
  | 'hours'
  | 'today'
  | 'friday'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year'
  | 'at'
  | 'never';

/** A minute of a day in the operator's time zone, as typed so far. */
export interface TypedTime {
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  /** `hh:mm` once it is complete. */
  readonly time: string;
}

/** With the typed time of the choice `at`. */
export interface Expiry extends TypedTime {
  readonly choice: ExpiryChoice;
}

/** The last minute of a day. */
const endOfDay = '23:59';

export const noExpiry: Expiry = { choice: 'never', day: '', time: endOfDay };

const hour = 3_600_000;
const day = 24 * hour;

/** The timestamp for the service, `null` for never; undefined while the input is incomplete or names no time. */
export function expiryTimestamp(expiry: Expiry, now: number): string | null | undefined {
  switch (expiry.choice) {
    case 'never':
      return null;
    case 'hour':
      return new Date(now + hour).toISOString();
    case 'hours':
      return new Date(now + 4 * hour).toISOString();
    case 'today':
      return endOfDayAfter(now, 0).toISOString();
    case 'friday':
      return endOfDayAfter(now, daysUntilFriday(now)).toISOString();
    case 'week':
      return new Date(now + 7 * day).toISOString();
    case 'month':
      return new Date(now + 30 * day).toISOString();
    case 'quarter':
      return new Date(now + 90 * day).toISOString();
    case 'year':
      return new Date(now + 365 * day).toISOString();
    case 'at':
      return timestampOf(expiry);
    default:
      return expiry.choice satisfies never;
  }
}

/** The end of the day that is so many days away, in the operator's time zone. */
export function endOfDayAfter(now: number, days: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(23, 59, 0, 0);
  return at;
}

const friday = 5;

/** From 1 to 7: on a Friday, it is the next one. */
export function daysUntilFriday(now: number): number {
  return (friday - new Date(now).getDay() + 7) % 7 || 7;
}

/** The timestamp of a typed time; undefined while it is incomplete, and if the clocks skip it. */
export function timestampOf(typed: TypedTime): string | undefined {
  return isComplete(typed) && skippedBy(typed) === 0 ? localDate(typed).toISOString() : undefined;
}

/** A timestamp as it would be typed. */
export function typedTimeOf(timestamp: string): TypedTime {
  const at = new Date(timestamp);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return { day: local.slice(0, 10), time: local.slice(11, 16) };
}

/** Why a typed time names none, with both times that it can mean: a change of clocks skips it. Undefined for all others. */
export function describeSkipped(typed: TypedTime): string | undefined {
  const gap = isComplete(typed) ? skippedBy(typed) : 0;
  if (gap === 0) return undefined;
  // Read with the offset from before the change and with that from after it.
  const later = localDate(typed);
  const earlier = new Date(later.getTime() - gap);
  const [one, other] = [earlier, later].map((at) => localTimeText(at.toISOString()));
  return `The clocks change and skip ${typed.time} on this day. Choose the time before (${one}) or after (${other}).`;
}

function isComplete(typed: TypedTime): boolean {
  return typed.time.length === 5 && !Number.isNaN(localDate(typed).getTime());
}

/** Without an offset it is read as local time (ECMAScript, Date Time String Format). */
function localDate({ day: date, time }: TypedTime): Date {
  return new Date(`${date}T${time}`);
}

/** By how many milliseconds the clocks were put forward over this time; 0 for a time that a clock shows. */
function skippedBy(typed: TypedTime): number {
  const at = localDate(typed);
  return at.getTime() - at.getTimezoneOffset() * 60_000 - Date.parse(`${typed.day}T${typed.time}Z`);
}
