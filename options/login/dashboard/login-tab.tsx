import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '#dashboard/api/queries.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { QueryStatus } from '#dashboard/lists/query-status.tsx';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import type { LoginView } from '../contract/login.ts';
import { LoginActions } from './login-actions.tsx';
import { LoginCode } from './login-code.tsx';
import { LoginDialog } from './login-dialog.tsx';
import { LoginFacts } from './login-facts.tsx';
import { loginKeys, pollMilliseconds } from './login-queries.ts';

/** The login of an application. While there is one, it is read again: the provider follows each change seconds later. */
export default function LoginTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: loginKeys.login(appId),
    queryFn: ({ signal }) => api('get-login', { path: { appId }, signal }),
    refetchInterval: ({ state }) => state.data?.enabled === true && state.data.issuer !== null && pollMilliseconds,
  });
  const { data: login } = query;
  const reload = () => void client.invalidateQueries({ queryKey: queryKeys.application(appId) });
  if (login === undefined) return <QueryStatus query={query} of="the login" />;
  if (!login.enabled) return <NoLogin login={login} reload={reload} />;
  return (
    <SpaceBetween size="l">
      <LoginNotice login={login} />
      <Container
        header={
          <Header
            variant="h2"
            description="People log in to this application by OpenID Connect."
            actions={<LoginActions login={login} reload={reload} />}
          >
            Login
          </Header>
        }
      >
        <LoginFacts login={login} />
      </Container>
      <CodeOf login={login} />
    </SpaceBetween>
  );
}

interface LoginProps {
  readonly login: LoginView;
}

function NoLogin({ login, reload }: LoginProps & { readonly reload: () => void }) {
  const [isAsking, ask] = useState(false);
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <ActionButton operation="set-login" appId={login.appId} variant="primary" onClick={() => ask(true)}>
              Set up login
            </ActionButton>
          }
        >
          Login
        </Header>
      }
    >
      <Box>
        With a login, people enter this application through the login page of this service (OpenID Connect). Only users
        whose access is allowed get in, and their tokens contain their roles.
      </Box>
      {isAsking && (
        <LoginDialog
          login={login}
          onClose={() => ask(false)}
          onSaved={() => {
            ask(false);
            reload();
          }}
        />
      )}
    </Container>
  );
}

/** Why people cannot log in yet, or why the last change has no effect. */
function LoginNotice({ login: { issuer, error } }: LoginProps) {
  if (issuer === null) {
    return (
      <Alert type="info" header="This deployment has no login">
        What you set here is recorded. It takes effect once the setting <Box variant="code">login</Box> of the
        deployment is on.
      </Alert>
    );
  }
  if (error === null) return null;
  return (
    <Alert type="error" header="The last change was refused">
      <span className="break">{error}</span>
    </Alert>
  );
}

function CodeOf({ login }: LoginProps) {
  const { clientId, issuer } = login;
  return clientId === null || issuer === null ? null : <LoginCode login={{ ...login, clientId, issuer }} />;
}
