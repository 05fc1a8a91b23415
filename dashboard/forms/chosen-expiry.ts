import {
  dayAfter,
  daysUntil,
  describeSkippedTime,
  endOfDay,
  type TypedTime,
  timestampOf,
} from '#shared/contract/typed-time.ts';
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

/** With the typed time of the choice `at`. */
export interface Expiry extends TypedTime {
  readonly choice: ExpiryChoice;
}

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

/** What to do while the time of the choice `at` is missing. */
export function missingEnd(expiry: Expiry): string | undefined {
  return expiryTimestamp(expiry, 0) === undefined ? 'Enter a date and a time.' : undefined;
}

/** The end of the day that is so many days away, in the operator's time zone. */
export function endOfDayAfter(now: number, days: number): Date {
  return new Date(`${dayAfter(now, days)}T${endOfDay}`);
}

const friday = 5;

/** From 1 to 7: on a Friday, it is the next one. */
export function daysUntilFriday(now: number): number {
  return daysUntil(friday, now);
}

/** Why a typed time names none, with both times that it can mean. */
export function describeSkipped(typed: TypedTime): string | undefined {
  return describeSkippedTime(typed, localTimeText);
}
