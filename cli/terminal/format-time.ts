const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
/** A unit is used only from 1.9 units on: `in 90 minutes` is more precise than `in 2 hours`. */
const minUnits = 1.9;
const relative = new Intl.RelativeTimeFormat('en');

/** A timestamp in this machine's time zone with its offset, as `2026-11-20 19:14:11Z`; null is a dash. */
export function formatTime(timestamp: string | null): string {
  if (timestamp === null) return '-';
  const date = new Date(timestamp);
  const offsetMinutes = -date.getTimezoneOffset();
  const shifted = new Date(date.getTime() + offsetMinutes * 60_000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)}${formatOffset(offsetMinutes)}`;
}

/** A timestamp and its distance from now: `2026-11-20 19:14:11Z (in 2 hours)`; null is a dash. */
export function formatExpiry(timestamp: string | null, now = new Date()): string {
  return timestamp === null ? '-' : `${formatTime(timestamp)} (${formatRelative(timestamp, now)})`;
}

/** The distance of a timestamp from now in whole units: `in 2 hours`, `3 days ago`. */
export function formatRelative(timestamp: string, now = new Date()): string {
  const seconds = Math.round((Date.parse(timestamp) - now.getTime()) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= minUnits * length) ?? (['second', 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}
