import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { type ReactNode, useState } from 'react';
import { useDeletion } from '../api/use-deletion.ts';
import { FormDialog } from './form-dialog.tsx';

export interface TypedConfirmationProps {
  readonly title: string;
  readonly verb: string;
  /** The text to type, and the label of its field. */
  readonly wanted: string;
  readonly label: string;
  /** What is deleted or stops working. */
  readonly warning: ReactNode;
  /** Calls `onWait` whenever the service answers that it is not complete yet. */
  readonly act: (onWait: () => void) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks the operator to type a text before an action that cannot be undone. */
export function TypedConfirmation({ title, verb, wanted, label, warning, act, onClose }: TypedConfirmationProps) {
  const [typed, setTyped] = useState('');
  const { mutate, isPending, waiting, error } = useDeletion(act);
  return (
    <FormDialog
      title={title}
      verb={verb}
      blocked={typed.trim() !== wanted}
      isPending={isPending}
      waiting={waiting}
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
