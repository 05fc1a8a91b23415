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
import { isReasonMissing, noReason, type Reason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { versionAfter } from '../history/latest-change.ts';
import { useUndoNotice } from '../history/undo-button.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { nameUser, userStatusLabels, userStatusVerbs } from '../words.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { SettingNote } from './setting-note.tsx';

interface StatusSetting {
  readonly status: UserStatus;
  readonly why: Reason;
  /** The version that the operator saw. */
  readonly ifMatch: number;
}

/** The switch that applies to all applications. */
export function GlobalStatus({ user }: { readonly user: ReadUserView }) {
  const { userId, version } = user;
  const [asking, setAsking] = useState<UserStatus>();
  const { may, missingRole } = useOperator();
  const { mutate, isPending, variables, error, reset, reload } = useStatusMutation(user, () => setAsking(undefined));
  const status = isPending ? variables.status : user.status;
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
          checked={status === 'active'}
          readOnly={isPending || !may('set-user-status')}
          description={missingRole('set-user-status')}
          ariaLabel={`Global status of ${nameUser(user)}`}
          onChange={({ detail }) => setAsking(detail.checked ? 'active' : 'inactive')}
        >
          {isPending ? 'Saving…' : userStatusLabels[status]}
        </Toggle>
        {user.status === 'inactive' ? (
          <Alert type="warning" header="This user can't access any application">
            <SettingNote setting={user.statusSetBy} withReason />
            The settings below are kept and apply again once the user is activated.
          </Alert>
        ) : (
          <Box variant="small">Deactivating the user blocks access to all applications immediately.</Box>
        )}
        {!isConflict && !asking && (
          <ProblemAlert error={error} retry={isUnanswered(error) && variables ? () => mutate(variables) : undefined} />
        )}
      </SpaceBetween>
      {asking && (
        <StatusDialog
          user={user}
          status={asking}
          isPending={isPending}
          error={isConflict ? null : error}
          onClose={() => {
            setAsking(undefined);
            reset();
          }}
          onSubmit={(why) => mutate({ status: asking, why, ifMatch: version })}
        />
      )}
      {isConflict && variables && (
        <ConflictDialog
          userId={userId}
          intent={`${userStatusVerbs[variables.status]} ${user.displayName ?? userId}`}
          isMeanwhile={(change) => change.action.startsWith('user.') && versionAfter(change) > variables.ifMatch}
          onKeep={() => {
            setAsking(undefined);
            reset();
            reload();
          }}
          onBack={() => {
            reset();
            reload();
          }}
          onOverride={(latest) => mutate({ ...variables, ifMatch: latest })}
        />
      )}
    </Container>
  );
}

/** Sets the status, guarded by the version that the operator saw, and reloads the access that depends on it. */
function useStatusMutation(user: ReadUserView, onDone: () => void) {
  const write = useWriter();
  const queryClient = useQueryClient();
  const offerUndo = useUndoNotice();
  const { userId } = user;
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
  const mutation = useMutation({
    mutationFn: ({ status, why, ifMatch }: StatusSetting) =>
      write('set-user-status', { path: { userId }, body: { status, ...reasonBody(why) }, ifMatch }),
    onSuccess: ({ changeId, status }) => {
      reload();
      onDone();
      offerUndo(`status-${userId}`, { userId, changeId, summary: `${userStatusVerbs[status]}d ${nameUser(user)}.` });
    },
  });
  return { ...mutation, reload };
}

interface StatusDialogProps {
  readonly user: ReadUserView;
  readonly status: UserStatus;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSubmit: (why: Reason) => void;
}

/** Warns before the user loses access to all applications, and asks for a reason in either direction. */
function StatusDialog({ user, status, isPending, error, onClose, onSubmit }: StatusDialogProps) {
  const [why, setWhy] = useState(noReason);
  const isRequired = useOperator().needsReason();
  return (
    <FormDialog
      title={`${userStatusVerbs[status]} ${user.displayName ?? user.userId}`}
      verb={userStatusVerbs[status]}
      isPending={isPending}
      error={error}
      isIncomplete={isReasonMissing(why, isRequired)}
      onSubmit={() => onSubmit(why)}
      onClose={onClose}
    >
      {status === 'inactive' ? (
        <Alert type="warning">
          {nameUser(user)} loses access to all applications immediately. To block one application only, use its switch.
        </Alert>
      ) : (
        <Box>{nameUser(user)} gets back the access that each application's setting or rollout allows.</Box>
      )}
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}
