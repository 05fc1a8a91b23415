import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { KeyView } from '#shared/contract/api-key.ts';
import { useAction } from '../api/use-action.ts';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import type { KeyOwner } from './key-owner.ts';
import { useKeyWrites } from './use-key-writes.ts';

export interface LabelKeyDialogProps {
  readonly owner: KeyOwner;
  readonly apiKey: KeyView<string>;
  readonly onClose: () => void;
  readonly onLabelled: () => void;
}

/** Changes or removes the label of a key. */
export function LabelKeyDialog({ owner, apiKey: { keyId, label }, onClose, onLabelled }: LabelKeyDialogProps) {
  const { label: send } = useKeyWrites(owner);
  const [text, setText] = useState(label ?? '');
  const { mutate, isPending, error } = useAction({
    mutationFn: () => send(keyId, { label: text.trim() || null }),
    onSuccess: onLabelled,
  });
  return (
    <FormDialog
      title="Label key"
      verb="Save label"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <LabelField text={text} onChange={setText} />
    </FormDialog>
  );
}

export interface LabelFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The name by which people recognize a key. */
export function LabelField({ text, onChange }: LabelFieldProps) {
  return (
    <Field
      label="Label (optional)"
      description="Where the key is used, such as Production backend. Not visible to applications."
      pointer="#/label"
    >
      <Input value={text} onChange={({ detail }) => onChange(detail.value)} />
    </Field>
  );
}
