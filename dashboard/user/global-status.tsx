import Alert from '@cloudscape-design/components/alert';
import Toggle from '@cloudscape-design/components/toggle';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserStatus } from '#shared/contract/access.ts';
import type { ReadUserView } from '#shared/contract/user.ts';
import { hasCode, isUnanswered } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { missingReason, noReason, type Reason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { versionAfter } from '../history/latest-change.ts';
import { useUndoNotice } from '../history/undo-button.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import type { NextStep } from '../options/option-pages.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { nameUser, userStatusLabels, userStatusVerbs } from '../words.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { SettingNote } from './setting-note.tsx';

const ActivateDialog = lazyPart(() => import('./activate-dialog.tsx'));

interface StatusSetting {
  readonly status: UserStatus;
  readonly why: Reason;
  /** The version that the operator saw. */
  readonly ifMatch: number;
  /** Which page goes on then. Default: this one stays. */
  readonly next?: NextStep;
}

/** The switch that applies to all applications. */
export function GlobalStatus({ user }: { readonly user: ReadUserView }) {
  const { userId, version } = user;
  const [asking, setAsking] = useState<UserStatus>();
  const { may, missingRole } = useOperator();
  const { mutate, isPending, variables, error, reset, reload } = useStatusMutation(user, () => setAsking(undefined));
  const status = isPending ? variables.status : user.status;
  const isConflict = hasCode(error, 'version_mismatch');
  const close = () => {
    setAsking(undefined);
    reset();
  };
  const dialog = { user, isPending, error: isConflict ? null : error, onClose: close };
  const submit = (to: UserStatus, why: Reason, next?: NextStep) =>
    mutate({ status: to, why, ifMatch: version, ...(next && { next }) });
  return (
    <>
      <Toggle
        checked={status === 'active'}
        readOnly={isPending || !may('set-user-status')}
        description={missingRole('set-user-status') ?? 'Global status, for all applications'}
        ariaLabel={`Global status of ${nameUser(user)}`}
        onChange={({ detail }) => setAsking(detail.checked ? 'active' : 'inactive')}
      >
        {isPending ? 'Saving…' : userStatusLabels[status]}
      </Toggle>
      {!isConflict && !asking && (
        <ProblemAlert error={error} retry={isUnanswered(error) && variables ? () => mutate(variables) : undefined} />
      )}
      {asking === 'inactive' && <DeactivateDialog {...dialog} onSubmit={(why) => submit(asking, why)} />}
      {asking === 'active' && (
        <Suspense>
          <ActivateDialog {...dialog} onSubmit={(why, next) => submit(asking, why, next)} />
        </Suspense>
      )}
      {isConflict && variables && (
        <ConflictDialog
          userId={userId}
          intent={`${userStatusVerbs[variables.status]} ${user.displayName ?? userId}`}
          isMeanwhile={(change) => change.action.startsWith('user.') && versionAfter(change) > variables.ifMatch}
          onKeep={() => {
            close();
            reload();
          }}
          onBack={() => {
            reset();
            reload();
          }}
          onOverride={(latest) => mutate({ ...variables, ifMatch: latest })}
        />
      )}
    </>
  );
}

/** Why an inactive user has no access, and who decided it. */
export function InactiveAlert({ user }: { readonly user: ReadUserView }) {
  if (user.status !== 'inactive') return null;
  return (
    <Alert type="warning" header="This user can't access any application">
      <SettingNote setting={user.statusSetBy} withReason isInAlert />
      The settings and roles below are kept and apply again once the user is activated.
    </Alert>
  );
}

/**
 * Sets the status, guarded by the version that the operator saw, reloads the access that depends on it, and opens the page that
 * goes on, if one was chosen.
 */
function useStatusMutation(user: ReadUserView, onDone: () => void) {
  const write = useWriter();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const offerUndo = useUndoNotice();
  const { userId } = user;
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
  const mutation = useAction({
    isRepeatable: true,
    mutationFn: ({ status, why, ifMatch }: StatusSetting) =>
      write('set-user-status', { path: { userId }, body: { status, ...reasonBody(why) }, ifMatch }),
    onSuccess: ({ changeId }, { status, why, next }) => {
      reload();
      onDone();
      offerUndo(`status-${userId}`, { userId, changeId, summary: `${userStatusVerbs[status]}d ${nameUser(user)}.` });
      if (next !== undefined) navigate(next.path, { state: next.stateFor(why) });
    },
  });
  return { ...mutation, reload };
}

interface DeactivateDialogProps {
  readonly user: ReadUserView;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSubmit: (why: Reason) => void;
}

const instead = registeredPages
  .flatMap(({ userActions = [] }) => userActions)
  .flatMap(({ insteadOfDeactivation = [] }) => insteadOfDeactivation);

/** Warns before the user loses access to all applications, and asks for a reason. */
function DeactivateDialog({ user, isPending, error, onClose, onSubmit }: DeactivateDialogProps) {
  const [why, setWhy] = useState(noReason);
  const isRequired = useOperator().needsReason();
  return (
    <FormDialog
      title={`Deactivate ${user.displayName ?? user.userId}`}
      verb="Deactivate"
      isPending={isPending}
      error={error}
      missing={missingReason(why, isRequired)}
      onSubmit={() => onSubmit(why)}
      onClose={onClose}
    >
      <Alert type="warning">
        {nameUser(user)} loses access to all applications immediately. To block one application only, use its switch
        {instead.map((words) => `; ${words}`)}.
      </Alert>
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}
