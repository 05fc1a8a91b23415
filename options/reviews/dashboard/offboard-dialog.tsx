import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isUnanswered } from '#dashboard/api/problem-error.ts';
import { queryKeys } from '#dashboard/api/queries.ts';
import { useAction } from '#dashboard/api/use-action.ts';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { missingReason, noReason, ReasonFields, reasonBody } from '#dashboard/forms/reason-fields.tsx';
import { QueryStatus } from '#dashboard/lists/query-status.tsx';
import type { UserDialogProps } from '#dashboard/options/option-pages.ts';
import { useSequenceWriter } from '#dashboard/session/dashboard-context.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { describeRoles } from '#dashboard/user/describe-roles.ts';
import { useUserAccess } from '#dashboard/user/use-user-access.ts';
import { nameUser } from '#dashboard/words.ts';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import { type OffboardingReceipt, offboard, rolesRequireReason } from '../offboarding.ts';
import { ReceiptDialog } from './offboarding-receipt.tsx';

/** Deactivates a user and removes the roles in all applications as one bulk, then shows what was taken. */
export default function OffboardDialog({ user, onClose }: UserDialogProps) {
  const { userId } = user;
  const list = useUserAccess(userId);
  const { needsReason } = useOperator();
  const write = useSequenceWriter();
  const queryClient = useQueryClient();
  const [keepsRoles, setKeepsRoles] = useState(false);
  const [why, setWhy] = useState(noReason);
  // A repetition after a failure is part of the same bulk, and its receipt names what the first attempt took too.
  const [bulkId] = useState(() => newBulkId(Date.now()));
  const [at, setAt] = useState('');
  const sent = useRef<readonly UserAccessView[]>(undefined);
  const {
    mutate,
    isPending,
    error,
    data: receipt,
  } = useAction({
    mutationFn: (): Promise<OffboardingReceipt> => {
      sent.current = accesses;
      const body = { userIds: [userId], bulkId, ...reasonBody(why) };
      return offboard(
        { userId, bulkId, accesses, keepsRoles },
        {
          deactivate: async () =>
            (await write('set-user-status-in-bulk', { body: { ...body, status: 'inactive' } })).items,
          revoke: async (path) => (await write('revoke-role-in-bulk', { path, body })).items,
        },
      );
    },
    onSettled: () => {
      setAt(new Date().toISOString());
      void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.everyApplication, refetchType: 'none' });
    },
  });
  const accesses = (isUnanswered(error) ? sent.current : undefined) ?? list.data ?? [];
  if (receipt !== undefined) {
    return <ReceiptDialog user={user} receipt={receipt} why={reasonBody(why)} at={at} onClose={onClose} />;
  }
  const held = accesses.flatMap(({ appName, roles }) => roles.map(({ name }) => ({ appName, role: name })));
  const isRequired = needsReason() || (!keepsRoles && rolesRequireReason(accesses));
  const allowed = accesses.filter(({ effectiveStatus }) => effectiveStatus === 'enabled').length;
  return (
    <FormDialog
      title={`Offboard ${user.displayName ?? userId}`}
      verb="Offboard"
      isDestructive
      isPending={isPending}
      error={error}
      missing={
        list.isSuccess
          ? missingReason(why, isRequired)
          : list.isError
            ? 'The roles could not be read.'
            : 'Reading the roles…'
      }
      onSubmit={mutate}
      onClose={onClose}
    >
      {!list.isSuccess && <QueryStatus query={list} of="the applications" />}
      {list.isSuccess && (
        <SpaceBetween size="xs">
          <Alert type="warning">
            {nameUser(user)} is deactivated and loses access to all applications immediately
            {allowed > 0 && `: ${allowed} of ${accesses.length} now`}.
          </Alert>
          {held.length === 0 ? (
            <Box>The user holds no roles.</Box>
          ) : (
            <Checkbox
              checked={!keepsRoles}
              description={describeRoles(held)}
              onChange={({ detail }) => setKeepsRoles(!detail.checked)}
            >
              Remove all roles ({held.length})
            </Checkbox>
          )}
        </SpaceBetween>
      )}
      <ReasonFields value={why} onChange={setWhy} isRequired={isRequired} />
    </FormDialog>
  );
}
