import { useQueryClient } from '@tanstack/react-query';
import type { Recorded } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import type { ApiInput } from '../api/create-api.ts';
import { hasCode } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { useWriter } from '../session/dashboard-context.ts';

export type ApplicationUpdate = ReturnType<typeof useApplicationUpdate>;

/** Updates the version that is shown; if that is outdated, reloads the application. */
export function useApplicationUpdate(
  { appId, version }: ApplicationView,
  onDone: (changed: Recorded<ApplicationView>) => void,
) {
  const write = useWriter();
  const queryClient = useQueryClient();
  const queryKey = queryKeys.application(appId);
  return useAction({
    isRepeatable: true,
    mutationFn: (body: NonNullable<ApiInput<'update-application'>['body']>) =>
      write('update-application', { path: { appId }, body, ifMatch: version }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKey, changed);
      onDone(changed);
    },
    onError: (failure) => {
      if (hasCode(failure, 'version_mismatch')) void queryClient.invalidateQueries({ queryKey, exact: true });
    },
  });
}
