import Box from '@cloudscape-design/components/box';
import Toggle from '@cloudscape-design/components/toggle';
import { Suspense, useState } from 'react';
import type { AccessStatus, ChangedAccess } from '#shared/contract/access.ts';
import { isInRollout } from '#shared/contract/rollout.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { useUndoNotice } from '../history/undo-button.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { accessLabels, accessTitle, nameUser, notSetLabel } from '../words.ts';
import type { AccessIntent, SettingBody } from './set-access-dialog.tsx';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

const SetAccessDialog = lazyPart(() => import('./set-access-dialog.tsx'));

export interface AccessSwitchProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
}

/**
 * Allows or blocks the access of one user to one application, and changes the end of a block. It shows the setting, greyed
 * out while the user is inactive. While a change is pending it is read-only: a disabled switch would lose the focus.
 */
export function AccessSwitch({ access, change }: AccessSwitchProps) {
  const [asking, setAsking] = useState<AccessIntent>();
  const { may, missingRole } = useOperator();
  const set = useSetAccess(access, change);
  const { isPending, variables } = change;
  const pending = isPending ? variables.status : undefined;
  const isAllowed = pending === undefined ? isAllowedBySetting(access, Date.now()) : pending === 'enabled';
  const isSuspended = access.userStatus === 'inactive';
  const close = () => {
    setAsking(undefined);
    if (change.isError) change.reset();
  };
  return (
    <div className={isSuspended ? 'switch suspended' : 'switch'}>
      <Toggle
        checked={isAllowed}
        readOnly={isPending || !may('set-user-access', access.appId)}
        description={missingRole('set-user-access', access.appId)}
        ariaLabel={`Access of ${nameUser(access)} to ${access.appName}`}
        onChange={({ detail }) => setAsking(detail.checked ? 'allow' : 'block')}
      >
        {isPending ? 'Saving…' : labelOf(isAllowed, access.explicit)}
        {isSuspended && !isPending && (
          <Box variant="small" display="inline" color="text-body-secondary">
            , suspended
          </Box>
        )}
      </Toggle>
      {!isAllowed && access.explicit && !isPending && (
        <ActionButton
          operation="set-user-access"
          appId={access.appId}
          variant="inline-link"
          ariaLabel={`Change end of the block of ${nameUser(access)} in ${access.appName}`}
          onClick={() => setAsking('extend')}
        >
          Change end
        </ActionButton>
      )}
      {asking && (
        <Suspense>
          <SetAccessDialog
            access={access}
            intent={asking}
            change={change}
            onClose={close}
            onSubmit={(body) => set(body, () => setAsking(undefined))}
          />
        </Suspense>
      )}
    </div>
  );
}

/** `Blocked` only for a user who was blocked: a rollout that does not admit the user is not a setting. */
function labelOf(isAllowed: boolean, isSet: boolean): string {
  if (isAllowed) return accessLabels.enabled;
  return isSet ? accessLabels.disabled : notSetLabel;
}

/** Sets the status, and offers to undo it. */
function useSetAccess(access: NamedAccess, { mutate }: AccessMutation) {
  const write = useWriter();
  const offerUndo = useUndoNotice();
  const { userId, appId, appName, version } = access;
  return (body: SettingBody, closeDialog: () => void) => {
    const { status, ticket } = body;
    mutate({
      intent: accessTitle(status, appName),
      status,
      ticket,
      ifMatch: version,
      send: (ifMatch) => write('set-user-access', { path: { userId, appId }, body, ifMatch }),
      onDone: ({ changeId }: ChangedAccess) =>
        offerUndo(`access-${userId}-${appId}`, {
          userId,
          changeId,
          summary: describeDone(status, access),
        }),
      closeDialog,
    });
  };
}

function describeDone(status: AccessStatus, access: NamedAccess): string {
  const [user, { appName }] = [nameUser(access), access];
  return status === 'enabled' ? `Allowed ${user} to use ${appName}.` : `Blocked ${user} from ${appName}.`;
}

/** Whether the user's setting or the rollout allows access now, regardless of the global status. */
export function isAllowedBySetting(access: NamedAccess, now: number): boolean {
  const { explicit, status, until, decidedBy, effectiveStatus, appId, userId, rolloutPercent } = access;
  if (explicit) return status === 'enabled' || (until !== null && Date.parse(until) <= now);
  return decidedBy === 'user' ? isInRollout(appId, userId, rolloutPercent) : effectiveStatus === 'enabled';
}
