import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import { hasCode } from '../api/problem-error.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { useUndoNotice } from '../history/undo-button.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { nameUser } from '../words.ts';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

export interface RemoveRoleDialogProps {
  readonly access: NamedAccess;
  readonly role: string;
  readonly change: AccessMutation;
  readonly onClose: () => void;
}

/** Removes a role of a user in one application, with a reason. */
export default function RemoveRoleDialog({ access, role, change, onClose }: RemoveRoleDialogProps) {
  const { userId, appId, appName, version, requireReason } = access;
  const write = useWriter();
  const offerUndo = useUndoNotice();
  const isRequired = useOperator().needsReason(requireReason);
  const [why, setWhy] = useState(noReason);
  const send = () =>
    change.mutate({
      intent: `Remove ${role}`,
      ifMatch: version,
      send: (ifMatch) => write('revoke-user-role', { path: { userId, appId, role }, body: reasonBody(why), ifMatch }),
      onDone: ({ changeId }) =>
        offerUndo(`access-${userId}-${appId}`, {
          userId,
          changeId,
          summary: `Removed ${role} in ${appName} from ${nameUser(access)}.`,
        }),
      closeDialog: onClose,
    });
  return (
    <FormDialog
      title={`Remove ${role} in ${appName}`}
      verb="Remove role"
      isPending={change.isPending}
      error={hasCode(change.error, 'version_mismatch') ? null : change.error}
      missing={missingReason(why, isRequired)}
      onSubmit={send}
      onClose={onClose}
    >
      <Box>
        {nameUser(access)} loses the role {role} in {appName}. Access and other roles are kept.
      </Box>
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}
