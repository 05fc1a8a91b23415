import { localTimeText } from './local-time-text.ts';

const withSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

export interface LocalTimeProps {
  readonly at: string;
  /** Default: only on hover. */
  readonly withSeconds?: boolean;
}

/** A timestamp in the operator's time zone. */
export function LocalTime({ at, withSeconds = false }: LocalTimeProps) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {withSeconds ? withSecond.format(date) : localTimeText(at)}
    </time>
  );
}
