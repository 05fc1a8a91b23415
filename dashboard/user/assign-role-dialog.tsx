import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { hasCode } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { ExpiryField, expiryTimestamp, noExpiry } from '../forms/expiry-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useEnd } from '../forms/use-end.ts';
import { useUndoNotice } from '../history/undo-button.tsx';
import { useApi, useWriter } from '../session/dashboard-context.ts';
import { applicationPath, RouteLink } from '../shell/route-link.tsx';
import type { AccessMutation } from './use-user-access.ts';

export interface AssignRoleDialogProps {
  readonly access: UserAccessView;
  readonly change: AccessMutation;
  readonly onClose: () => void;
}

/** Assigns one of the application's roles, optionally with an expiry. */
export default function AssignRoleDialog({ access, change, onClose }: AssignRoleDialogProps) {
  const { userId, appId, appName, version } = access;
  const api = useApi();
  const write = useWriter();
  const offerUndo = useUndoNotice();
  const [role, setRole] = useState<string>();
  const [expiry, setExpiry] = useState(noExpiry);
  const { items, isFetching, error, hasMore, page, turnTo } = usePages({
    queryKey: [...queryKeys.applicationRoles(appId), { limit: '100' }],
    load: (cursor, signal) => api('list-roles', { path: { appId }, query: { limit: '100', cursor }, signal }),
  });
  const end = useEnd(expiry, change.error);
  const options = items.map(({ role: name, description }) => ({
    value: name,
    label: name,
    ...(description !== null && { description }),
  }));
  const send = () => {
    const expiresAt = end();
    if (role === undefined || expiresAt === undefined) return;
    change.mutate({
      intent: `Assign ${role}`,
      ifMatch: version,
      send: (ifMatch) => write('assign-user-role', { path: { userId, appId, role }, body: { expiresAt }, ifMatch }),
      onDone: ({ changeId }) =>
        offerUndo(`access-${userId}-${appId}`, {
          ...{ userId, changeId },
          said: `${role} of ${appName} is assigned to ${userId}.`,
        }),
      closeDialog: onClose,
    });
  };
  return (
    <FormDialog
      title={`Assign a role in ${appName}`}
      verb="Assign"
      isPending={change.isPending}
      error={hasCode(change.error, 'version_mismatch') ? null : (change.error ?? error)}
      blocked={role === undefined || expiryTimestamp(expiry, 0) === undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <FormField
        label="Role"
        secondaryControl={hasMore ? <NextRoles turn={() => turnTo(page + 1)} /> : undefined}
        description={
          !isFetching && items.length === 0 ? (
            <>
              {appName} has no roles. <RouteLink to={`${applicationPath(appId)}?tab=roles`}>Define one</RouteLink>
            </>
          ) : undefined
        }
      >
        <Select
          selectedOption={options.find(({ value }) => value === role) ?? null}
          options={options}
          placeholder="Choose a role"
          statusType={isFetching ? 'loading' : 'finished'}
          loadingText="Loading roles…"
          empty="No roles"
          filteringType={options.length > 10 ? 'auto' : 'none'}
          onChange={({ detail }) => setRole(detail.selectedOption.value)}
        />
      </FormField>
      <ExpiryField label="Revoke automatically" pointer="#/expiresAt" expiry={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}

function NextRoles({ turn }: { readonly turn: () => void }) {
  return (
    <button type="button" onClick={turn}>
      More roles
    </button>
  );
}
