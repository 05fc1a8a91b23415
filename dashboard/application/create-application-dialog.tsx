import Checkbox from '@cloudscape-design/components/checkbox';
import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../forms/field.tsx';
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
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Field label="Name" description="Shown to operators." pointer="#/name">
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </Field>
      <Field
        label="Application id"
        description="Part of its key ids. It cannot be changed or reused."
        constraintText="Starts with a lower-case letter, followed by 1 to 39 of a-z 0-9 -"
        pointer="#/appId"
      >
        <Input value={appId} onChange={({ detail }) => setAppId(detail.value.trim())} />
      </Field>
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
