import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { UserView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useSubmit } from '../api/use-submit.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

export interface EditUserDialogProps {
  readonly user: UserView;
  readonly onClose: () => void;
  readonly onChanged: (user: UserView) => void;
}

/** Changes what a user is called. */
export default function EditUserDialog({ user, onClose, onChanged }: EditUserDialogProps) {
  const { userId, version } = user;
  const api = useApi();
  const [displayName, setDisplayName] = useState(user.displayName ?? '');
  const [email, setEmail] = useState(user.email ?? '');
  const { submit, pending, problem } = useSubmit(async () => {
    const changed = await api('update-user', {
      path: { userId },
      body: { displayName: displayName || null, email: email || null },
      ifMatch: version,
    });
    onChanged(changed);
  });
  return (
    <FormDialog
      title={`Edit ${userId}`}
      verb="Save"
      pending={pending}
      problem={problem}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <FormField label="Name" errorText={problem?.fieldError('#/displayName')}>
        <Input value={displayName} onChange={({ detail }) => setDisplayName(detail.value)} autoFocus />
      </FormField>
      <FormField label="E-mail" errorText={problem?.fieldError('#/email')}>
        <Input value={email} type="email" onChange={({ detail }) => setEmail(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
