import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { Change } from '#shared/contract/change.ts';
import { queryKeys } from '../api/queries.ts';
import { ChangeEntry } from '../history/change-entry.tsx';
import { versionAfter } from '../history/latest-change.ts';
import { useNames } from '../history/use-names.ts';
import { QueryStatus } from '../lists/query-status.tsx';
import { useApi } from '../session/dashboard-context.ts';

export interface ConflictDialogProps {
  readonly userId: string;
  /** The operator's change as a command: `Block access to Billing`. */
  readonly intent: string;
  /** Selects the changes of the same item since the version that the operator saw. */
  readonly isMeanwhile: (change: Change) => boolean;
  /** Discards the operator's change. */
  readonly onKeep: () => void;
  /** Returns to the form with the operator's change, if there is one. */
  readonly onBack: () => void;
  /** Retries the operator's change on top of the given version. */
  readonly onOverride: (version: number) => void;
}

/** Shows what others changed since the page was loaded, and asks whether to overwrite it. */
export function ConflictDialog({ userId, intent, isMeanwhile, onKeep, onBack, onOverride }: ConflictDialogProps) {
  const api = useApi();
  const changes = useQuery({
    queryKey: [...queryKeys.userChanges(userId), { limit: '100' }],
    queryFn: ({ signal }) => api('list-user-changes', { path: { userId }, query: { limit: '100' }, signal }),
  });
  const meanwhile = (changes.data?.items ?? []).filter(isMeanwhile);
  const names = useNames([]);
  const latest = Math.max(...meanwhile.map(versionAfter));
  return (
    <Modal
      visible
      header="Changed by someone else"
      closeAriaLabel="Close"
      onDismiss={onBack}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={onKeep} variant="link">
              Keep the current setting
            </Button>
            <Button variant="primary" disabled={!Number.isFinite(latest)} onClick={() => onOverride(latest)}>
              {intent} anyway
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>“{intent}” was not saved because of these changes since you opened the page:</Box>
        {!changes.isSuccess && <QueryStatus query={changes} of="the history" />}
        {meanwhile.map((change) => (
          <ChangeEntry key={change.id} change={change} names={names} />
        ))}
      </SpaceBetween>
    </Modal>
  );
}
