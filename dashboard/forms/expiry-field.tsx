import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';

/** When something expires: after a duration, at a time in the operator's time zone, or never. */
const expiryChoices = ['hour', 'day', 'at', 'never'] as const;
type ExpiryChoice = (typeof expiryChoices)[number];

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
  /** The service's error about the value. */
  readonly errorText?: string | undefined;
}

const labels: Readonly<Record<ExpiryChoice, string>> = {
  hour: 'In 1 hour',
  day: 'In 1 day',
  at: 'At a specific time',
  never: 'Never',
};
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Asks when something expires. */
export function ExpiryField({ label, expiry, onChange, errorText }: ExpiryFieldProps) {
  return (
    <SpaceBetween size="s">
      <FormField label={label} errorText={expiry.choice === 'at' ? undefined : errorText}>
        <RadioGroup
          value={expiry.choice}
          items={expiryChoices.map((value) => ({ value, label: labels[value] }))}
          onChange={({ detail }) =>
            onChange({ ...expiry, choice: expiryChoices.find((choice) => choice === detail.value) ?? 'never' })
          }
        />
      </FormField>
      {expiry.choice === 'at' && (
        <FormField label="Date" errorText={errorText}>
          <DatePicker
            value={expiry.day}
            placeholder="YYYY/MM/DD"
            openCalendarAriaLabel={(day) => (day ? `Choose a date, selected: ${day}` : 'Choose a date')}
            previousMonthAriaLabel="Previous month"
            nextMonthAriaLabel="Next month"
            todayAriaLabel="Today"
            onChange={({ detail }) => onChange({ ...expiry, day: detail.value })}
          />
        </FormField>
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

/** The timestamp for the service, `null` for never; undefined while the input is incomplete. */
export function expiryTimestamp({ choice, day, time }: Expiry, now: number): string | null | undefined {
  switch (choice) {
    case 'never':
      return null;
    case 'hour':
      return new Date(now + 3_600_000).toISOString();
    case 'day':
      return new Date(now + 86_400_000).toISOString();
    case 'at': {
      // Without an offset it is read as local time (ECMAScript, Date Time String Format).
      const at = new Date(`${day}T${time.length === 5 ? time : '--'}`);
      return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
    }
    default:
      return choice satisfies never;
  }
}
