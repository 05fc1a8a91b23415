import type { TableProps } from '@cloudscape-design/components/table';
import { useEffect, useState } from 'react';
import type { Change, ChangeView } from '#shared/contract/change.ts';
import { describeAction } from '#shared/contract/change-words.ts';
import { useOperator } from '../session/use-operator.ts';
import { nameUser } from '../words.ts';
import { isLatestOf } from './latest-change.ts';
import { UndoButton, type Undoing } from './undo-button.tsx';
import type { Names } from './use-names.ts';

export interface UndoColumnOptions {
  /** The changes in the list. */
  readonly changes: readonly ChangeView[];
  /** Whether the subject was not modified since. Default: whether the list shows no later change of it. */
  readonly isCurrent?: (change: Change) => boolean;
  readonly names: Names;
}

interface UndoneChange {
  readonly id: string;
  /** The change that undid it. */
  readonly undoneBy: string;
}

/** The column of a history with Undo buttons; none for operators without the permission. */
export function useUndoColumn({
  changes,
  names,
  isCurrent = (change) => isLatestOf(changes, change),
}: UndoColumnOptions): readonly TableProps.ColumnDefinition<ChangeView>[] {
  const { may } = useOperator();
  const [done, setDone] = useState<readonly UndoneChange[]>([]);
  const last = done.at(-1);
  useEffect(() => {
    if (last !== undefined) focusOn(last);
  }, [last]);
  if (!may('undo-change')) return [];
  const undone = new Set([...done.map(({ id }) => id), ...changes.flatMap(({ undoOf = [] }) => undoOf)]);
  const cell = (change: ChangeView) => {
    const { id, undo } = change;
    if (undone.has(id)) return <UndoneMark changeId={id} />;
    if (undo !== 'possible' || !isCurrent(change)) return null;
    const onDone = ({ changeId }: Undoing) => {
      if (changeId === null) return;
      // The query client announces reloaded lists in a timer; run after it, so that they are shown first.
      setTimeout(() => setDone((all) => [...all, { id, undoneBy: changeId }]), 0);
    };
    return <UndoInRow change={change} names={names} onDone={onDone} />;
  };
  return [{ id: 'actions', header: 'Undo', minWidth: 100, cell }];
}

interface UndoInRowProps {
  readonly change: Change;
  readonly names: Names;
  readonly onDone: (undone: Undoing) => void;
}

function UndoInRow({ change, names, onDone }: UndoInRowProps) {
  const { id, userId, appId, role } = change;
  const where = appId !== undefined && names.appName(appId);
  const whom = userId !== undefined && `for ${nameUser({ userId, displayName: names.userName(userId) })}`;
  const what = [describeAction(change), role, where, whom].filter(Boolean).join(', ');
  return (
    <span data-change={id}>
      <UndoButton
        change={{ userId, appId, changeId: id, summary: `${what}.` }}
        noticeId={`access-${userId ?? ''}-${appId ?? ''}`}
        ariaLabel={`Undo: ${what}`}
        variant="inline-link"
        onDone={onDone}
      />
    </span>
  );
}

/** Receives the focus in place of the button until the list shows the change that it made. */
function UndoneMark({ changeId }: { readonly changeId: string }) {
  return (
    <span data-change={changeId} tabIndex={-1}>
      Undone
    </span>
  );
}

/** The button is gone: moves the focus to the button of the new change, or to what replaces the old one. */
function focusOn({ id, undoneBy }: UndoneChange): void {
  const next =
    document.querySelector<HTMLElement>(`[data-change="${undoneBy}"] button`) ??
    document.querySelector<HTMLElement>(`[data-change="${id}"]`);
  next?.focus();
}
