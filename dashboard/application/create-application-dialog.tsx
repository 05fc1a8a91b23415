import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { useSubmit } from '../api/use-submit.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

export interface CreateApplicationDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (appId: string) => void;
}

/** Makes an application, which every user may enter until somebody says otherwise. */
export function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const api = useApi();
  const [appId, setAppId] = useState('');
  const [name, setName] = useState('');
  const { submit, pending, problem } = useSubmit(async () => {
    const created = await api('create-application', { body: { appId, name } });
    onCreated(created.appId);
  });
  return (
    <FormDialog
      title="Create application"
      verb="Create application"
      blocked={appId === '' || name === ''}
      pending={pending}
      problem={problem}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <FormField label="Name" description="Shown to operators." errorText={problem?.fieldError('#/name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} autoFocus />
      </FormField>
      <FormField
        label="Application id"
        description="Part of its key ids; it cannot be changed, and is never given again."
        constraintText="A lower-case letter, then 1 to 39 of a-z 0-9 -"
        errorText={problem?.fieldError('#/appId')}
      >
        <Input value={appId} onChange={({ detail }) => setAppId(detail.value.trim())} />
      </FormField>
    </FormDialog>
  );
}
