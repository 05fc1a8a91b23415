import Textarea from '@cloudscape-design/components/textarea';
import { maxReasonLength } from '#shared/contract/fields.ts';
import { Field } from './field.tsx';

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The reason of a change, which the history and the application show. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  const left = maxReasonLength - [...value].length;
  return (
    <Field
      label="Reason (optional)"
      pointer="#/reason"
      description="Visible to operators and to the application."
      constraintText={`${left} of ${maxReasonLength} characters left`}
      errorText={left < 0 ? `${-left} characters too long` : undefined}
    >
      <Textarea value={value} rows={2} onChange={({ detail }) => onChange(detail.value)} />
    </Field>
  );
}
