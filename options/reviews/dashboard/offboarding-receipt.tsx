import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { BulkLink } from '#dashboard/history/bulk-link.tsx';
import { describeCaller } from '#dashboard/history/describe-caller.ts';
import { type Names, useAppName } from '#dashboard/history/use-names.ts';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { describeRoles } from '#dashboard/user/describe-roles.ts';
import { nameUser } from '#dashboard/words.ts';
import type { UserView } from '#shared/contract/user.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { OffboardingReceipt, TakenRole } from '../offboarding.ts';
import { ReceiptButtons } from './receipt-buttons.tsx';

export interface ReceiptDialogProps {
  readonly user: UserView;
  readonly receipt: OffboardingReceipt;
  /** Why, as it was entered. */
  readonly why: { readonly reason: string | null; readonly ticket: string | null };
  readonly at: string;
  readonly onClose: () => void;
}

/** What an offboarding took, and what it left. */
export function ReceiptDialog({ user, receipt, why, at, onClose }: ReceiptDialogProps) {
  const { status, roles, lostAccess, blocks, bulkId } = receipt;
  const appName = useAppName();
  const { caller } = useOperator();
  const failed = roles.filter(({ outcome }) => outcome === 'failed');
  const isDone = status.outcome !== 'failed' && failed.length === 0;
  const outcomes = (['removed', 'kept'] as const).map((outcome) => roles.filter((role) => role.outcome === outcome));
  const [removed = [], kept = []] = outcomes;
  const details = [
    { label: 'Roles kept', value: namesOf([...kept, ...failed], appName) },
    { label: 'Access lost', value: lostAccess.map(appName).join(', ') || 'None' },
    { label: 'Blocks that stay', value: blocks.map(({ appId }) => appName(appId)).join(', ') || 'None' },
  ];
  return (
    <Modal
      visible
      header={`Receipt: ${user.displayName ?? user.userId} offboarded`}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <div role="status">
          <Alert type={isDone ? 'success' : 'error'}>
            {isDone
              ? `${nameUser(user)} is inactive${status.outcome === 'unchanged' ? ', as before' : ''}. ${countOf(removed.length, 'role')} removed.`
              : (status.problem?.detail ??
                `${countOf(failed.length, 'role')} could not be removed: ${failed[0]?.problem?.detail ?? ''} Offboard the user again to remove the rest.`)}
          </Alert>
        </div>
        <KeyValuePairs
          items={[
            { label: 'When', value: <LocalTime at={at} withSeconds /> },
            { label: 'By', value: caller === null ? '–' : describeCaller(caller, appName) },
            { label: 'Reason', value: [why.reason, why.ticket].filter(Boolean).join(' · ') || '–' },
            { label: 'Roles removed', value: namesOf(removed, appName) },
            ...details,
          ]}
        />
        <ReceiptButtons
          receipt={{
            ...why,
            userId: user.userId,
            displayName: user.displayName,
            bulkId,
            at,
            caller,
            removed,
            more: details.map(({ label, value }) => [label, value] as const),
          }}
        />
        <Box variant="small" color="text-body-secondary">
          The history keeps the offboarding: <BulkLink bulk={{ bulkId, appId: undefined }}>{bulkId}</BulkLink>. To undo
          it, activate the user and give the roles back.
        </Box>
      </SpaceBetween>
    </Modal>
  );
}

function namesOf(roles: readonly TakenRole[], appName: Names['appName']): string {
  return describeRoles(roles.map(({ appId, role }) => ({ appName: appName(appId), role }))) || 'None';
}
