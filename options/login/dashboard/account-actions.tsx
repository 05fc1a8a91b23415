import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '#dashboard/api/queries.ts';
import { useAction } from '#dashboard/api/use-action.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { TypedConfirmation } from '#dashboard/forms/typed-confirmation.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import type { UserSectionProps } from '#dashboard/options/option-pages.ts';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import { useNotices } from '#dashboard/shell/notices.tsx';
import { nameUser } from '#dashboard/words.ts';
import type { AccountView } from '../contract/login.ts';

export interface AccountActionsProps extends UserSectionProps {
  readonly account: AccountView;
}

/** Actions on the account of a user. Each changes the user too, so the page reads all of it again. */
export function AccountActions({ user, account: { state } }: AccountActionsProps) {
  const { userId } = user;
  const client = useQueryClient();
  const [doing, setDoing] = useState<'sign-out' | 'delete'>();
  const invitation = useInvitation(user, () => reload());
  const close = () => setDoing(undefined);
  const reload = () => void client.invalidateQueries({ queryKey: queryKeys.user(userId) });
  const dialog = {
    user,
    onClose: close,
    onDone: () => {
      close();
      reload();
    },
  };
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        {(state === 'none' || state === 'invited') && (
          <ActionButton operation="invite-user" loading={invitation.isPending} onClick={() => invitation.mutate()}>
            {state === 'none' ? 'Invite' : 'Send invitation again'}
          </ActionButton>
        )}
        {state !== 'none' && state !== 'disabled' && (
          <ActionButton operation="sign-out-user" onClick={() => setDoing('sign-out')}>
            Sign out everywhere
          </ActionButton>
        )}
        {state !== 'none' && (
          <ActionButton operation="delete-account" isDestructive onClick={() => setDoing('delete')}>
            Delete account
          </ActionButton>
        )}
      </SpaceBetween>
      <ProblemAlert error={invitation.error} />
      {doing === 'sign-out' && <SignOutDialog {...dialog} />}
      {doing === 'delete' && <DeleteAccountDialog {...dialog} />}
    </SpaceBetween>
  );
}

function useInvitation(user: UserSectionProps['user'], reload: () => void) {
  const { userId } = user;
  const write = useWriter();
  const { show } = useNotices();
  return useAction({
    isRepeatable: true,
    mutationFn: () => write('invite-user', { path: { userId } }),
    onSuccess: ({ error }) => {
      const id = `invited-${userId}`;
      if (error !== null) show({ id, type: 'warning', content: `Recorded, but no invitation is sent yet. ${error}` });
      else {
        const content = `Invited ${nameUser(user)}. The invitation is sent by e-mail within seconds.`;
        show({ id, type: 'success', content, seconds: 10 });
      }
      reload();
    },
  });
}

interface AccountDialogProps extends UserSectionProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function SignOutDialog({ user, onClose, onDone }: AccountDialogProps) {
  const { userId } = user;
  const write = useWriter();
  const { mutate, isPending, error } = useAction({
    mutationFn: () => write('sign-out-user', { path: { userId } }),
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title={`Sign ${user.displayName ?? userId} out everywhere`}
      verb="Sign out everywhere"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Alert type="warning">
        All sessions end within seconds. Tokens that were issued before last up to five minutes.
      </Alert>
      <Box>{nameUser(user)} can log in again. To prevent that, deactivate the user or block the access.</Box>
    </FormDialog>
  );
}

function DeleteAccountDialog({ user, onClose, onDone }: AccountDialogProps) {
  const { userId } = user;
  const write = useWriter();
  return (
    <TypedConfirmation
      title={`Delete the account of ${user.displayName ?? userId}`}
      verb="Delete account"
      wanted={userId}
      label={`Type ${userId} to confirm`}
      warning={`${nameUser(user)} can't log in until invited again, and then chooses a new password and second factors. The user, access and roles stay.`}
      act={async () => {
        await write('delete-account', { path: { userId } });
        onDone();
      }}
      onClose={onClose}
    />
  );
}
