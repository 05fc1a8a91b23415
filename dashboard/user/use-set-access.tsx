import Button from '@cloudscape-design/components/button';
import type { Access, SetAccessBody } from '#shared/contract/access.ts';
import type { UserAccessView } from '#shared/contract/management.ts';
import { useApi } from '../api/use-api.ts';
import { useNotices } from '../shell/notices.tsx';
import { settingOf } from './access-text.ts';
import type { AccessChange, AccessWrite } from './use-access-change.ts';

const undoSeconds = 10;

/** Sets the status, and offers for ten seconds to undo it. */
export function useSetAccess(access: UserAccessView, change: AccessChange) {
  const api = useApi();
  const { show, hide } = useNotices();
  const { userId, appId, appName } = access;
  const id = `access-${userId}-${appId}`;
  const write = (setting: SetAccessBody, done?: AccessWrite['done']): AccessWrite => ({
    intent: setting.status === 'enabled' ? `Turn ${appName} on` : `Turn ${appName} off`,
    turns: setting.status === 'enabled' ? 'on' : 'off',
    send: (ifMatch) => api('set-user-access', { path: { userId, appId }, body: setting, ifMatch }),
    ...(done && { done }),
  });
  const undo = (before: Access, version: number) => {
    hide(id);
    const done = () =>
      show({ id, type: 'info', content: `Undone: ${appName} is as before for ${userId}.`, seconds: undoSeconds });
    void change.run(write(settingOf(before, Date.now()), done), version);
  };
  return async (setting: SetAccessBody) => {
    const before = access;
    const done = ({ version, changed }: { version: number; changed: boolean }) => {
      if (!changed) return;
      show({
        id,
        type: 'success',
        content: `${appName} is turned ${setting.status === 'enabled' ? 'on' : 'off'} for ${userId}.`,
        action: <Button onClick={() => undo(before, version)}>Undo</Button>,
        seconds: undoSeconds,
      });
    };
    return await change.run(write(setting, done));
  };
}
