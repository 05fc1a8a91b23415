import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';

/** When something ends: after a while, at a moment in the operator's own time, or never. */
const endChoices = ['hour', 'day', 'moment', 'never'] as const;
type EndChoice = (typeof endChoices)[number];

export interface End {
  readonly choice: EndChoice;
  /** `YYYY-MM-DD` and `hh:mm`, of a moment. */
  readonly day: string;
  readonly time: string;
}

export const noEnd: End = { choice: 'never', day: '', time: '' };

export interface EndFieldProps {
  readonly label: string;
  readonly end: End;
  readonly onChange: (end: End) => void;
  /** What the service says against it. */
  readonly errorText?: string | undefined;
}

const labels: Readonly<Record<EndChoice, string>> = {
  hour: 'In 1 hour',
  day: 'In 1 day',
  moment: 'At …',
  never: 'No end',
};
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When something ends by itself. */
export function EndField({ label, end, onChange, errorText }: EndFieldProps) {
  return (
    <SpaceBetween size="s">
      <FormField label={label} errorText={end.choice === 'moment' ? undefined : errorText}>
        <RadioGroup
          value={end.choice}
          items={endChoices.map((value) => ({ value, label: labels[value] }))}
          onChange={({ detail }) =>
            onChange({ ...end, choice: endChoices.find((choice) => choice === detail.value) ?? 'never' })
          }
        />
      </FormField>
      {end.choice === 'moment' && (
        <FormField label="Day" errorText={errorText}>
          <DatePicker
            value={end.day}
            placeholder="YYYY/MM/DD"
            openCalendarAriaLabel={(day) => (day ? `Choose a day, ${day} is chosen` : 'Choose a day')}
            previousMonthAriaLabel="Previous month"
            nextMonthAriaLabel="Next month"
            todayAriaLabel="Today"
            onChange={({ detail }) => onChange({ ...end, day: detail.value })}
          />
        </FormField>
      )}
      {end.choice === 'moment' && (
        <FormField label="Time" description={`Your own time (${zone})`}>
          <TimeInput
            value={end.time}
            format="hh:mm"
            placeholder="hh:mm"
            onChange={({ detail }) => onChange({ ...end, time: detail.value })}
          />
        </FormField>
      )}
    </SpaceBetween>
  );
}

/** The moment of an end as the service takes it, `null` for none; undefined as long as it is not complete. */
export function momentOf({ choice, day, time }: End, now: number): string | null | undefined {
  switch (choice) {
    case 'never':
      return null;
    case 'hour':
      return new Date(now + 3_600_000).toISOString();
    case 'day':
      return new Date(now + 86_400_000).toISOString();
    case 'moment': {
      // Without an offset it is read as local time (ECMAScript, Date Time String Format).
      const moment = new Date(`${day}T${time.length === 5 ? time : '--'}`);
      return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
    }
    default:
      return choice satisfies never;
  }
}
