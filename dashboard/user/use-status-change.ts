import { useState } from 'react';
import type { UserStatus } from '#shared/contract/access.ts';
import type { UserView } from '#shared/contract/management.ts';
import { type ProblemError, toProblem } from '../api/problem-error.ts';
import { useApi } from '../api/use-api.ts';

interface StatusSetting {
  readonly status: UserStatus;
  readonly reason: string | null;
}

/** Sets the global status, guarded by the version that was seen. */
export function useStatusChange(user: UserView, onChanged: (user: UserView) => void) {
  const api = useApi();
  const [pending, setPending] = useState<UserStatus>();
  const [problem, setProblem] = useState<ProblemError>();
  const [conflict, setConflict] = useState<StatusSetting>();
  const set = async (setting: StatusSetting, ifMatch = user.version) => {
    setPending(setting.status);
    setProblem(undefined);
    setConflict(undefined);
    try {
      onChanged(await api('set-user-status', { path: { userId: user.userId }, body: setting, ifMatch }));
    } catch (error) {
      const refusal = toProblem(error);
      if (refusal.code === 'version_mismatch') setConflict(setting);
      else setProblem(refusal);
    } finally {
      setPending(undefined);
    }
  };
  return { set, pending, problem, conflict, settle: () => setConflict(undefined) };
}
