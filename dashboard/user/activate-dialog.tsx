import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { offboardingIn, type PastOffboarding } from '#shared/contract/offboarding.ts';
import type { ReadUserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { isReasonMissing, noReason, type Reason, ReasonFields } from '../forms/reason-fields.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { nameUser } from '../words.ts';
import { isAllowedBySetting } from './access-switch.tsx';
import { describeRoles } from './offboarding-receipt.tsx';
import { useUserAccess } from './use-user-access.ts';

export interface ActivateDialogProps {
  readonly user: ReadUserView;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  /** With the offboarding whose roles are to be given back, if so. */
  readonly onSubmit: (why: Reason, giveBack: PastOffboarding | undefined) => void;
}

/** Says what comes back with the activation of a user and what does not, and offers the roles that an offboarding removed. */
export default function ActivateDialog({ user, isPending, error, onClose, onSubmit }: ActivateDialogProps) {
  const { data: accesses = [] } = useUserAccess(user.userId);
  const offboarding = useOffboarding(user);
  const [why, setWhy] = useState(noReason);
  const [givesBack, setGivesBack] = useState(false);
  const { needsReason } = useOperator();
  const removed = offboarding?.removed ?? [];
  const accessTo = (appId: string) => accesses.find((access) => access.appId === appId);
  const isRequired =
    needsReason() || (givesBack && removed.some(({ appId }) => needsReason(accessTo(appId)?.requireReason)));
  const [allowed, blocked] = [true, false].map((isAllowed) =>
    accesses.filter((access) => isAllowedBySetting({ ...access, displayName: null }, Date.now()) === isAllowed),
  );
  const kept = accesses.flatMap(({ appName, roles }) => roles.map(({ name: role }) => ({ appName, role })));
  const named = removed.map(({ appId, role }) => ({ appName: accessTo(appId)?.appName ?? appId, role }));
  return (
    <FormDialog
      title={`Activate ${user.displayName ?? user.userId}`}
      verb="Activate"
      isPending={isPending}
      error={error}
      isIncomplete={isReasonMissing(why, isRequired)}
      onSubmit={() => onSubmit(why, givesBack ? offboarding : undefined)}
      onClose={onClose}
    >
      <Box>{nameUser(user)} gets back the access that each application's setting or rollout allows.</Box>
      <KeyValuePairs
        items={[
          { label: 'Access that comes back', value: countNames(allowed) },
          { label: 'Stays blocked', value: countNames(blocked) },
          { label: 'Roles that come back', value: describeRoles(kept) || 'None' },
          ...(named.length > 0 ? [{ label: 'Roles that do not come back', value: describeRoles(named) }] : []),
        ]}
      />
      {removed.length > 0 && (
        <Checkbox
          checked={givesBack}
          description="They were removed when the user was offboarded. One whose access was modified since does not come back."
          onChange={({ detail }) => setGivesBack(detail.checked)}
        >
          Give these roles back ({removed.length})
        </Checkbox>
      )}
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}

const maxNames = 5;

function countNames(accesses: readonly { readonly appName: string }[] = []): string {
  const names = accesses.slice(0, maxNames).map(({ appName }) => appName);
  const more = accesses.length - names.length;
  return names.length === 0 ? 'None' : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
