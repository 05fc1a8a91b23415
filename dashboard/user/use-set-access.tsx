import Button from '@cloudscape-design/components/button';
import type { ChangedAccess, SetAccessBody } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useNotices } from '../shell/notices.tsx';
import { settingOf } from './access-text.ts';
import type { AccessMutation, AccessWrite } from './use-access-mutation.ts';

const undoSeconds = 10;

/** Sets the status, and offers for ten seconds to undo it. */
export function useSetAccess(access: UserAccessView, { mutate }: AccessMutation) {
  const api = useApi();
  const { show, hide } = useNotices();
  const { userId, appId, appName } = access;
  const id = `access-${userId}-${appId}`;
  const write = ({ status, until, reason }: SetAccessBody, ifMatch: number): AccessWrite => ({
    intent: status === 'enabled' ? `Turn ${appName} on` : `Turn ${appName} off`,
    turns: status === 'enabled' ? 'on' : 'off',
    ifMatch,
    send: (version) =>
      api('set-user-access', { path: { userId, appId }, body: { status, until, reason }, ifMatch: version }),
  });
  const undo = (version: number) => {
    hide(id);
    const onDone = () =>
      show({ id, type: 'info', content: `Undone: ${appName} is as before for ${userId}.`, seconds: undoSeconds });
    mutate({ ...write(settingOf(access, Date.now()), version), onDone });
  };
  return (setting: SetAccessBody) => {
    const onDone = ({ version, changed }: ChangedAccess) => {
      if (!changed) return;
      show({
        id,
        type: 'success',
        content: `${appName} is turned ${setting.status === 'enabled' ? 'on' : 'off'} for ${userId}.`,
        action: <Button onClick={() => undo(version)}>Undo</Button>,
        seconds: undoSeconds,
      });
    };
    mutate({ ...write(setting, access.version), onDone });
  };
}
