import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserStatus } from '#shared/contract/access.ts';
import type { UserView } from '#shared/contract/user.ts';
import { hasCode, isUnanswered } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { ReasonField } from '../forms/reason-field.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { ConflictDialog, versionAfter } from './conflict-dialog.tsx';

interface StatusSetting {
  readonly status: UserStatus;
  readonly reason: string | null;
  /** The version that was seen. */
  readonly ifMatch: number;
}

/** The switch that applies to all applications. */
export function GlobalStatus({ user }: { readonly user: UserView }) {
  const { userId, version } = user;
  const [asking, setAsking] = useState(false);
  const { may, refusal } = useOperator();
  const { mutate, isPending, variables, error, reset, reload } = useStatusMutation(userId);
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
          onChange={({ detail }) =>
            detail.checked ? mutate({ status: 'active', reason: null, ifMatch: version }) : setAsking(true)
          }
        >
          {isPending ? 'Saving…' : isActive ? 'Active' : 'Inactive'}
        </Toggle>
        {user.status === 'inactive' ? (
          <Alert type="warning" header="This user cannot access any application">
            The settings below are kept and apply again when the user is active.
          </Alert>
        ) : (
          <Box variant="small">Turning this off blocks the user in all applications immediately.</Box>
        )}
        {!isConflict && (
          <ProblemAlert error={error} retry={isUnanswered(error) && variables ? () => mutate(variables) : undefined} />
        )}
      </SpaceBetween>
      {asking && (
        <DeactivateDialog
          userId={userId}
          onClose={() => setAsking(false)}
          onSubmit={(reason) => {
            setAsking(false);
            mutate({ status: 'inactive', reason, ifMatch: version });
          }}
        />
      )}
      {isConflict && variables && (
        <ConflictDialog
          userId={userId}
          intent={variables.status === 'active' ? 'Make the user active' : 'Make the user inactive'}
          isMeanwhile={(change) => change.action.startsWith('user.') && versionAfter(change) > variables.ifMatch}
          onKeep={() => {
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
function useStatusMutation(userId: string) {
  const write = useWriter();
  const queryClient = useQueryClient();
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
  const mutation = useMutation({
    mutationFn: ({ status, reason, ifMatch }: StatusSetting) =>
      write('set-user-status', { path: { userId }, body: { status, reason }, ifMatch }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKeys.user(userId), changed);
      reload();
    },
  });
  return { ...mutation, reload };
}

interface DeactivateDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
  readonly onSubmit: (reason: string | null) => void;
}

/** Warns before the user loses access to all applications, and asks for a reason. */
function DeactivateDialog({ userId, onClose, onSubmit }: DeactivateDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={`Make ${userId} inactive`}
      verb="Make inactive"
      isPending={false}
      onSubmit={() => onSubmit(reason.trim() || null)}
      onClose={onClose}
    >
      <Alert type="warning">
        The user loses access to all applications immediately. To block one application only, use its switch.
      </Alert>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
