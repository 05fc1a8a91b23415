import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { Change } from '#shared/contract/change.ts';
import { queryKeys } from '../api/queries.ts';
import { ChangeEntry } from '../history/change-details.tsx';
import { QueryStatus } from '../lists/query-status.tsx';
import { useApi } from '../session/dashboard-context.ts';

export interface ConflictDialogProps {
  readonly userId: string;
  /** What the operator wanted: `turn Billing off`. */
  readonly intent: string;
  /** Which changes count: those of the same thing, after the version that was seen. */
  readonly isMeanwhile: (change: Change) => boolean;
  /** Takes over what others did. */
  readonly onKeep: () => void;
  /** Does it nevertheless, on top of the version given. */
  readonly onOverride: (version: number) => void;
}

/** What somebody else changed since this page was read, and whether to go on nevertheless. */
export function ConflictDialog({ userId, intent, isMeanwhile, onKeep, onOverride }: ConflictDialogProps) {
  const api = useApi();
  const changes = useQuery({
    queryKey: [...queryKeys.userChanges(userId), { limit: '100' }],
    queryFn: ({ signal }) => api('list-user-changes', { path: { userId }, query: { limit: '100' }, signal }),
  });
  const meanwhile = (changes.data?.items ?? []).filter(isMeanwhile);
  const latest = Math.max(...meanwhile.map(versionAfter));
  return (
    <Modal
      visible
      header="Somebody else was faster"
      closeAriaLabel="Close"
      onDismiss={onKeep}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={onKeep} variant="link">
              Leave it as it is now
            </Button>
            <Button variant="primary" disabled={!Number.isFinite(latest)} onClick={() => onOverride(latest)}>
              {intent} nevertheless
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>
          You wanted to {lowerFirst(intent)}. Nothing of it was done, because this changed after you opened the page:
        </Box>
        {!changes.isSuccess && <QueryStatus query={changes} of="the history" />}
        {meanwhile.map((change) => (
          <ChangeEntry key={change.id} change={change} />
        ))}
      </SpaceBetween>
    </Modal>
  );
}

/** The version that a change left behind; 0 when it says none. */
export function versionAfter({ after }: Change): number {
  return Number(after?.version ?? 0);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
