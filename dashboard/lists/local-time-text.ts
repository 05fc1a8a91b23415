const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A timestamp in the operator's time zone, as `LocalTime` shows it. */
export function localTimeText(at: string): string {
  return format.format(new Date(at));
}
