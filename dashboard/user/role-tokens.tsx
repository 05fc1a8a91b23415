import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Token from '@cloudscape-design/components/token';
import { Suspense, useState } from 'react';
import { ActionButton } from '../forms/action-button.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

const AssignRoleDialog = lazyPart(() => import('./assign-role-dialog.tsx'));
const RemoveRoleDialog = lazyPart(() => import('./remove-role-dialog.tsx'));

export interface RoleTokensProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
}

/** The roles of a user in one application, each with a button to remove it, and a button to assign another. */
export function RoleTokens({ access, change }: RoleTokensProps) {
  const { may } = useOperator();
  const [assigning, setAssigning] = useState(false);
  const [removing, setRemoving] = useState<string>();
  const { appId, appName, roles } = access;
  const { isPending } = change;
  const close = () => {
    setAssigning(false);
    setRemoving(undefined);
    if (change.isError) change.reset();
  };
  return (
    <SpaceBetween size="xs" direction="horizontal" alignItems="center">
      {roles.map(({ name, expiresAt }) => (
        <div key={name}>
          <Token
            variant="inline"
            label={name}
            {...(may('revoke-user-role', appId) && {
              dismissLabel: `Remove ${name} in ${appName}`,
              onDismiss: () => setRemoving(name),
            })}
            readOnly={isPending}
          />
          {expiresAt !== null && (
            <Box variant="small" display="block">
              until <LocalTime at={expiresAt} />
            </Box>
          )}
        </div>
      ))}
      <ActionButton
        operation="assign-user-role"
        appId={appId}
        variant="inline-link"
        iconName="add-plus"
        ariaLabel={`Assign a role in ${appName}`}
        disabled={isPending}
        onClick={() => setAssigning(true)}
      >
        Assign
      </ActionButton>
      {removing !== undefined && (
        <Suspense>
          <RemoveRoleDialog access={access} role={removing} change={change} onClose={close} />
        </Suspense>
      )}
      {assigning && (
        <Suspense>
          <AssignRoleDialog access={access} change={change} onClose={close} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
