import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import { useMutation } from '@tanstack/react-query';
import type { RoleView } from '#shared/contract/role.ts';
import { hasCode } from '../api/problem-error.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { deletionWaitsFor } from '../forms/typed-confirmation.tsx';
import { useWriter } from '../session/dashboard-context.ts';

export interface DeleteRoleDialogProps {
  readonly role: RoleView;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes a role; one that is assigned only after a second confirmation. */
export function DeleteRoleDialog({ role: { appId, role }, onClose, onDeleted }: DeleteRoleDialogProps) {
  const write = useWriter();
  const { mutate, variables, isPending, error } = useMutation({
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
