import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { RoleView } from '#shared/contract/role.ts';
import { hasCode } from '../api/problem-error.ts';
import { useAction } from '../api/use-action.ts';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { deletionWaitsFor } from '../forms/typed-confirmation.tsx';
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
  const { mutate, isPending, error } = useAction({
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

interface DeleteRoleDialogProps {
  readonly role: RoleView;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes a role; one that is assigned only after a second confirmation. */
export function DeleteRoleDialog({ role: { appId, role }, onClose, onDeleted }: DeleteRoleDialogProps) {
  const write = useWriter();
  const { mutate, variables, isPending, error } = useAction({
    mutationFn: (force: 'true' | 'false') => write('delete-role', { path: { appId, role }, query: { force } }),
    onSuccess: () => onDeleted(),
  });
  const isRefused = hasCode(error, 'role_in_use');
  const isHeld = isRefused || variables === 'true';
  return (
    <FormDialog
      title={`Delete ${role}`}
      verb={isHeld ? 'Remove from all users and delete' : 'Delete role'}
      isPending={isPending}
      waitsFor={deletionWaitsFor}
      error={isRefused ? null : error}
      onSubmit={() => mutate(isHeld ? 'true' : 'false')}
      onClose={onClose}
    >
      {isHeld ? (
        <Alert type="warning" header={`${role} is assigned to users`}>
          Deleting the role removes it from all of them.
        </Alert>
      ) : (
        <Box>Users can no longer be assigned the role {role}.</Box>
      )}
    </FormDialog>
  );
}
