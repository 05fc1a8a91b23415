import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RoleView } from '#shared/contract/role.ts';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useWriter } from '../session/dashboard-context.ts';

export interface DefineRoleDialogProps {
  readonly appId: string;
  /** The role to edit. Default: a new one. */
  readonly role?: RoleView | undefined;
  readonly onClose: () => void;
  readonly onDefined: () => void;
}

/** Defines a role, or edits its description. */
export function DefineRoleDialog({ appId, role, onClose, onDefined }: DefineRoleDialogProps) {
  const write = useWriter();
  const [name, setName] = useState(role?.role ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => write('define-role', { path: { appId, role: name }, body: { description: description || null } }),
    onSuccess: () => onDefined(),
  });
  const title = role === undefined ? 'Define role' : `Edit ${role.role}`;
  return (
    <FormDialog
      title={title}
      verb={role === undefined ? 'Define role' : 'Save'}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      {role === undefined && (
        <Field
          label="Name"
          constraintText="1–64 letters, digits or . _ : - characters, starting with a letter"
          pointer="path:role"
        >
          <Input value={name} onChange={({ detail }) => setName(detail.value.trim())} />
        </Field>
      )}
      <Field label="Description (optional)" pointer="#/description">
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </Field>
    </FormDialog>
  );
}
