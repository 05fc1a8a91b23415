import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { maxReasonLength } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { Field } from './field.tsx';

/** Why a change is made, as typed so far. */
export interface Reason {
  readonly reason: string;
  readonly ticket: string;
}

export const noReason: Reason = { reason: '', ticket: '' };

export interface ReasonFieldsProps {
  readonly value: Reason;
  readonly onChange: (value: Reason) => void;
  /** Whether the deployment or the application requires a reason. */
  readonly isRequired: boolean;
}

/** The reason for a change and the ticket behind it, shown in the history and to the application. */
export function ReasonFields({ value, onChange, isRequired }: ReasonFieldsProps) {
  const { reason, ticket } = value;
  const left = maxReasonLength - [...reason].length;
  return (
    <SpaceBetween size="m">
      <Field
        label={isRequired ? 'Reason' : 'Reason (optional)'}
        pointer="#/reason"
        description="Visible to operators and to the application."
        constraintText={`${isRequired ? 'Required. ' : ''}${countOf(Math.max(left, 0), 'character')} left`}
        errorText={left < 0 ? `${countOf(-left, 'character')} too long. Shorten the reason.` : undefined}
      >
        <Textarea
          value={reason}
          rows={2}
          ariaRequired={isRequired}
          onChange={({ detail }) => onChange({ ...value, reason: detail.value })}
        />
      </Field>
      <Field label="Ticket (optional)" pointer="#/ticket" constraintText="Such as INC-1234.">
        <Input value={ticket} onChange={({ detail }) => onChange({ ...value, ticket: detail.value })} />
      </Field>
    </SpaceBetween>
  );
}

/** The members of a request that say why. */
export function reasonBody({ reason, ticket }: Reason) {
  return { reason: reason.trim() || null, ticket: ticket.trim() || null };
}

/** What to do while a required reason is missing. */
export function missingReason({ reason }: Reason, isRequired: boolean): string | undefined {
  return isRequired && reason.trim() === '' ? 'Enter a reason.' : undefined;
}

/** Whether nothing was typed. */
export function isEmpty({ reason, ticket }: Reason): boolean {
  return reason.trim() === '' && ticket.trim() === '';
}
