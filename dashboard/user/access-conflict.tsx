import type { UserAccessView } from '#shared/contract/management.ts';
import { ConflictDialog, versionAfter } from './conflict-dialog.tsx';
import type { AccessChange } from './use-access-change.ts';

export interface AccessConflictProps {
  readonly access: UserAccessView;
  readonly change: AccessChange;
  readonly reload: () => void;
}

/** Settles a write that met another version of the access. */
export function AccessConflict({ access, change, reload }: AccessConflictProps) {
  const { conflict, run, forget } = change;
  if (conflict === undefined) return null;
  const { write, seen } = conflict;
  return (
    <ConflictDialog
      userId={access.userId}
      intent={write.intent}
      isMeanwhile={(other) => other.appId === access.appId && versionAfter(other) > seen}
      onKeep={() => {
        forget();
        reload();
      }}
      onOverride={(version) => void run(write, version)}
    />
  );
}
