import Box from '@cloudscape-design/components/box';
import Toggle from '@cloudscape-design/components/toggle';
import { Suspense, useState } from 'react';
import type { ChangedAccess, SetAccessBody } from '#shared/contract/access.ts';
import { isInRollout } from '#shared/contract/rollout.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { useUndoNotice } from '../history/undo-button.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import type { AccessIntent } from './set-access-dialog.tsx';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

const SetAccessDialog = lazyPart(() => import('./set-access-dialog.tsx'));

export interface AccessSwitchProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
}

/**
 * Turns the access of one user to one application on or off, and changes the end of a block. It says what is set; while the
 * user is inactive, it looks suspended. While a change is pending it is read-only: a disabled switch would lose the focus.
 */
export function AccessSwitch({ access, change }: AccessSwitchProps) {
  const [asking, setAsking] = useState<AccessIntent>();
  const { may, refusal } = useOperator();
  const set = useSetAccess(access, change);
  const { isPending, variables } = change;
  const turns = isPending ? variables.turns : undefined;
  const isOn = turns === undefined ? isSwitchedOn(access, Date.now()) : turns === 'on';
  const isSuspended = access.userStatus === 'inactive';
  const close = () => {
    setAsking(undefined);
    if (change.isError) change.reset();
  };
  return (
    <div className={isSuspended ? 'switch suspended' : 'switch'}>
      <Toggle
        checked={isOn}
        readOnly={isPending || !may('set-user-access', access.appId)}
        description={refusal('set-user-access', access.appId)}
        ariaLabel={`Access of ${access.userId} to ${access.appName}`}
        onChange={({ detail }) => setAsking(detail.checked ? 'on' : 'off')}
      >
        {isPending ? 'Saving…' : isOn ? 'On' : 'Off'}
        {isSuspended && !isPending && (
          <Box variant="small" display="inline" color="text-body-secondary">
            , suspended
          </Box>
        )}
      </Toggle>
      {!isOn && access.explicit && !isPending && (
        <ActionButton
          operation="set-user-access"
          appId={access.appId}
          variant="inline-link"
          ariaLabel={`Change end of the block of ${access.userId} in ${access.appName}`}
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
            onSubmit={(setting) => set(setting, () => setAsking(undefined))}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Sets the status, and offers to undo it. */
function useSetAccess(access: NamedAccess, { mutate }: AccessMutation) {
  const write = useWriter();
  const offerUndo = useUndoNotice();
  const { userId, appId, appName, version } = access;
  return ({ status, until, reason }: SetAccessBody, closeDialog: () => void) => {
    const turns = status === 'enabled' ? 'on' : 'off';
    mutate({
      intent: `Turn ${appName} ${turns}`,
      turns,
      ifMatch: version,
      send: (ifMatch) =>
        write('set-user-access', { path: { userId, appId }, body: { status, until, reason }, ifMatch }),
      onDone: ({ changeId }: ChangedAccess) =>
        offerUndo(`access-${userId}-${appId}`, {
          userId,
          changeId,
          said: `${appName} is turned ${turns} for ${userId}.`,
        }),
      closeDialog,
    });
  };
}

/** Whether the application's own setting or its rollout allows access now, regardless of the global status. */
export function isSwitchedOn(access: NamedAccess, now: number): boolean {
  const { explicit, status, until, decidedBy, effectiveStatus, appId, userId, rolloutPercent } = access;
  if (explicit) return status === 'enabled' || (until !== null && Date.parse(until) <= now);
  return decidedBy === 'user' ? isInRollout(appId, userId, rolloutPercent) : effectiveStatus === 'enabled';
}
