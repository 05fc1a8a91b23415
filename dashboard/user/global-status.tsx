import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserStatus } from '#shared/contract/access.ts';
import type { ReadUserView } from '#shared/contract/user.ts';
import { hasCode, isUnanswered } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ReasonField } from '../forms/reason-field.tsx';
import { useUndoNotice } from '../history/undo-button.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { ConflictDialog, versionAfter } from './conflict-dialog.tsx';
import { SettingNote } from './setting-note.tsx';

interface StatusSetting {
  readonly status: UserStatus;
  readonly reason: string | null;
  /** The version that was seen. */
  readonly ifMatch: number;
}

/** The switch that applies to all applications. */
export function GlobalStatus({ user }: { readonly user: ReadUserView }) {
  const { userId, version } = user;
  const [asking, setAsking] = useState<UserStatus>();
  const { may, refusal } = useOperator();
  const { mutate, isPending, variables, error, reset, reload } = useStatusMutation(userId, () => setAsking(undefined));
  const isActive = (isPending ? variables.status : user.status) === 'active';
  const isConflict = hasCode(error, 'version_mismatch');
  return (
    <Container
      header={
        <Header variant="h2" description="Applies to all applications, including future ones.">
          Global status
        </Header>
      }
    >
      <SpaceBetween size="s">
        <Toggle
          checked={isActive}
          readOnly={isPending || !may('set-user-status')}
          description={refusal('set-user-status')}
          ariaLabel={`Global status of ${userId}`}
          onChange={({ detail }) => setAsking(detail.checked ? 'active' : 'inactive')}
        >
          {isPending ? 'Saving…' : isActive ? 'Active' : 'Inactive'}
        </Toggle>
        {user.status === 'inactive' ? (
          <Alert type="warning" header="This user cannot access any application">
            <SettingNote setting={user.statusSetBy} withReason />
            The settings below are kept and apply again when the user is active.
          </Alert>
        ) : (
          <Box variant="small">Turning this off blocks the user in all applications immediately.</Box>
        )}
        {!isConflict && !asking && (
          <ProblemAlert error={error} retry={isUnanswered(error) && variables ? () => mutate(variables) : undefined} />
        )}
      </SpaceBetween>
      {asking && (
        <StatusDialog
          userId={userId}
          status={asking}
          isPending={isPending}
          error={isConflict ? null : error}
          onClose={() => {
            setAsking(undefined);
            reset();
          }}
          onSubmit={(reason) => mutate({ status: asking, reason, ifMatch: version })}
        />
      )}
      {isConflict && variables && (
        <ConflictDialog
          userId={userId}
          intent={variables.status === 'active' ? 'Make the user active' : 'Make the user inactive'}
          isMeanwhile={(change) => change.action.startsWith('user.') && versionAfter(change) > variables.ifMatch}
          onKeep={() => {
            setAsking(undefined);
            reset();
            reload();
          }}
          onOverride={(latest) => mutate({ ...variables, ifMatch: latest })}
        />
      )}
    </Container>
  );
}

/** Sets the status, guarded by the version that was seen, and reloads the access that depends on it. */
function useStatusMutation(userId: string, onDone: () => void) {
  const write = useWriter();
  const queryClient = useQueryClient();
  const offerUndo = useUndoNotice();
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
  const mutation = useMutation({
    mutationFn: ({ status, reason, ifMatch }: StatusSetting) =>
      write('set-user-status', { path: { userId }, body: { status, reason }, ifMatch }),
    onSuccess: ({ changeId, status }) => {
      reload();
      onDone();
      offerUndo(`status-${userId}`, { userId, changeId, said: `${userId} is ${status} now.` });
    },
  });
  return { ...mutation, reload };
}

interface StatusDialogProps {
  readonly userId: string;
  readonly status: UserStatus;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSubmit: (reason: string | null) => void;
}

/** Warns before the user loses access to all applications, and asks for a reason in either direction. */
function StatusDialog({ userId, status, isPending, error, onClose, onSubmit }: StatusDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={`Make ${userId} ${status}`}
      verb={`Make ${status}`}
      isPending={isPending}
      error={error}
      onSubmit={() => onSubmit(reason.trim() || null)}
      onClose={onClose}
    >
      {status === 'inactive' ? (
        <Alert type="warning">
          The user loses access to all applications immediately. To block one application only, use its switch.
        </Alert>
      ) : (
        <Box>The settings of the applications apply again.</Box>
      )}
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
