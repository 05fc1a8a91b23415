import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import { DayPicker } from './day-picker.tsx';
import { Field } from './field.tsx';

/** When something ends: after a duration, at a time in the operator's time zone, or never. */
type ExpiryChoice = 'hour' | 'hours' | 'morning' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'at' | 'never';

const shortChoices = ['hour', 'hours', 'morning', 'day', 'week', 'at', 'never'] as const;

export interface Expiry {
  readonly choice: ExpiryChoice;
  /** `YYYY-MM-DD` and `hh:mm`, for the choice `at`. */
  readonly day: string;
  readonly time: string;
}

export const noExpiry: Expiry = { choice: 'never', day: '', time: '' };

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

const labels: Readonly<Record<Exclude<ExpiryChoice, 'never'>, string>> = {
  hour: '1 hour from now',
  hours: '4 hours from now',
  morning: 'Tomorrow at 8:00',
  day: '1 day from now',
  week: '1 week from now',
  month: '30 days from now',
  quarter: '90 days from now',
  year: '365 days from now',
  at: 'A specific time',
};
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Asks when something ends. */
export function ExpiryField(props: ExpiryFieldProps) {
  const { label, expiry, onChange, choices = shortChoices, never = 'Never', neverHint, pointer = '#/until' } = props;
  return (
    <SpaceBetween size="s">
      <Field label={label} pointer={expiry.choice === 'at' ? '' : pointer}>
        <RadioGroup
          value={expiry.choice}
          items={choices.map((value) =>
            value === 'never'
              ? { value, label: never, ...(neverHint && { description: neverHint }) }
              : { value, label: labels[value] },
          )}
          onChange={({ detail }) =>
            onChange(choose(expiry, choices.find((choice) => choice === detail.value) ?? 'never'))
          }
        />
      </Field>
      {expiry.choice === 'at' && (
        <Field label="Date" pointer={pointer}>
          <DayPicker day={expiry.day} onChange={(day) => onChange({ ...expiry, day })} />
        </Field>
      )}
      {expiry.choice === 'at' && (
        <FormField label="Time" description={`Your time zone (${zone})`}>
          <TimeInput
            value={expiry.time}
            format="hh:mm"
            placeholder="hh:mm"
            onChange={({ detail }) => onChange({ ...expiry, time: detail.value })}
          />
        </FormField>
      )}
    </SpaceBetween>
  );
}

const hour = 3_600_000;
const day = 24 * hour;

/** A specific time starts at two hours from now. */
function choose(expiry: Expiry, choice: ExpiryChoice): Expiry {
  if (choice !== 'at' || expiry.day !== '') return { ...expiry, choice };
  const local = new Date(Date.now() + 2 * hour);
  const text = new Date(local.getTime() - local.getTimezoneOffset() * 60_000).toISOString();
  return { choice, day: text.slice(0, 10), time: text.slice(11, 16) };
}

/** 8:00 on the next day in the operator's time zone. */
function tomorrowMorning(now: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + 1);
  at.setHours(8, 0, 0, 0);
  return at;
}

/** The timestamp for the service, `null` for never; undefined while the input is incomplete. */
export function expiryTimestamp({ choice, day: date, time }: Expiry, now: number): string | null | undefined {
  switch (choice) {
    case 'never':
      return null;
    case 'hour':
      return new Date(now + hour).toISOString();
    case 'hours':
      return new Date(now + 4 * hour).toISOString();
    case 'morning':
      return tomorrowMorning(now).toISOString();
    case 'day':
      return new Date(now + day).toISOString();
    case 'week':
      return new Date(now + 7 * day).toISOString();
    case 'month':
      return new Date(now + 30 * day).toISOString();
    case 'quarter':
      return new Date(now + 90 * day).toISOString();
    case 'year':
      return new Date(now + 365 * day).toISOString();
    case 'at': {
      // Without an offset it is read as local time (ECMAScript, Date Time String Format).
      const at = new Date(`${date}T${time.length === 5 ? time : '--'}`);
      return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
    }
    default:
      return choice satisfies never;
  }
}
