const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** A timestamp in the operator's time zone. */
export function LocalTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {format.format(date)}
    </time>
  );
}

/** The same as text. */
export function localTimeText(at: string): string {
  return format.format(new Date(at));
}
