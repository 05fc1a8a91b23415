import Textarea from '@cloudscape-design/components/textarea';
import { maxReasonLength } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { Field } from './field.tsx';

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The reason for a change, shown in the history and to the application. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  const left = maxReasonLength - [...value].length;
  return (
    <Field
      label="Reason (optional)"
      pointer="#/reason"
      description="Visible to operators and to the application."
      constraintText={`${countOf(Math.max(left, 0), 'character')} left`}
      errorText={left < 0 ? `${countOf(-left, 'character')} too long. Shorten the reason.` : undefined}
    >
      <Textarea value={value} rows={2} onChange={({ detail }) => onChange(detail.value)} />
    </Field>
  );
}
