import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Undone } from '#shared/contract/undo.ts';
import { hasCode, toProblem } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { type Reason, reasonBody } from '../forms/reason-fields.tsx';
import { useWriter } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useNotices } from '../shell/notices.tsx';

const UndoReasonDialog = lazyPart(() => import('./undo-reason-dialog.tsx'));

/** A change that can be undone unless the same access, user or application was modified since. */
export interface UndoableChange {
  /** Undefined for a change of an application itself, which `appId` then names. */
  readonly userId?: string | undefined;
  readonly appId?: string | undefined;
  readonly changeId: string;
  /** What was done, as a sentence. */
  readonly summary: string;
}

/** What is known of an undo. */
export type Undoing = Pick<Undone, 'appId' | 'changeId'>;

export interface UndoButtonProps {
  readonly change: UndoableChange;
  /** The notice to replace with the outcome. */
  readonly noticeId: string;
  readonly ariaLabel?: string;
  readonly variant?: 'normal' | 'inline-link';
  /** Called after the undo, once the page has been reloaded from the service. */
  readonly onDone?: (undone: Undoing) => void;
}

const publishingMilliseconds = 3000;

/** Undoes a change, with a reason where one is required; the notice then offers to undo the undo, or says why it failed. */
export function UndoButton({ change, noticeId, ariaLabel, variant = 'normal', onDone }: UndoButtonProps) {
  const { userId, appId = '', changeId, summary } = change;
  const write = useWriter();
  const queryClient = useQueryClient();
  const { show } = useNotices();
  const { needsReason } = useOperator();
  const [asking, setAsking] = useState(false);
  const readAgain = async (changed: string | undefined) => {
    // The global history lists a change only after that time.
    setTimeout(() => void queryClient.invalidateQueries({ queryKey: queryKeys.changes }), publishingMilliseconds);
    const shown = [
      ...(userId === undefined ? [] : [queryKeys.user(userId)]),
      changed === undefined ? queryKeys.everyApplication : queryKeys.application(changed),
    ];
    await Promise.all(shown.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  const { mutate, isPending } = useAction({
    isRepeatable: true,
    mutationFn: (why?: Reason): Promise<Undoing> => {
      const body = why && { body: reasonBody(why) };
      return userId === undefined
        ? write('undo-application-change', { path: { appId, changeId }, ...body })
        : write('undo-change', { path: { userId, changeId }, ...body });
    },
    onSuccess: async (undone) => {
      setAsking(false);
      // First, so that nothing on the page contradicts the notice.
      await readAgain(undone.appId);
      const next = undone.changeId === null ? undefined : { ...change, changeId: undone.changeId };
      show({
        id: noticeId,
        type: 'info',
        content: `Undone: ${summary}`,
        ...(next && { action: <UndoButton change={next} noticeId={noticeId} /> }),
      });
      onDone?.(undone);
    },
    onError: (error) => {
      // Only the service knows of which application the change is, and what that one requires.
      setAsking(hasCode(error, 'reason_required'));
      if (hasCode(error, 'reason_required')) return;
      const isConflict = hasCode(error, 'version_mismatch');
      const why = isConflict ? 'It has been modified since.' : toProblem(error).message;
      show({ id: noticeId, type: 'error', content: `Could not undo: ${summary} ${why}` });
      if (isConflict) void readAgain(undefined);
    },
  });
  return (
    <>
      <Button
        variant={variant}
        {...(ariaLabel && { ariaLabel })}
        loading={isPending}
        onClick={() => (needsReason() ? setAsking(true) : mutate(undefined))}
      >
        Undo
      </Button>
      {asking && (
        <Suspense>
          <UndoReasonDialog
            summary={summary}
            isPending={isPending}
            onSubmit={mutate}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Shows a notice of a change, which stays until it is dismissed and offers to undo it. */
export function useUndoNotice(): (noticeId: string, change: Omit<UndoableChange, 'changeId'> & MadeChange) => void {
  const { show } = useNotices();
  return (id, { changeId, more, ...change }) => {
    if (changeId === null) return;
    const action = (
      <SpaceBetween direction="horizontal" size="xs">
        <UndoButton change={{ ...change, changeId }} noticeId={id} />
        {more}
      </SpaceBetween>
    );
    show({ id, type: 'success', content: change.summary, action });
  };
}

interface MadeChange {
  /** What else is offered. Default: nothing. */
  readonly more?: ReactNode;
  /** `null` if nothing changed. */
  readonly changeId: string | null;
}
