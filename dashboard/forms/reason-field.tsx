import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { maxReasonLength } from '#shared/contract/limits.ts';

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** Why something is done: it goes into the history, and to the application. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  const left = maxReasonLength - [...value].length;
  return (
    <FormField
      label="Reason (optional)"
      description="Operators and the application can read it."
      constraintText={`${left} of ${maxReasonLength} characters left`}
      errorText={left < 0 ? `It is ${-left} characters too long.` : undefined}
    >
      <Textarea value={value} rows={2} onChange={({ detail }) => onChange(detail.value)} />
    </FormField>
  );
}
