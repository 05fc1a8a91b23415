import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Undone } from '#shared/contract/undo.ts';
import { hasCode, toProblem } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useWriter } from '../session/dashboard-context.ts';
import { useNotices } from '../shell/notices.tsx';

/** A change that can be undone as long as nobody has changed the same since. */
export interface UndoableChange {
  readonly userId: string;
  readonly changeId: string;
  /** What has happened, as a sentence. */
  readonly said: string;
}

export interface UndoButtonProps {
  readonly change: UndoableChange;
  /** The notice that the outcome replaces. */
  readonly noticeId: string;
  readonly ariaLabel?: string;
  readonly variant?: 'normal' | 'inline-link';
  /** Called when it is undone and what is shown was read again. */
  readonly onDone?: (undone: Undone) => void;
}

const publishingMilliseconds = 3000;

/** Undoes a change; the notice of it then offers to undo that, or says why it was refused. */
export function UndoButton({ change, noticeId, ariaLabel, variant = 'normal', onDone }: UndoButtonProps) {
  const { userId, changeId, said } = change;
  const write = useWriter();
  const queryClient = useQueryClient();
  const { show } = useNotices();
  const readAgain = async (appId: string | undefined) => {
    // The history over all has a change only after that.
    setTimeout(() => void queryClient.invalidateQueries({ queryKey: queryKeys.changes }), publishingMilliseconds);
    const shown = [
      queryKeys.user(userId),
      appId === undefined ? queryKeys.everyApplication : queryKeys.application(appId),
    ];
    await Promise.all(shown.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  const { mutate, isPending } = useMutation({
    mutationFn: () => write('undo-change', { path: { userId, changeId } }),
    onSuccess: async (undone) => {
      const next = undone.changeId === null ? undefined : { userId, changeId: undone.changeId, said };
      show({
        id: noticeId,
        type: 'info',
        content: `Undone: ${said}`,
        ...(next && { action: <UndoButton change={next} noticeId={noticeId} /> }),
      });
      await readAgain(undone.appId);
      onDone?.(undone);
    },
    onError: (error) => {
      const isConflict = hasCode(error, 'version_mismatch');
      const why = isConflict ? 'Somebody has changed it again since.' : toProblem(error).message;
      show({ id: noticeId, type: 'error', content: `This was not undone: ${said} ${why}` });
      if (isConflict) void readAgain(undefined);
    },
  });
  return (
    <Button variant={variant} {...(ariaLabel && { ariaLabel })} onClick={() => !isPending && mutate()}>
      Undo
    </Button>
  );
}

/** Says what a change has done, in a notice that stays, and offers to undo it. */
export function useUndoNotice(): (noticeId: string, change: Omit<UndoableChange, 'changeId'> & MadeChange) => void {
  const { show } = useNotices();
  return (id, { changeId, ...change }) => {
    if (changeId === null) return;
    const action = <UndoButton change={{ ...change, changeId }} noticeId={id} />;
    show({ id, type: 'success', content: change.said, action });
  };
}

interface MadeChange {
  /** `null` when nothing was changed. */
  readonly changeId: string | null;
}
