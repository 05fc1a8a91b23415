import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { localTimeText } from '../lists/local-time-text.ts';
import { daysUntilFriday, type Expiry, type ExpiryChoice, endOfDayAfter, expiryTimestamp } from './chosen-expiry.ts';
import { Field } from './field.tsx';
import { TypedTimeFields } from './typed-time-fields.tsx';

const shortChoices = ['hour', 'hours', 'today', 'friday', 'week', 'at', 'never'] as const;

export interface ExpiryFieldProps {
  readonly label: string;
  readonly expiry: Expiry;
  readonly onChange: (expiry: Expiry) => void;
  /** Default: from an hour to a week. */
  readonly choices?: readonly ExpiryChoice[];
  /** The words for no end. Default: `Never`. */
  readonly never?: string;
  /** What no end means. Default: nothing is said. */
  readonly neverHint?: string;
  /** The member of the request that it fills. Default: `#/until`. */
  readonly pointer?: string;
}

/** Asks when something ends, and says which time that is. */
export function ExpiryField(props: ExpiryFieldProps) {
  const { label, expiry, onChange, choices = shortChoices, never = 'Never', neverHint, pointer = '#/until' } = props;
  const end = expiryTimestamp(expiry, Date.now());
  return (
    <SpaceBetween size="s">
      <Field
        label={label}
        pointer={expiry.choice === 'at' ? '' : pointer}
        constraintText={end ? `Until ${localTimeText(end)}` : undefined}
      >
        <RadioGroup
          value={expiry.choice}
          items={choices.map((value) =>
            value === 'never'
              ? { value, label: never, ...(neverHint && { description: neverHint }) }
              : { value, label: describeChoice(value, Date.now()) },
          )}
          onChange={({ detail }) =>
            onChange({ ...expiry, choice: choices.find((choice) => choice === detail.value) ?? 'never' })
          }
        />
      </Field>
      {expiry.choice === 'at' && (
        <TypedTimeFields typed={expiry} pointer={pointer} onChange={(typed) => onChange({ ...expiry, ...typed })} />
      )}
    </SpaceBetween>
  );
}

/** A choice of an end as people read it, with the date of a day that is not today. */
export function describeChoice(choice: Exclude<ExpiryChoice, 'never'>, now: number): string {
  if (choice !== 'friday') return labels[choice];
  const isToday = daysUntilFriday(now) === 7;
  return `End of ${isToday ? 'next Friday' : 'Friday'}, ${shortDate.format(endOfDayAfter(now, daysUntilFriday(now)))}`;
}

const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

const labels: Readonly<Record<Exclude<ExpiryChoice, 'never' | 'friday'>, string>> = {
  hour: '1 hour from now',
  hours: '4 hours from now',
  today: 'End of today',
  week: '1 week from now',
  month: '30 days from now',
  quarter: '90 days from now',
  year: '365 days from now',
  at: 'On a date',
};
