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

/** Creates an application that allows all users, or blocks them at first with a rollout of 0%. */
export function CreateApplicationDialog({ onClose, onCreated }: CreateApplicationDialogProps) {
  const write = useWriter();
  const [appId, setAppId] = useState('');
  const [name, setName] = useState('');
  const [startsBlocked, setStartsBlocked] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      write('create-application', { body: { appId, name, ...(startsBlocked && { rolloutPercent: 0 }) } }),
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
        label="Application ID"
        description="Part of its key IDs. It can't be changed or reused later."
        constraintText="2–40 lower-case letters, digits or hyphens, starting with a letter"
        pointer="#/appId"
      >
        <Input value={appId} onChange={({ detail }) => setAppId(detail.value.trim())} />
      </Field>
      <Checkbox
        checked={startsBlocked}
        description="Until you raise the rollout, only users you allow one by one have access."
        onChange={({ detail }) => setStartsBlocked(detail.checked)}
      >
        Block all users at first
      </Checkbox>
    </FormDialog>
  );
}
