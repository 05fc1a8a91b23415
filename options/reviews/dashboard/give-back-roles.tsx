import Checkbox from '@cloudscape-design/components/checkbox';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '#dashboard/api/queries.ts';
import type { ActivationPartProps, NextStep } from '#dashboard/options/option-pages.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import { describeRoles } from '#dashboard/user/describe-roles.ts';
import { undoBulkInPath } from '#options/bulk/dashboard/bulk-paths.ts';
import { undoAtOnce } from '#options/bulk/dashboard/undo-at-once.ts';
import type { ReadUserView } from '#shared/contract/user.ts';
import { offboardingIn, type PastOffboarding } from '../offboarding.ts';

/** Offers the roles that an offboarding removed, with the activation of its user. */
export default function GiveBackRoles({ user, accesses, onChoose }: ActivationPartProps) {
  const offboarding = useOffboarding(user);
  const [isChosen, choose] = useState(false);
  if (offboarding === undefined || offboarding.removed.length === 0) return null;
  const { removed } = offboarding;
  const nameOf = (appId: string) => accesses.find((access) => access.appId === appId)?.appName ?? appId;
  const named = removed.map(({ appId, role }) => ({ appName: nameOf(appId), role }));
  return (
    <SpaceBetween size="m">
      <KeyValuePairs items={[{ label: 'Roles that do not come back', value: describeRoles(named) }]} />
      <Checkbox
        checked={isChosen}
        description="They were removed when the user was offboarded. One whose access was modified since does not come back."
        onChange={({ detail: { checked } }) => {
          choose(checked);
          onChoose(checked ? givingBack(offboarding) : undefined);
        }}
      >
        Give these roles back ({removed.length})
      </Checkbox>
    </SpaceBetween>
  );
}

/** Undoes the offboarding in its applications. */
function givingBack({ bulkId, removed }: PastOffboarding): NextStep {
  const appIds = [...new Set(removed.map(({ appId }) => appId))];
  return { appIds, path: undoBulkInPath(bulkId, appIds), stateFor: undoAtOnce };
}

/** The offboarding that made the user inactive; undefined if none is in the latest hundred changes. */
function useOffboarding({ userId, statusSetBy }: ReadUserView): PastOffboarding | undefined {
  const api = useApi();
  const bulkId = statusSetBy?.bulkId ?? null;
  const { data } = useQuery({
    queryKey: [...queryKeys.userChanges(userId), { limit: '100' }],
    enabled: bulkId !== null,
    queryFn: ({ signal }) => api('list-user-changes', { path: { userId }, query: { limit: '100' }, signal }),
  });
  return data && bulkId !== null ? offboardingIn(data.items, bulkId) : undefined;
}
