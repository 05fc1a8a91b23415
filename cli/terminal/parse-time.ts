import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { timestampSchema } from '#shared/contract/fields.ts';

/** The formats that `--until` and `--expires` accept, for help and errors. */
export const expiryFormats =
  'a duration (90s, 15m, 2h, 1d, 2w, PT2H), 2027-01-31T12:00:00Z, or 2027-01-31T12:00 local time';

/** An expiry as typed, and the timestamp that it stood for at that time. */
export interface Expiry {
  readonly typed: string;
  readonly timestamp: string;
}

/**
 * An expiry as an RFC 3339 timestamp in UTC. A duration counts from `now`; a date-time without an offset is in this
 * machine's time zone. A bare date is rejected, since it does not say whether that day is included.
 */
export function parseExpiry(text: string, now = new Date()): string {
  const seconds = parseDuration(text);
  if (seconds === 0) throw new InvalidArgumentError('It must be more than 0 seconds.');
  if (seconds !== undefined) return addSeconds(now, seconds);
  const timestamp = parseTimestamp(withT(text));
  if (Date.parse(timestamp) > now.getTime()) return timestamp;
  throw new InvalidArgumentError(`It must be in the future; ${timestamp} has passed.`);
}

/** The formats of an instant in the past. */
export const pastFormats =
  'a duration before now (90s, 15m, 2h, 1d, 2w, PT2H), 2027-01-31T12:00:00Z, or 2027-01-31T12:00 local time';

/** An instant as an RFC 3339 timestamp in UTC; a duration counts back from `now`. */
export function parsePast(text: string, now = new Date()): string {
  const seconds = parseDuration(text);
  return seconds === undefined ? parseTimestamp(withT(text)) : addSeconds(now, -seconds);
}

/** Allows a space between day and time. */
function withT(text: string): string {
  return text.replace(/^(\S{10}) (?=\d)/, '$1T');
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

function parseTimestamp(text: string): string {
  const parsed = v.safeParse(timestampSchema, text);
  if (parsed.success) return parsed.output;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new InvalidArgumentError(`Add a time of day, as in ${text}T23:59.`);
  const local = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?$/.exec(text);
  if (local === null) throw new InvalidArgumentError(`It must be ${expiryFormats}.`);
  return parseLocalTime(text, local[1] ?? '');
}

/** Compares the result with the input, because Date turns a nonexistent day or hour into the next one. */
function parseLocalTime(text: string, minute: string): string {
  const date = new Date(text);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  if (`${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}` === minute) return date.toISOString();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  throw new InvalidArgumentError(`This time does not exist in the time zone ${timeZone}.`);
}
