import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { lazy, Suspense, useState } from 'react';
import type { UserView } from '#shared/contract/management.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { ConflictDialog, versionAfter } from './conflict-dialog.tsx';
import { useStatusChange } from './use-status-change.ts';

const DeactivateDialog = lazy(() => import('./deactivate-dialog.tsx'));

export interface GlobalStatusProps {
  readonly user: UserView;
  readonly onChanged: (user: UserView) => void;
  readonly reload: () => void;
}

/** The switch above all others. */
export function GlobalStatus({ user, onChanged, reload }: GlobalStatusProps) {
  const [asking, setAsking] = useState(false);
  const { set, pending, problem, conflict, settle } = useStatusChange(user, onChanged);
  const isActive = (pending ?? user.status) === 'active';
  return (
    <Container
      header={
        <Header variant="h2" description="Covers every application, those to come too.">
          Global status
        </Header>
      }
    >
      <SpaceBetween size="s">
        <Toggle
          checked={isActive}
          readOnly={pending !== undefined}
          ariaLabel={`Global status of ${user.userId}`}
          onChange={({ detail }) => (detail.checked ? set({ status: 'active', reason: null }) : setAsking(true))}
        >
          {pending === undefined ? (isActive ? 'Active' : 'Inactive') : 'Saving …'}
        </Toggle>
        {user.status === 'inactive' ? (
          <Alert type="warning" header="This user enters no application">
            The switches below stay as they are and count again once the user is active.
          </Alert>
        ) : (
          <Box variant="small">Turning this off keeps the user out of all applications at once.</Box>
        )}
        <ProblemAlert problem={problem} />
      </SpaceBetween>
      {asking && (
        <Suspense>
          <DeactivateDialog
            userId={user.userId}
            onClose={() => setAsking(false)}
            onSubmit={(reason) => {
              setAsking(false);
              void set({ status: 'inactive', reason });
            }}
          />
        </Suspense>
      )}
      {conflict && (
        <ConflictDialog
          userId={user.userId}
          intent={conflict.status === 'active' ? 'Make the user active' : 'Make the user inactive'}
          isMeanwhile={(change) => change.action.startsWith('user.') && versionAfter(change) > user.version}
          onKeep={() => {
            settle();
            reload();
          }}
          onOverride={(version) => void set(conflict, version)}
        />
      )}
    </Container>
  );
}
