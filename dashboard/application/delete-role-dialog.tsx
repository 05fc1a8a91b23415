import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import type { RoleView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useSubmit } from '../api/use-submit.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

export interface DeleteRoleDialogProps {
  readonly role: RoleView;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes a role; one that users hold only after a second question. */
export function DeleteRoleDialog({ role: { appId, role }, onClose, onDeleted }: DeleteRoleDialogProps) {
  const api = useApi();
  const { submit, pending, problem } = useSubmit(async (force: boolean) => {
    const request = { path: { appId, role }, query: { force: force ? 'true' : 'false' } } as const;
    // A deletion that ran out of time goes on with the same request.
    while (!(await api('delete-role', request)).complete);
    onDeleted();
  });
  const isHeld = problem?.code === 'role_in_use';
  return (
    <FormDialog
      title={`Delete ${role}`}
      verb={isHeld ? 'Take it back from all and delete' : 'Delete'}
      pending={pending}
      problem={isHeld ? undefined : problem}
      onSubmit={() => submit(isHeld)}
      onClose={onClose}
    >
      {isHeld ? (
        <Alert type="warning" header={`Users hold ${role}`}>
          Deleting it takes it back from all of them.
        </Alert>
      ) : (
        <Box>The role {role} can then no longer be assigned.</Box>
      )}
    </FormDialog>
  );
}
