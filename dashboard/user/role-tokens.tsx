import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Token from '@cloudscape-design/components/token';
import { lazy, Suspense, useState } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { localTimeText } from '../lists/local-time.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import type { AccessMutation } from './use-user-access.ts';

const AssignRoleDialog = lazy(() => import('./assign-role-dialog.tsx'));

export interface RoleTokensProps {
  readonly access: UserAccessView;
  readonly change: AccessMutation;
}

/** The roles of a user in one application, each with a button to revoke it, and a button to assign another. */
export function RoleTokens({ access, change }: RoleTokensProps) {
  const write = useWriter();
  const { may } = useOperator();
  const [assigning, setAssigning] = useState(false);
  const { userId, appId, appName, roles, version } = access;
  const { isPending, mutate } = change;
  const revoke = (role: string) =>
    mutate({
      intent: `Revoke ${role}`,
      ifMatch: version,
      send: (ifMatch) => write('revoke-user-role', { path: { userId, appId, role }, ifMatch }),
    });
  return (
    <SpaceBetween size="xs">
      <SpaceBetween size="xs" direction="horizontal" alignItems="center">
        {roles.length === 0 && <Box color="text-body-secondary">No roles</Box>}
        {roles.map(({ name, expiresAt }) => (
          <Token
            key={name}
            variant="inline"
            label={expiresAt === null ? name : `${name} until ${localTimeText(expiresAt)}`}
            {...(may('revoke-user-role', appId) && {
              dismissLabel: `Revoke ${name} in ${appName}`,
              onDismiss: () => revoke(name),
            })}
            readOnly={isPending}
          />
        ))}
      </SpaceBetween>
      <ActionButton
        operation="assign-user-role"
        appId={appId}
        variant="inline-link"
        iconName="add-plus"
        ariaLabel={`Assign a role in ${appName}`}
        disabled={isPending}
        onClick={() => setAssigning(true)}
      >
        Assign a role
      </ActionButton>
      {assigning && (
        <Suspense>
          <AssignRoleDialog access={access} change={change} onClose={() => setAssigning(false)} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
