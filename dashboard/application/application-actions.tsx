import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/management.ts';
import { useNotices } from '../shell/notices.tsx';

const RenameDialog = lazy(() => import('./rename-dialog.tsx'));
const DeleteApplicationDialog = lazy(() => import('./delete-application-dialog.tsx'));

export interface ApplicationActionsProps {
  readonly application: ApplicationView;
  readonly onChanged: (application: ApplicationView) => void;
}

/** What is done to an application as a whole. */
export function ApplicationActions({ application, onChanged }: ApplicationActionsProps) {
  const [doing, setDoing] = useState<'rename' | 'delete'>();
  const navigate = useNavigate();
  const { show } = useNotices();
  const { appId, name } = application;
  const close = () => setDoing(undefined);
  const deleted = () => {
    show({ id: `deleted-${appId}`, type: 'success', content: `${name} is deleted.`, seconds: 10 });
    navigate('/applications');
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setDoing('rename')}>Rename</Button>
      <Button onClick={() => setDoing('delete')}>Delete</Button>
      <Suspense>
        {doing === 'rename' && (
          <RenameDialog
            application={application}
            onClose={close}
            onChanged={(changed) => {
              close();
              onChanged(changed);
            }}
          />
        )}
        {doing === 'delete' && <DeleteApplicationDialog appId={appId} onClose={close} onDeleted={deleted} />}
      </Suspense>
    </SpaceBetween>
  );
}
