import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import type { TypedTime } from '#shared/contract/typed-time.ts';
import { describeSkipped } from './chosen-expiry.ts';
import { DayPicker } from './day-picker.tsx';
import { Field } from './field.tsx';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface TypedTimeFieldsProps {
  readonly typed: TypedTime;
  /** The member of the request that they fill. */
  readonly pointer: string;
  readonly onChange: (typed: TypedTime) => void;
}

/** Asks for a day and a time in the operator's time zone, and refuses a time that the clocks skip. */
export function TypedTimeFields({ typed: { day, time }, pointer, onChange }: TypedTimeFieldsProps) {
  return (
    <SpaceBetween size="s">
      <Field label="Date" pointer={pointer}>
        <DayPicker day={day} onChange={(chosen) => onChange({ day: chosen, time })} />
      </Field>
      <FormField label="Time" description={`Your time zone (${zone})`} errorText={describeSkipped({ day, time })}>
        <TimeInput
          value={time}
          format="hh:mm"
          placeholder="hh:mm"
          onChange={({ detail }) => onChange({ day, time: detail.value })}
        />
      </FormField>
    </SpaceBetween>
  );
}
