import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hasCode, isUnanswered } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { versionAfter } from '../history/latest-change.ts';
import { ProblemAlert } from '../lists/problem-alert.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { type AccessMutation, type NamedAccess, useAccessMutation } from './use-user-access.ts';

export interface AccessControlProps {
  readonly access: NamedAccess;
  readonly children: (change: AccessMutation) => ReactNode;
}

/** Controls that change one access, with the error of a failed change below them. */
export function AccessControl({ access, children }: AccessControlProps) {
  const change = useAccessMutation(access);
  const { error, variables: write, mutate } = change;
  return (
    <>
      {children(change)}
      {!hasCode(error, 'version_mismatch') && !write?.closeDialog && (
        <ProblemAlert error={error} retry={isUnanswered(error) && write ? () => mutate(write) : undefined} />
      )}
      <AccessConflict access={access} change={change} />
    </>
  );
}

interface AccessConflictProps {
  readonly access: NamedAccess;
  readonly change: AccessMutation;
}

/** Asks how to continue when the access was modified since it was read. */
function AccessConflict({ access: { userId, appId }, change }: AccessConflictProps) {
  const queryClient = useQueryClient();
  const { error, variables: write, mutate, reset } = change;
  if (write === undefined || !hasCode(error, 'version_mismatch')) return null;
  const reload = () => {
    reset();
    void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
    void queryClient.invalidateQueries({ queryKey: queryKeys.applicationUsers(appId) });
  };
  return (
    <ConflictDialog
      userId={userId}
      intent={write.intent}
      isMeanwhile={(other) => other.appId === appId && versionAfter(other) > write.ifMatch}
      onKeep={() => {
        write.closeDialog?.();
        reload();
      }}
      onBack={reload}
      onOverride={(version) => mutate({ ...write, ifMatch: version })}
    />
  );
}
