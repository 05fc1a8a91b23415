import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { userIdCharacters } from '#shared/contract/fields.ts';
import { useAction } from '../api/use-action.ts';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useWriter } from '../session/dashboard-context.ts';

export interface CreateUserDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (userId: string) => void;
  /** A user ID or an e-mail address to fill in. Default: none. */
  readonly known?: string;
}

/** Creates a user, who has access to every application by default. */
export default function CreateUserDialog({ onClose, onCreated, known = '' }: CreateUserDialogProps) {
  const write = useWriter();
  const isAddress = known.includes('@');
  const [userId, setUserId] = useState(isAddress ? '' : known);
  const [displayName, setDisplayName] = useState('');
  const [email, setEmail] = useState(isAddress ? known : '');
  const { mutate, isPending, error } = useAction({
    mutationFn: () =>
      write('create-user', {
        path: { userId },
        body: { displayName: displayName || null, email: email || null },
      }),
    onSuccess: (created) => onCreated(created.userId),
  });
  return (
    <FormDialog
      title="Create user"
      verb="Create user"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Field
        label="User ID"
        description="The ID from your identity provider. It can't be changed later."
        constraintText={`1–128 characters: ${userIdCharacters}`}
        pointer="path:userId"
      >
        <Input value={userId} onChange={({ detail }) => setUserId(detail.value.trim())} />
      </Field>
      <Field label="Name (optional)" pointer="#/displayName">
        <Input value={displayName} onChange={({ detail }) => setDisplayName(detail.value)} />
      </Field>
      <Field label="E-mail (optional)" pointer="#/email">
        <Input value={email} inputMode="email" onChange={({ detail }) => setEmail(detail.value)} />
      </Field>
    </FormDialog>
  );
}
