import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { ApplicationView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useSubmit } from '../api/use-submit.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

export interface RenameDialogProps {
  readonly application: ApplicationView;
  readonly onClose: () => void;
  readonly onChanged: (application: ApplicationView) => void;
}

/** Renames an application; its id stays. */
export default function RenameDialog({ application, onClose, onChanged }: RenameDialogProps) {
  const { appId, version } = application;
  const api = useApi();
  const [name, setName] = useState(application.name);
  const { submit, pending, problem } = useSubmit(async () =>
    onChanged(await api('update-application', { path: { appId }, body: { name }, ifMatch: version })),
  );
  return (
    <FormDialog
      title={`Rename ${appId}`}
      verb="Rename"
      blocked={name === ''}
      pending={pending}
      problem={problem}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <FormField label="Name" errorText={problem?.fieldError('#/name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} autoFocus />
      </FormField>
    </FormDialog>
  );
}
