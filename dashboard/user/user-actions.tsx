import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserView } from '#shared/contract/user.ts';
import { hasCode } from '../api/problem-error.ts';
import { queryKeys } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { Field } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { deletionWaitsFor, TypedConfirmation } from '../forms/typed-confirmation.tsx';
import type { UserDialogProps } from '../options/option-pages.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { useWriter } from '../session/dashboard-context.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useNotices } from '../shell/notices.tsx';
import { nameUser } from '../words.ts';

const ofOptions = registeredPages
  .flatMap(({ userActions = [] }) => userActions)
  .map(({ lazy, ...action }) => ({ ...action, Dialog: lazyPart(lazy) }));

/** Actions on the user as a whole. */
export function UserActions({ user }: { readonly user: UserView }) {
  const [doing, setDoing] = useState<'edit' | 'delete' | (typeof ofOptions)[number]>();
  const close = () => setDoing(undefined);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton operation="update-user" onClick={() => setDoing('edit')}>
        Edit
      </ActionButton>
      {ofOptions.map((action) => (
        <ActionButton
          key={action.text}
          operation={action.operation}
          isDestructive={action.isDestructive ?? false}
          onClick={() => setDoing(action)}
        >
          {action.text}
        </ActionButton>
      ))}
      <ActionButton operation="delete-user" isDestructive onClick={() => setDoing('delete')}>
        Delete
      </ActionButton>
      {doing === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {typeof doing === 'object' && (
        <Suspense>
          <doing.Dialog user={user} onClose={close} />
        </Suspense>
      )}
      {doing === 'delete' && <DeleteUserDialog user={user} onClose={close} />}
    </SpaceBetween>
  );
}

/** Changes the name and the e-mail address of a user. */
function EditUserDialog({ user, onClose }: UserDialogProps) {
  const { userId, version } = user;
  const write = useWriter();
  const queryClient = useQueryClient();
  const [displayName, setDisplayName] = useState(user.displayName ?? '');
  const [email, setEmail] = useState(user.email ?? '');
  const isUnchanged = displayName === (user.displayName ?? '') && email === (user.email ?? '');
  const { mutate, isPending, error } = useAction({
    mutationFn: () =>
      write('update-user', {
        path: { userId },
        body: { displayName: displayName || null, email: email || null },
        ifMatch: version,
      }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKeys.user(userId), changed);
      void queryClient.invalidateQueries({ queryKey: queryKeys.userChanges(userId) });
      onClose();
    },
    onError: (failure) => {
      if (!hasCode(failure, 'version_mismatch')) return;
      void queryClient.invalidateQueries({ queryKey: queryKeys.user(userId), exact: true });
    },
  });
  return (
    <FormDialog
      title={`Edit ${user.displayName ?? userId}`}
      verb="Save"
      isPending={isPending}
      error={error}
      missing={isUnchanged ? 'Enter another name or e-mail address.' : undefined}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Field label="Name" pointer="#/displayName">
        <Input value={displayName} onChange={({ detail }) => setDisplayName(detail.value)} />
      </Field>
      <Field label="E-mail" pointer="#/email">
        <Input value={email} inputMode="email" onChange={({ detail }) => setEmail(detail.value)} />
      </Field>
    </FormDialog>
  );
}

/** Deletes a user with all access settings and roles. */
function DeleteUserDialog({ user, onClose }: UserDialogProps) {
  const { userId } = user;
  const write = useWriter();
  const navigate = useNavigate();
  const { show } = useNotices();
  const remove = async () => {
    await write('delete-user', { path: { userId } });
    show({ id: `deleted-${userId}`, type: 'success', content: `Deleted ${nameUser(user)}.`, seconds: 10 });
    navigate('/users');
  };
  return (
    <TypedConfirmation
      title={`Delete ${user.displayName ?? userId}`}
      verb="Delete user"
      wanted={userId}
      label={`Type ${userId} to confirm`}
      warning={`This deletes ${nameUser(user)} with all access settings and roles. It can't be undone. To only block access, deactivate the user instead.`}
      waitsFor={deletionWaitsFor}
      act={remove}
      onClose={onClose}
    />
  );
}
