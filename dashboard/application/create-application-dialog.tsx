import Checkbox from '@cloudscape-design/components/checkbox';
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

/** Creates an application, to which every user has access by default, or nobody at first. */
export function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const write = useWriter();
  const [appId, setAppId] = useState('');
  const [name, setName] = useState('');
  const [isClosed, setClosed] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => write('create-application', { body: { appId, name, ...(isClosed && { rolloutPercent: 0 }) } }),
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
      <Checkbox
        checked={isClosed}
        description="Only users who are turned on may enter, until its rollout is raised."
        onChange={({ detail }) => setClosed(detail.checked)}
      >
        Closed at first
      </Checkbox>
    </FormDialog>
  );
}
