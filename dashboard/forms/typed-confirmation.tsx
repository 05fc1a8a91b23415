import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { FormDialog } from './form-dialog.tsx';

export interface TypedConfirmationProps {
  readonly title: string;
  readonly verb: string;
  /** The text to type, and the label of its field. */
  readonly wanted: string;
  readonly label: string;
  /** What is deleted or stops working. */
  readonly warning: ReactNode;
  readonly act: () => Promise<void>;
  /** Why it can take a few seconds. */
  readonly waitsFor?: string;
  readonly onClose: () => void;
}

/** Asks the operator to type a text before an action that can't be undone. */
export function TypedConfirmation({
  title,
  verb,
  wanted,
  label,
  warning,
  waitsFor,
  act,
  onClose,
}: TypedConfirmationProps) {
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useAction({ mutationFn: act });
  return (
    <FormDialog
      title={title}
      verb={verb}
      missing={typed.trim() === wanted ? undefined : 'Type the text above to confirm.'}
      isDestructive
      isPending={isPending}
      waitsFor={waitsFor}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Alert type="warning">{warning}</Alert>
      <FormField label={label}>
        <Input
          value={typed}
          autoComplete={false}
          spellcheck={false}
          onChange={({ detail }) => setTyped(detail.value)}
        />
      </FormField>
    </FormDialog>
  );
}

/** Why deleting a user, an application or a role takes a few seconds. */
export const deletionWaitsFor = 'Deleting: waiting for running requests to finish…';
