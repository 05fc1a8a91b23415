import Box from '@cloudscape-design/components/box';
import Toggle from '@cloudscape-design/components/toggle';
import { type MouseEvent, Suspense, useState } from 'react';
import { hasCode } from '../api/problem-error.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { accessLabels, nameUser, notSetLabel } from '../words.ts';
import { isAllowedBySetting } from './is-allowed-by-setting.ts';
import type { AccessIntent } from './set-access-dialog.tsx';
import { useSetAccess } from './use-set-access.tsx';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

const SetAccessDialog = lazyPart(() => import('./set-access-dialog.tsx'));

export interface AccessSwitchProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
}

/**
 * Allows or blocks the access of one user to one application: at once, unless a reason is required; the notice offers to undo it.
 * It shows the setting, greyed out while the user is inactive. While a change is pending it is read-only: a disabled switch would
 * lose the focus.
 */
export function AccessSwitch({ access, change }: AccessSwitchProps) {
  const [asking, setAsking] = useState<AccessIntent>();
  const { may, needsReason } = useOperator();
  const set = useSetAccess(access, change);
  const { isPending, variables } = change;
  const pending = isPending ? variables.status : undefined;
  const isAllowed = pending === undefined ? isAllowedBySetting(access, Date.now()) : pending === 'enabled';
  const isSuspended = access.userStatus === 'inactive';
  const close = () => {
    setAsking(undefined);
    if (change.isError) change.reset();
  };
  const turn = (on: boolean) => {
    // The application may require one only since the page was loaded.
    const isRefused = hasCode(change.error, 'reason_required');
    if (isRefused || needsReason(access.requireReason)) setAsking(on ? 'allow' : 'block');
    else set({ status: on ? 'enabled' : 'disabled', reason: null, ticket: null });
  };
  return (
    <div className={isSuspended ? 'switch suspended' : 'switch'} onClickCapture={ignoreDoubleClick}>
      <Toggle
        checked={isAllowed}
        readOnly={isPending || !may('set-user-access', access.appId)}
        ariaLabel={`Access of ${nameUser(access)} to ${access.appName}`}
        onChange={({ detail }) => turn(detail.checked)}
      >
        {isPending ? 'Saving…' : labelOf(isAllowed, access.explicit)}
        {isSuspended && !isPending && (
          <Box variant="small" display="inline" color="text-body-secondary">
            , suspended
          </Box>
        )}
      </Toggle>
      {!isAllowed && access.explicit && (
        <ActionButton
          operation="set-user-access"
          appId={access.appId}
          variant="inline-link"
          ariaLabel={`Reason and end of the block of ${nameUser(access)} in ${access.appName}`}
          onClick={() => setAsking('amend')}
        >
          Reason and end
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

/** The second click of a double click would take the change back. */
function ignoreDoubleClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** `Blocked` only for a user who was blocked: a rollout that does not admit the user is not a setting. */
export function labelOf(isAllowed: boolean, isSet: boolean): string {
  if (isAllowed) return accessLabels.enabled;
  return isSet ? accessLabels.disabled : notSetLabel;
}
