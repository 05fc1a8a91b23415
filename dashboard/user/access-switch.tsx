import Button from '@cloudscape-design/components/button';
import Toggle from '@cloudscape-design/components/toggle';
import { lazy, Suspense, useState } from 'react';
import type { ChangedAccess, SetAccessBody } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { isInRollout } from '#shared/contract/rollout.ts';
import { useWriter } from '../session/dashboard-context.ts';
import { useNotices } from '../shell/notices.tsx';
import type { AccessMutation, AccessWrite } from './use-user-access.ts';

const undoSeconds = 10;
const DisableDialog = lazy(() => import('./disable-dialog.tsx'));

export interface AccessSwitchProps {
  readonly access: UserAccessView;
  readonly change: AccessMutation;
}

/**
 * Turns the access of one user to one application on or off. It shows the new state at once and reverts when the change is
 * refused. While a change is pending it is read-only: a disabled switch would lose the keyboard focus.
 */
export function AccessSwitch({ access, change }: AccessSwitchProps) {
  const [asking, setAsking] = useState(false);
  const set = useSetAccess(access, change);
  const { isPending, variables } = change;
  const turns = isPending ? variables.turns : undefined;
  const isOn = turns === undefined ? isSwitchedOn(access, Date.now()) : turns === 'on';
  const turnOff = (setting: SetAccessBody) => {
    setAsking(false);
    set(setting);
  };
  return (
    <>
      <Toggle
        checked={isOn}
        readOnly={isPending}
        ariaLabel={`Access of ${access.userId} to ${access.appName}`}
        onChange={({ detail }) =>
          detail.checked ? set({ status: 'enabled', until: null, reason: null }) : setAsking(true)
        }
      >
        {isPending ? 'Saving…' : isOn ? 'On' : 'Off'}
      </Toggle>
      {asking && (
        <Suspense>
          <DisableDialog access={access} onClose={() => setAsking(false)} onSubmit={turnOff} />
        </Suspense>
      )}
    </>
  );
}

/**
 * Sets the status, and offers to undo it for ten seconds. That a rollout decides cannot be set again, so turning on a user
 * whom it shuts out is not undone.
 */
function useSetAccess(access: UserAccessView, { mutate }: AccessMutation) {
  const write = useWriter();
  const { show, hide } = useNotices();
  const { userId, appId, appName } = access;
  const id = `access-${userId}-${appId}`;
  const writeOf = ({ status, until, reason }: SetAccessBody, ifMatch: number): AccessWrite => ({
    intent: status === 'enabled' ? `Turn ${appName} on` : `Turn ${appName} off`,
    turns: status === 'enabled' ? 'on' : 'off',
    ifMatch,
    send: (version) =>
      write('set-user-access', { path: { userId, appId }, body: { status, until, reason }, ifMatch: version }),
  });
  const undo = (version: number) => {
    hide(id);
    const onDone = () =>
      show({
        id,
        type: 'info',
        content: `The previous setting of ${appName} is restored for ${userId}.`,
        seconds: undoSeconds,
      });
    mutate({ ...writeOf(settingOf(access, Date.now()), version), onDone });
  };
  const canUndo = access.explicit || isSwitchedOn(access, Date.now());
  return (setting: SetAccessBody) => {
    const onDone = ({ version, changed }: ChangedAccess) => {
      if (!changed) return;
      show({
        id,
        type: 'success',
        content: `${appName} is turned ${setting.status === 'enabled' ? 'on' : 'off'} for ${userId}.`,
        ...(canUndo && { action: <Button onClick={() => undo(version)}>Undo</Button> }),
        seconds: undoSeconds,
      });
    };
    mutate({ ...writeOf(setting, access.version), onDone });
  };
}

/** Whether the application's own setting or its rollout allows access now, regardless of the global status. */
function isSwitchedOn(access: UserAccessView, now: number): boolean {
  const { explicit, status, until, decidedBy, effectiveStatus, appId, userId, rolloutPercent } = access;
  if (explicit) return status === 'enabled' || (until !== null && Date.parse(until) <= now);
  return decidedBy === 'user' ? isInRollout(appId, userId, rolloutPercent) : effectiveStatus === 'enabled';
}

/** The setting that restores an earlier access; a default or an expired block is the same as `enabled`. */
function settingOf(access: UserAccessView, now: number): SetAccessBody {
  const { status, until, reason } = access;
  if (!isSwitchedOn(access, now)) return { status, until, reason };
  return { status: 'enabled', until: null, reason: status === 'enabled' ? reason : null };
}
