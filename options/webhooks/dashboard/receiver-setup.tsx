import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { Copyable } from '#dashboard/forms/copyable.tsx';
import { useConfig } from '#dashboard/session/dashboard-context.ts';
import { eventKeysPath } from '#shared/contract/event-keys.ts';
import type { WebhookView } from '../contract/webhook.ts';
import { receiverSample } from './receiver-sample.ts';

export interface ReceiverSetupProps {
  readonly webhook: Pick<WebhookView, 'format' | 'url'>;
}

/** What a receiver has to know to verify deliveries, and how it answers. */
export function ReceiverSetup({ webhook: { format, url } }: ReceiverSetupProps) {
  return format === 'set' ? <TokenSetup url={url} /> : <StandardSetup />;
}

function StandardSetup() {
  return (
    <SpaceBetween size="m">
      {standardFields.map(toCopy)}
      <Box>
        Answer with any 2xx within 10 seconds. A delivery can come twice, with the same webhook-id. Software that knows
        Standard Webhooks needs only the secret.
      </Box>
      <ExpandableSection headerText="Verify deliveries in Node" headingTagOverride="h3">
        <SpaceBetween size="s">
          <div className="code">
            <FormField
              label="Receiver"
              description="Rejects what this service did not send. It needs the package standardwebhooks, and the secret as WEBHOOK_SECRET."
              stretch
            >
              <Textarea value={receiverSample} readOnly rows={16} spellcheck={false} />
            </FormField>
          </div>
          <CopyToClipboard
            copyButtonText="Copy code"
            textToCopy={receiverSample}
            copySuccessText="Copied"
            copyErrorText="Copying failed. Select the text instead."
          />
        </SpaceBetween>
      </ExpandableSection>
    </SpaceBetween>
  );
}

const standardFields: readonly Field[] = [
  ['Header with the ID', 'webhook-id'],
  ['Header with the time', 'webhook-timestamp', 'In seconds. Reject what is older than five minutes.'],
  [
    'Header with the signatures',
    'webhook-signature',
    'HMAC-SHA256 with the secret over <ID>.<time>.<body>, in Base64 after v1,',
  ],
];

function TokenSetup({ url }: Pick<WebhookView, 'url'>) {
  const { serviceUrl = location.origin } = useConfig();
  const base = serviceUrl.replace(/\/$/, '');
  const fields: readonly Field[] = [
    ['Issuer (iss)', base],
    ['Audience (aud)', url],
    ['Keys (JWKS)', `${base}${eventKeysPath}`, 'The tokens are signed with RS256.'],
  ];
  return (
    <SpaceBetween size="m">
      {fields.map(toCopy)}
      <Box>Tokens are pushed as RFC 8935 says, one in each request. Answer with 202 within 10 seconds.</Box>
    </SpaceBetween>
  );
}

type Field = readonly [label: string, text: string, note?: string];

function toCopy([label, text, note]: Field) {
  return <Copyable key={label} label={label} text={text} note={note} />;
}
