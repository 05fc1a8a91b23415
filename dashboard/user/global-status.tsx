import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { UserStatus } from '#shared/contract/access.ts';
import { type PastOffboarding, reinstate } from '#shared/contract/offboarding.ts';
import { readAll } from '#shared/contract/read-all.ts';
import type { ReadUserView } from '#shared/contract/user.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { Writer } from '../api/create-writer.ts';
import { hasCode, isUnanswered } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { isReasonMissing, noReason, type Reason, ReasonFields, reasonBody } from '../forms/reason-fields.tsx';
import { versionAfter } from '../history/latest-change.ts';
import { useUndoNotice } from '../history/undo-button.tsx';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { useSequenceWriter, useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useNotices } from '../shell/notices.tsx';
import { nameUser, userStatusLabels, userStatusVerbs } from '../words.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { SettingNote } from './setting-note.tsx';

const ActivateDialog = lazyPart(() => import('./activate-dialog.tsx'));

interface StatusSetting {
  readonly status: UserStatus;
  readonly why: Reason;
  /** The version that the operator saw. */
  readonly ifMatch: number;
  /** The offboarding whose roles are given back. Default: none are. */
  readonly giveBack?: PastOffboarding;
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
  const submit = (to: UserStatus, why: Reason, giveBack?: PastOffboarding) =>
    mutate({ status: to, why, ifMatch: version, ...(giveBack && { giveBack }) });
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
            <SettingNote setting={user.statusSetBy} withReason isInAlert />
            The settings and roles below are kept and apply again once the user is activated.
          </Alert>
        ) : (
          <Box variant="small">Deactivating the user blocks access to all applications immediately.</Box>
        )}
        {!isConflict && !asking && (
          <ProblemAlert error={error} retry={isUnanswered(error) && variables ? () => mutate(variables) : undefined} />
        )}
      </SpaceBetween>
      {asking === 'inactive' && <DeactivateDialog {...dialog} onSubmit={(why) => submit(asking, why)} />}
      {asking === 'active' && (
        <Suspense>
          <ActivateDialog {...dialog} onSubmit={(why, giveBack) => submit(asking, why, giveBack)} />
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
    </Container>
  );
}

/**
 * Sets the status, guarded by the version that the operator saw, gives back the roles of an offboarding if asked to, and reloads
 * the access that depends on both.
 */
function useStatusMutation(user: ReadUserView, onDone: () => void) {
  const write = useWriter();
  const writePart = useSequenceWriter();
  const queryClient = useQueryClient();
  const offerUndo = useUndoNotice();
  const { show } = useNotices();
  const { userId } = user;
  const reload = () => void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
  const mutation = useAction({
    isRepeatable: true,
    mutationFn: async ({ status, why, ifMatch, giveBack }: StatusSetting) => {
      const setting = { path: { userId }, body: { status, ...reasonBody(why) }, ifMatch };
      if (giveBack === undefined) return { answer: await write('set-user-status', setting), givenBack: undefined };
      let answer: Awaited<ReturnType<typeof write<'set-user-status'>>> | undefined;
      const outcomes = await reinstate(giveBack, {
        activate: async () => {
          answer = await writePart('set-user-status', setting);
        },
        giveBack: (appId) => undoBulkIn(writePart, { appId, bulkId: giveBack.bulkId, why }),
      });
      const returned = outcomes.filter(({ outcome }) => outcome !== 'failed').length;
      return { answer, givenBack: `${returned} of ${countOf(giveBack.removed.length, 'role')} given back.` };
    },
    onSuccess: ({ answer, givenBack }, { status }) => {
      reload();
      onDone();
      const summary = `${userStatusVerbs[status]}d ${nameUser(user)}.`;
      if (givenBack !== undefined)
        show({ id: `status-${userId}`, type: 'success', content: `${summary} ${givenBack}` });
      else if (answer) offerUndo(`status-${userId}`, { userId, changeId: answer.changeId, summary });
    },
  });
  return { ...mutation, reload };
}

function undoBulkIn(write: Writer, { appId, bulkId, why }: { appId: string; bulkId: string; why: Reason }) {
  return readAll((cursor) =>
    write('undo-bulk', { path: { appId, bulkId }, query: { limit: '100', cursor }, body: reasonBody(why) }),
  );
}

interface DeactivateDialogProps {
  readonly user: ReadUserView;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSubmit: (why: Reason) => void;
}

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
      isIncomplete={isReasonMissing(why, isRequired)}
      onSubmit={() => onSubmit(why)}
      onClose={onClose}
    >
      <Alert type="warning">
        {nameUser(user)} loses access to all applications immediately. To block one application only, use its switch; to
        remove the roles too, offboard the user.
      </Alert>
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}
