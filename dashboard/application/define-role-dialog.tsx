import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { RoleView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useSubmit } from '../api/use-submit.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

export interface DefineRoleDialogProps {
  readonly appId: string;
  /** To describe anew. Default: a new one. */
  readonly role?: RoleView | undefined;
  readonly onClose: () => void;
  readonly onDefined: () => void;
}

/** Defines a role, or describes one anew. */
export function DefineRoleDialog({ appId, role, onClose, onDefined }: DefineRoleDialogProps) {
  const api = useApi();
  const [name, setName] = useState(role?.role ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const { submit, pending, problem } = useSubmit(async () => {
    await api('define-role', { path: { appId, role: name }, body: { description: description || null } });
    onDefined();
  });
  const title = role === undefined ? 'Define role' : `Describe ${role.role}`;
  return (
    <FormDialog
      title={title}
      verb={role === undefined ? 'Define role' : 'Save'}
      blocked={name === ''}
      pending={pending}
      problem={problem}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      {role === undefined && (
        <FormField
          label="Name"
          constraintText="A letter, then up to 63 of A-Z a-z 0-9 . _ : -"
          errorText={problem?.fieldError('path:role')}
        >
          <Input value={name} onChange={({ detail }) => setName(detail.value.trim())} autoFocus />
        </FormField>
      )}
      <FormField label="Description (optional)" errorText={problem?.fieldError('#/description')}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
