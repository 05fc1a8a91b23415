import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../api/problem-error.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useWriter } from '../session/dashboard-context.ts';

export interface CreateApplicationDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (appId: string) => void;
}

/** Creates an application, to which every user has access by default. */
export function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const write = useWriter();
  const [appId, setAppId] = useState('');
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => write('create-application', { body: { appId, name } }),
    onSuccess: (created) => onCreated(created.appId),
  });
  return (
    <FormDialog
      title="Create application"
      verb="Create application"
      blocked={appId === '' || name === ''}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <FormField label="Name" description="Shown to operators." errorText={fieldError(error, '#/name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} autoFocus />
      </FormField>
      <FormField
        label="Application id"
        description="Part of its key ids. It cannot be changed or reused."
        constraintText="Starts with a lower-case letter, followed by 1 to 39 of a-z 0-9 -"
        errorText={fieldError(error, '#/appId')}
      >
        <Input value={appId} onChange={({ detail }) => setAppId(detail.value.trim())} />
      </FormField>
    </FormDialog>
  );
}
