import RadioGroup from '@cloudscape-design/components/radio-group';
import { useState } from 'react';
import { useAction } from '#dashboard/api/use-action.ts';
import { Field } from '#dashboard/forms/field.tsx';
import { FormDialog } from '#dashboard/forms/form-dialog.tsx';
import { useWriter } from '#dashboard/session/dashboard-context.ts';
import type { LoginView } from '../contract/login.ts';
import type { ClientType } from '../contract/login-values.ts';
import { linesOf } from './uri-lines.ts';
import { UrisField } from './uris-field.tsx';

export interface LoginDialogProps {
  readonly login: LoginView;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Sets up the login of an application, or changes its addresses. The kind of client never changes. */
export function LoginDialog({ login, onClose, onSaved }: LoginDialogProps) {
  const { appId, enabled } = login;
  const write = useWriter();
  const [clientType, setClientType] = useState<ClientType>(login.clientType ?? 'public');
  const [redirects, setRedirects] = useState(login.redirectUris.join('\n'));
  const [logouts, setLogouts] = useState(login.logoutUris.join('\n'));
  const {
    mutate,
    isPending,
    error,
    variables: sent,
  } = useAction({
    mutationFn: (given: { readonly redirects: string; readonly logouts: string }) => {
      const body = { clientType, redirectUris: linesOf(given.redirects), logoutUris: linesOf(given.logouts) };
      return write('set-login', { path: { appId }, body });
    },
    onSuccess: onSaved,
  });
  return (
    <FormDialog
      title={enabled ? 'Edit login' : 'Set up login'}
      verb={enabled ? 'Save' : 'Set up login'}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ redirects, logouts })}
      onClose={onClose}
    >
      {!enabled && (
        <Field label="Client type" description="It can't be changed later." pointer="#/clientType">
          <RadioGroup
            value={clientType}
            items={types}
            onChange={({ detail }) => setClientType(detail.value === 'confidential' ? 'confidential' : 'public')}
          />
        </Field>
      )}
      <UrisField
        label="Redirect addresses"
        description="Where people return after the login. Compared exactly."
        placeholder="https://app.example.com/callback"
        member="redirectUris"
        text={redirects}
        sent={sent?.redirects}
        onChange={setRedirects}
      />
      <UrisField
        label="Logout addresses (optional)"
        description="Where people may return after the logout."
        placeholder="https://app.example.com/"
        member="logoutUris"
        text={logouts}
        sent={sent?.logouts}
        onChange={setLogouts}
      />
    </FormDialog>
  );
}

const types = [
  {
    value: 'public',
    label: 'Public',
    description: 'A page in the browser or an installed program, which cannot keep a secret and uses PKCE alone.',
  },
  { value: 'confidential', label: 'Confidential', description: 'A backend, which also has a secret.' },
];
