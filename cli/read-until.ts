import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { momentSchema } from '#shared/contract/moment.ts';
import { readDuration } from './read-duration.ts';

/** What `--until` and `--expires` take, for their help and their errors. */
export const untilForms =
  'a duration (90s, 15m, 2h, 1d, 2w, PT2H), 2027-01-31T12:00:00Z, or 2027-01-31T12:00 local time';

/** An end as it was typed, and the moment that this meant then. */
export interface Until {
  readonly typed: string;
  readonly moment: string;
}

/**
 * When something ends, as an RFC 3339 moment: a duration counts from `now`, a date-time without an offset is in the
 * time zone of this machine. A bare date is refused: it does not say whether the day itself is in or out.
 */
export function readUntil(text: string, now = new Date()): string {
  const seconds = readDuration(text);
  if (seconds === 0) throw new InvalidArgumentError('It must be more than nothing.');
  if (seconds !== undefined) return addSeconds(now, seconds);
  const moment = readMoment(text.replace(/^(\S{10}) (?=\d)/, '$1T'));
  if (Date.parse(moment) > now.getTime()) return moment;
  throw new InvalidArgumentError(`It must lie in the future; this is ${moment}.`);
}

function addSeconds(now: Date, seconds: number): string {
  const moment = new Date(now.getTime() + seconds * 1000);
  if (Number.isNaN(moment.getTime())) throw new InvalidArgumentError('It lies too far ahead.');
  return moment.toISOString();
}

function readMoment(text: string): string {
  const moment = v.safeParse(momentSchema, text);
  if (moment.success) return moment.output;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new InvalidArgumentError(`Add a time of day, as in ${text}T23:59.`);
  const local = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?$/.exec(text);
  if (local === null) throw new InvalidArgumentError(`Allowed are ${untilForms}.`);
  return readLocal(text, local[1] ?? '');
}

/** Date rolls a day or an hour that the local calendar does not have over to the next one. */
function readLocal(text: string, minute: string): string {
  const date = new Date(text);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  if (`${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}` === minute) return date.toISOString();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  throw new InvalidArgumentError(`There is no such time in the time zone ${timeZone}.`);
}
