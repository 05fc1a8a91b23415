import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { LoginView } from '../contract/login.ts';
import { discoveryUrlOf } from '../contract/login-words.ts';

/** What is set of a login, and what an application needs to know of it. */
export function LoginFacts({ login }: { readonly login: LoginView }) {
  const { clientType, redirectUris, logoutUris, issuer } = login;
  return (
    <KeyValuePairs
      columns={2}
      minColumnWidth={250}
      items={[
        ...(issuer === null ? [] : providerFacts(login, issuer)),
        { label: 'Client type', value: clientType === 'confidential' ? 'Confidential' : 'Public' },
        { label: 'Redirect addresses', value: <Addresses of={redirectUris} /> },
        { label: 'Logout addresses', value: <Addresses of={logoutUris} /> },
      ]}
    />
  );
}

/** What an application is configured with. */
function providerFacts(login: LoginView, issuer: string) {
  return [
    { label: 'Client ID', value: <ClientId login={login} /> },
    { label: 'Issuer', value: <Copied label="Issuer" text={issuer} /> },
    { label: 'Discovery URL', value: <Copied label="Discovery URL" text={discoveryUrlOf(issuer)} /> },
  ];
}

function ClientId({ login: { clientId, error } }: { readonly login: LoginView }) {
  if (clientId !== null) return <Copied label="Client ID" text={clientId} />;
  if (error !== null) return '–';
  return <StatusIndicator type="in-progress">Being set up</StatusIndicator>;
}

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="break">
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        textToDisplay={text}
        copyButtonAriaLabel={`Copy ${label}`}
        copySuccessText="Copied"
        copyErrorText="Copying failed. Select the text instead."
      />
    </div>
  );
}

function Addresses({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return 'None';
  return of.map((uri) => (
    <Box key={uri}>
      <span className="break">{uri}</span>
    </Box>
  ));
}
