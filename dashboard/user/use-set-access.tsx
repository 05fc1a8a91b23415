import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, useState } from 'react';
import { type ExpiryChoice, expiryTimestamp, noExpiry } from '../forms/chosen-expiry.ts';
import { describeChoice } from '../forms/expiry-field.tsx';
import { useSentTime } from '../forms/use-end.ts';
import { useUndoNotice } from '../history/undo-button.tsx';
import { localTimeText } from '../lists/local-time-text.ts';
import { useWriter } from '../session/dashboard-context.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { accessTitle, nameUser } from '../words.ts';
import { AccessControl } from './access-control.tsx';
import { isAllowedBySetting } from './is-allowed-by-setting.ts';
import type { SettingBody } from './set-access-dialog.tsx';
import type { AccessMutation, NamedAccess } from './use-user-access.ts';

const SetAccessDialog = lazyPart(() => import('./set-access-dialog.tsx'));

/** Sets the status of an access, its reason and its end; the notice offers to undo it, and to add what was not said. */
export function useSetAccess(access: NamedAccess, { mutate }: AccessMutation) {
  const write = useWriter();
  const offerUndo = useUndoNotice();
  const { userId, appId, appName, version } = access;
  return (body: SettingBody, closeDialog?: () => void) => {
    const { status, ticket } = body;
    mutate({
      intent: accessTitle(status, appName),
      status,
      ticket,
      ifMatch: version,
      send: (ifMatch) => write('set-user-access', { path: { userId, appId }, body, ifMatch }),
      onDone: ({ changeId }, after) =>
        offerUndo(`access-${userId}-${appId}`, {
          userId,
          changeId,
          summary: describeDone(access, after),
          more: <SettingFollowUp key={after.version} access={after} />,
        }),
      ...(closeDialog && { closeDialog }),
    });
  };
}

/** What was done, as a sentence. */
function describeDone(before: NamedAccess, after: NamedAccess): string {
  const { status, until, appName } = after;
  const user = nameUser(before);
  const [was, is] = [before, after].map((access) => isAllowedBySetting(access, Date.now()));
  const isAmended = before.explicit && was === is;
  const end = until === null ? '' : ` until ${localTimeText(until)}`;
  if (status === 'disabled')
    return isAmended ? `Changed the block of ${user} from ${appName}${end}.` : `Blocked ${user} from ${appName}${end}.`;
  return isAmended ? `Changed the reason why ${user} may use ${appName}.` : `Allowed ${user} to use ${appName}.`;
}

/** In the notice of a setting, what was not asked before it: the end of a block, and the reason. */
export function SettingFollowUp({ access }: { readonly access: NamedAccess }) {
  return <AccessControl access={access}>{(change) => <Buttons access={access} change={change} />}</AccessControl>;
}

interface ButtonsProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
}

const ends = ['hour', 'hours', 'today', 'friday', 'week'] as const satisfies readonly ExpiryChoice[];

function Buttons({ access, change }: ButtonsProps) {
  const [asking, ask] = useState<'reason' | 'date'>();
  const close = () => ask(undefined);
  const set = useSetAccess(access, change);
  const sentAt = useSentTime(access.version, change, (_, now) => now);
  const { status, reason, statusSetBy } = access;
  const endAt = (id: string) => {
    const choice = ends.find((end) => end === id);
    if (choice === undefined) return ask('date');
    const until = expiryTimestamp({ ...noExpiry, choice }, sentAt()) ?? null;
    set({ status: 'disabled', until, reason, ticket: statusSetBy?.ticket ?? null });
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {status === 'disabled' && (
        <ButtonDropdown
          items={[
            ...ends.map((end) => ({ id: end as string, text: describeChoice(end, Date.now()) })),
            { id: 'at', text: describeChoice('at', Date.now()) },
          ]}
          loading={change.isPending}
          expandToViewport
          onItemClick={({ detail }) => endAt(detail.id)}
        >
          Until…
        </ButtonDropdown>
      )}
      <Button onClick={() => ask('reason')}>{reason === null ? 'Add reason' : 'Edit reason'}</Button>
      {asking && (
        <Suspense>
          <SetAccessDialog
            access={access}
            intent="amend"
            asksDate={asking === 'date'}
            change={change}
            onClose={() => {
              close();
              if (change.isError) change.reset();
            }}
            onSubmit={(body) => set(body, close)}
          />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
