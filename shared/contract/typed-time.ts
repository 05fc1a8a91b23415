/** A minute of a day in the time zone of this machine, as typed so far. */
export interface TypedTime {
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  /** `hh:mm` once it is complete. */
  readonly time: string;
}

/** The last minute of a day, at which what ends on a day ends. */
export const endOfDay = '23:59';

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

/**
 * Why a typed time names none, with both times that it can mean: a change of clocks skips it. Undefined for all others; `show`
 * formats a timestamp.
 */
export function describeSkippedTime(typed: TypedTime, show: (timestamp: string) => string): string | undefined {
  const gap = isComplete(typed) ? skippedBy(typed) : 0;
  if (gap === 0) return undefined;
  // Read with the offset from before the change and with that from after it.
  const later = localDate(typed);
  const earlier = new Date(later.getTime() - gap);
  const [one, other] = [earlier, later].map((at) => show(at.toISOString()));
  return `The clocks change and skip ${typed.time} on this day. Choose the time before (${one}) or after (${other}).`;
}

/** The day that is so many days after today, as `YYYY-MM-DD`; `now` is in milliseconds since the epoch. */
export function dayAfter(now: number, days: number): string {
  const at = new Date(now);
  // At noon, which no change of clocks skips.
  return typedTimeOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12).toISOString()).day;
}

/** The start of the day that is so many days after a day; also where the clocks change in between. */
export function startOfDay(day: string, days = 0): Date {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  return new Date(year, month - 1, date + days);
}

/** How many days there are until the next such weekday, 0 for Sunday: from 1 to 7, because today is not the next one. */
export function daysUntil(weekday: number, now: number): number {
  return (weekday - new Date(now).getDay() + 7) % 7 || 7;
}

function isComplete(typed: TypedTime): boolean {
  return typed.time.length === 5 && !Number.isNaN(localDate(typed).getTime());
}

/** Without an offset it is read as local time (ECMAScript, Date Time String Format). */
function localDate({ day, time }: TypedTime): Date {
  return new Date(`${day}T${time}`);
}

/** By how many milliseconds the clocks were put forward over this time; 0 for a time that a clock shows. */
function skippedBy(typed: TypedTime): number {
  const at = localDate(typed);
  return at.getTime() - at.getTimezoneOffset() * 60_000 - Date.parse(`${typed.day}T${typed.time}Z`);
}
