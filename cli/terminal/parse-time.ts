import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { timestampSchema } from '#shared/contract/fields.ts';
import {
  dayAfter,
  daysUntil,
  describeSkippedTime,
  endOfDay,
  startOfDay,
  type TypedTime,
  timestampOf,
} from '#shared/contract/typed-time.ts';
import { formatTime } from './format-time.ts';

const durations = '90s, 2h, 7d';

/** The formats that `--until` and `--expires` accept, for help and errors. */
export const expiryFormats = `a duration (${durations}), a day (today, friday, 2027-01-31), a day with a time ("friday 18:00"), or 2027-01-31T12:00:00Z`;

/** An expiry as typed, and the timestamp that it stood for at that time. */
export interface Expiry {
  readonly typed: string;
  readonly timestamp: string;
}

/**
 * An expiry as an RFC 3339 timestamp in UTC. A duration counts from `now`. Days and times without an offset are in this machine's
 * time zone: a weekday is the next one, and a day alone stands for its end.
 */
export function parseExpiry(text: string, now = new Date()): string {
  const seconds = parseDuration(text);
  if (seconds === 0) throw new InvalidArgumentError('It must be more than 0 seconds.');
  if (seconds !== undefined) return addSeconds(now, seconds);
  const dayAlone = (day: string) => localTimestamp({ day, time: endOfDay }) ?? '';
  const timestamp = parseTimestamp(text, { now, formats: expiryFormats, dayAlone, weekdayFrom: daysUntil });
  if (Date.parse(timestamp) > now.getTime()) return timestamp;
  throw new InvalidArgumentError(`It must be in the future; ${timestamp} has passed.`);
}

/** The formats of an instant in the past. */
export const pastFormats = `a duration before now (${durations}), a day (yesterday, monday, 2027-01-31), a day with a time ("monday 18:00"), or 2027-01-31T12:00:00Z`;

/** What a day without a time stands for: its start, or its end, which includes it. */
export type DayEdge = 'start' | 'end';

/**
 * An instant as an RFC 3339 timestamp in UTC. A duration counts back from `now`. Days are those of this machine's time zone, and a
 * weekday is the last one before today.
 */
export function parsePast(text: string, now = new Date(), edge: DayEdge = 'start'): string {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return addSeconds(now, -seconds);
  const dayAlone = (day: string) => startOfDay(day, edge === 'end' ? 1 : 0).toISOString();
  const weekdayFrom = (weekday: number, from: number) => (daysUntil(weekday, from) % 7) - 7;
  return parseTimestamp(text, { now, formats: pastFormats, dayAlone, weekdayFrom });
}

const shortDuration = /^(?:(\d{1,4})w)?(?:(\d{1,5})d)?(?:(\d{1,6})h)?(?:(\d{1,8})m)?(?:(\d{1,9})s)?$/;
const isoDuration = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;
/** Seconds in a week, a day, an hour, a minute and a second: the groups of both patterns. */
const secondsPerUnit = [604_800, 86_400, 3600, 60, 1];

/** The seconds of a duration such as `90s`, `15m`, `1d12h`, `2w` or ISO 8601's `PT2H`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, ...parts] = /\d/.test(text) ? (shortDuration.exec(text) ?? isoDuration.exec(text) ?? []) : [];
  if (parts.length === 0) return undefined;
  return parts.reduce((seconds, part, index) => seconds + Number(part ?? 0) * (secondsPerUnit[index] ?? 0), 0);
}

function addSeconds(now: Date, seconds: number): string {
  const end = new Date(now.getTime() + seconds * 1000);
  if (Number.isNaN(end.getTime())) throw new InvalidArgumentError('It is too far away.');
  return end.toISOString();
}

interface Reading {
  readonly now: Date;
  /** The formats that are named if the text has none of them. */
  readonly formats: string;
  /** The timestamp of a day without a time. */
  readonly dayAlone: (day: string) => string;
  /** How many days after today a weekday is; negative for days before. */
  readonly weekdayFrom: (weekday: number, now: number) => number;
}

function parseTimestamp(text: string, reading: Reading): string {
  const parsed = v.safeParse(timestampSchema, text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T'));
  if (parsed.success) return parsed.output;
  const [, named = '', time, seconds = ''] =
    /^(\S+?)(?:[ T](\d{2}:\d{2})((?::\d{2}(?:\.\d{1,3})?)?))?$/.exec(text) ?? [];
  const day = dayOf(named.toLowerCase(), reading);
  if (day === undefined) throw new InvalidArgumentError(`It must be ${reading.formats}.`);
  if (!isDay(day)) throw new InvalidArgumentError(`There is no day ${day}.`);
  if (time === undefined) return reading.dayAlone(day);
  const timestamp = localTimestamp({ day, time });
  const exact = new Date(`${day}T${time}${seconds}`);
  if (timestamp !== undefined && !Number.isNaN(exact.getTime())) return exact.toISOString();
  throw new InvalidArgumentError(`There is no time ${time}${seconds}.`);
}

const relativeDays: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The day that a word names, as `YYYY-MM-DD`; undefined if it names none. */
function dayOf(word: string, { now, weekdayFrom }: Reading): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return word;
  if (Object.hasOwn(relativeDays, word)) return dayAfter(now.getTime(), relativeDays[word] ?? 0);
  const weekday = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  return weekday === -1 ? undefined : dayAfter(now.getTime(), weekdayFrom(weekday, now.getTime()));
}

/** Date turns a day that does not exist into a later one. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** Undefined if there is no such time; a time that a change of clocks skips is refused with both readings. */
function localTimestamp(typed: TypedTime): string | undefined {
  const skipped = describeSkippedTime(typed, formatTime);
  if (skipped !== undefined) throw new InvalidArgumentError(skipped);
  return timestampOf(typed);
}
