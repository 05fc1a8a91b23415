import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { QueryStatus } from '#dashboard/lists/query-status.tsx';
import type { UserSectionProps } from '#dashboard/options/option-pages.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import type { AccountView } from '../contract/login.ts';
import type { AccountState } from '../contract/login-values.ts';
import { accountStateLabels, describeMfa } from '../contract/login-words.ts';
import { AccountActions } from './account-actions.tsx';
import { loginKeys, pollMilliseconds } from './login-queries.ts';

/**
 * The account by which a user logs in, where the deployment has a login or the user an account. While the provider sets it up, it is
 * read again.
 */
export default function AccountSection({ user }: UserSectionProps) {
  const { userId } = user;
  const api = useApi();
  const query = useQuery({
    queryKey: loginKeys.account(userId),
    queryFn: ({ signal }) => api('get-account', { path: { userId }, signal }),
    refetchInterval: ({ state }) => state.data?.state === 'pending' && state.data.error === null && pollMilliseconds,
  });
  const { data: account } = query;
  if (account?.state === 'none' && account.issuer === null) return null;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="By which the user logs in to applications with a login."
          actions={account && <AccountActions user={user} account={account} />}
        >
          Login account
        </Header>
      }
    >
      {account === undefined && <QueryStatus query={query} of="the account" />}
      {account?.state === 'none' && <Box>{describeNext(user.email)}</Box>}
      {account && account.state !== 'none' && <AccountFacts account={account} />}
    </Container>
  );
}

function describeNext(email: string | null): string {
  const next =
    email === null
      ? 'An invitation is sent once the user has an e-mail address.'
      : `An invitation is sent to ${email}.`;
  return `${accountStateLabels.none}. ${next}`;
}

function AccountFacts({ account }: { readonly account: AccountView }) {
  const { invitedAt, signedOutAt, mfa, provider, error } = account;
  return (
    <SpaceBetween size="s">
      {error !== null && <Alert type="warning">{error}</Alert>}
      <KeyValuePairs
        columns={2}
        minColumnWidth={200}
        items={[
          {
            label: 'State',
            value: <AccountStatus account={account} />,
          },
          { label: 'Second factors', value: capitalize(describeMfa(mfa)) },
          ...(provider === null ? [] : [{ label: 'Logs in at', value: provider }]),
          { label: 'Invited', value: invitedAt === null ? '–' : <LocalTime at={invitedAt} /> },
          { label: 'Signed out everywhere', value: signedOutAt === null ? 'Never' : <LocalTime at={signedOutAt} /> },
        ]}
      />
    </SpaceBetween>
  );
}

/** What waits without a prospect is not said to be under way. */
function AccountStatus({ account: { state, error } }: { readonly account: AccountView }) {
  if (state === 'pending' && error !== null) return <StatusIndicator type="stopped">Not set up yet</StatusIndicator>;
  return <StatusIndicator type={types[state]}>{accountStateLabels[state]}</StatusIndicator>;
}

const types: Readonly<Record<AccountState, StatusIndicatorProps.Type>> = {
  none: 'stopped',
  pending: 'in-progress',
  invited: 'pending',
  confirmed: 'success',
  disabled: 'stopped',
};

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
