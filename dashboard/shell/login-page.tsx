import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useSession } from '../session/dashboard-context.ts';
import type { SessionState } from '../session/start-session.ts';
import { usePageTitle } from './frame.tsx';

type Why = Extract<SessionState, { kind: 'out' }>['why'];

/** The page for everyone without a session. */
export function LoginPage({ why }: { readonly why: Why }) {
  const { session } = useSession();
  const { mutate, isPending, error } = useMutation({ mutationFn: session.logIn });
  usePageTitle(why === 'expired' ? 'Session ended' : 'Log in');
  return (
    <main id="main" className="page login">
      <Container
        header={<Box variant="h1">{why === 'expired' ? 'Your session has ended' : 'Access administration'}</Box>}
      >
        <SpaceBetween size="l">
          <Box>{messages[why]}</Box>
          {error && (
            <Alert type="error" header="Can't reach the login page">
              Check your connection and try again.
            </Alert>
          )}
          <Button variant="primary" loading={isPending} loadingText="Opening the login page" onClick={() => mutate()}>
            {why === 'new' ? 'Log in' : 'Log in again'}
          </Button>
        </SpaceBetween>
      </Container>
    </main>
  );
}

const messages: Readonly<Record<Why, string>> = {
  new: 'Log in to manage users, applications, API keys and roles.',
  expired: 'Your changes are saved. Log in again to return to this page.',
  failed: 'The login failed. Try again.',
};
