import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserView } from '#shared/contract/management.ts';
import { useNotices } from '../shell/notices.tsx';

const EditUserDialog = lazy(() => import('./edit-user-dialog.tsx'));
const EraseUserDialog = lazy(() => import('./erase-user-dialog.tsx'));

export interface UserActionsProps {
  readonly user: UserView;
  readonly onChanged: (user: UserView) => void;
}

/** What is done to a user beside the switches. */
export function UserActions({ user, onChanged }: UserActionsProps) {
  const [doing, setDoing] = useState<'edit' | 'erase'>();
  const navigate = useNavigate();
  const { show } = useNotices();
  const close = () => setDoing(undefined);
  const erased = () => {
    show({ id: `erased-${user.userId}`, type: 'success', content: `${user.userId} is erased.`, seconds: 10 });
    navigate('/users');
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setDoing('edit')}>Edit</Button>
      <Button onClick={() => setDoing('erase')}>Erase</Button>
      <Suspense>
        {doing === 'edit' && (
          <EditUserDialog
            user={user}
            onClose={close}
            onChanged={(changed) => {
              close();
              onChanged(changed);
            }}
          />
        )}
        {doing === 'erase' && <EraseUserDialog userId={user.userId} onClose={close} onErased={erased} />}
      </Suspense>
    </SpaceBetween>
  );
}
