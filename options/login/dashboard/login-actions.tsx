import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { TypedConfirmation } from '#dashboard/forms/typed-confirmation.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import type { LoginSecretView, LoginView } from '../contract/login.ts';
import { LoginDialog } from './login-dialog.tsx';
import { LoginSecretDialog } from './login-secret-dialog.tsx';

export interface LoginActionsProps {
  readonly login: LoginView;
  /** Reloads the login and its application. */
  readonly reload: () => void;
}

/** Actions on the login of an application. A secret is kept only in the dialog that shows it. */
export function LoginActions({ login, reload }: LoginActionsProps) {
  const { appId, clientType, clientId } = login;
  const write = useWriter();
  const [doing, setDoing] = useState<'edit' | 'delete' | LoginSecretView>();
  const close = () => setDoing(undefined);
  const secret = useAction({
    isRepeatable: true,
    mutationFn: () => write('add-login-secret', { path: { appId } }),
    onSuccess: (issued) => {
      setDoing(issued);
      reload();
    },
  });
  const done = () => {
    close();
    reload();
  };
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        <ActionButton operation="set-login" appId={appId} onClick={() => setDoing('edit')}>
          Edit
        </ActionButton>
        {clientType === 'confidential' && clientId !== null && (
          <ActionButton
            operation="add-login-secret"
            appId={appId}
            loading={secret.isPending}
            onClick={() => secret.mutate()}
          >
            Add secret
          </ActionButton>
        )}
        <ActionButton operation="delete-login" appId={appId} isDestructive onClick={() => setDoing('delete')}>
          Delete
        </ActionButton>
      </SpaceBetween>
      <ProblemAlert error={secret.error} />
      {doing === 'edit' && <LoginDialog login={login} onClose={close} onSaved={done} />}
      {typeof doing === 'object' && <LoginSecretDialog issued={doing} onClose={close} />}
      {doing === 'delete' && (
        <TypedConfirmation
          title="Delete login"
          verb="Delete login"
          wanted={appId}
          label={`Type ${appId} to confirm`}
          warning="No one can log in to this application any more. A login that you set up again has another client ID. The history stays."
          act={async () => {
            await write('delete-login', { path: { appId } });
            done();
          }}
          onClose={close}
        />
      )}
    </SpaceBetween>
  );
}
