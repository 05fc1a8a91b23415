import { useState } from 'react';
import { hasCode } from '../api/problem-error.ts';
import { RoleField } from '../forms/choice-fields.tsx';
import { missingEnd, noExpiry } from '../forms/chosen-expiry.ts';
import { ExpiryField } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { useEnd } from '../forms/use-end.ts';
import { useUndoNotice } from '../history/undo-button.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { applicationPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { nameUser } from '../words.ts';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

export interface AssignRoleDialogProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
  readonly onClose: () => void;
}

/** Assigns one of the application's roles, optionally with an expiry. */
export default function AssignRoleDialog({ access, change, onClose }: AssignRoleDialogProps) {
  const { userId, appId, appName, version, requireReason } = access;
  const write = useWriter();
  const offerUndo = useUndoNotice();
  const [role, setRole] = useState('');
  const [expiry, setExpiry] = useState(noExpiry);
  const isRequired = useOperator().needsReason(requireReason);
  const [why, setWhy] = useState(noReason);
  const end = useEnd(expiry, change);
  const send = () => {
    const expiresAt = end();
    if (role === '' || expiresAt === undefined) return;
    change.mutate({
      intent: `Assign ${role}`,
      ifMatch: version,
      send: (ifMatch) =>
        write('assign-user-role', { path: { userId, appId, role }, body: { expiresAt, ...reasonBody(why) }, ifMatch }),
      onDone: ({ changeId }) =>
        offerUndo(`access-${userId}-${appId}`, {
          userId,
          changeId,
          summary: `Assigned ${role} in ${appName} to ${nameUser(access)}.`,
        }),
      closeDialog: onClose,
    });
  };
  return (
    <FormDialog
      title={`Assign a role in ${appName}`}
      verb="Assign role"
      isPending={change.isPending}
      error={hasCode(change.error, 'version_mismatch') ? null : change.error}
      missing={role === '' ? 'Choose a role.' : (missingEnd(expiry) ?? missingReason(why, isRequired))}
      onSubmit={send}
      onClose={onClose}
    >
      <RoleField
        appId={appId}
        role={role}
        onChange={setRole}
        emptyHint={
          <>
            {appName} has no roles. <RouteLink to={`${applicationPath(appId)}?tab=roles`}>Define a role</RouteLink>
          </>
        }
      />
      <ExpiryField
        label="Assign until"
        never="I remove it"
        pointer="#/expiresAt"
        expiry={expiry}
        onChange={setExpiry}
      />
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}
