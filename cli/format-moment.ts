const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
/** From almost two of a unit on: `in 90 minutes` says more than `in 2 hours`. */
const fewest = 1.9;
const relative = new Intl.RelativeTimeFormat('en');

/** A moment in the time zone of this machine with its offset, as `2026-11-20 19:14:11Z`; nothing is a dash. */
export function formatMoment(moment: string | null): string {
  if (moment === null) return '-';
  const date = new Date(moment);
  const offsetMinutes = -date.getTimezoneOffset();
  const shifted = new Date(date.getTime() + offsetMinutes * 60_000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)}${formatOffset(offsetMinutes)}`;
}

/** A moment, and how far away it is: `2026-11-20 19:14:11Z (in 2 hours)`. */
export function formatEnd(moment: string | null, now = new Date()): string {
  return moment === null ? '-' : `${formatMoment(moment)} (${formatDistance(moment, now)})`;
}

/** How far away a moment is, in whole units: `in 2 hours`, `3 days ago`. */
export function formatDistance(moment: string, now = new Date()): string {
  const seconds = Math.round((Date.parse(moment) - now.getTime()) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= fewest * length) ?? (['second', 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}
