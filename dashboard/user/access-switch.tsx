import Toggle from '@cloudscape-design/components/toggle';
import { lazy, Suspense, useState } from 'react';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { isSwitchedOn } from './access-text.ts';
import type { AccessMutation } from './use-access-mutation.ts';
import { useSetAccess } from './use-set-access.tsx';

const DisableDialog = lazy(() => import('./disable-dialog.tsx'));

export interface AccessSwitchProps {
  readonly access: UserAccessView;
  readonly change: AccessMutation;
}

/**
 * Lets one user into one application, or not. It shows at once what was asked for, and goes back when that is refused.
 * While it waits it is read-only and not disabled, which would take the focus from the keyboard.
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
        {isPending ? 'Saving …' : isOn ? 'On' : 'Off'}
      </Toggle>
      {asking && (
        <Suspense>
          <DisableDialog access={access} onClose={() => setAsking(false)} onSubmit={turnOff} />
        </Suspense>
      )}
    </>
  );
}
