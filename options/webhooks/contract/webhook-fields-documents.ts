import { describeMembers } from '#shared/contract/descriptions.ts';
import { describeFields } from '#shared/contract/resource-fields-documents.ts';
import { webhookFields } from './webhook-fields.ts';
import { webhookStateSchema } from './webhook-types.ts';

describeFields(webhookFields, {
  url: 'Where the events are posted: https, port 443 or above 1023, a public host, no credentials, no redirects.',
  format:
    'The format of the deliveries: `standard` for Standard Webhooks, `set` for Security Event Tokens. The deployment must have it.',
  enabled: 'Whether events are delivered. While it is `false`, they wait for as long as the feed is kept.',
});

describeMembers(webhookStateSchema.entries, {
  url: 'Where the events are posted. Only an API key with the scope `webhooks:write` reads it, and no webhook.',
  format: 'The format of the deliveries.',
  enabled: 'Whether events are delivered.',
  events: 'The kinds of changes that are delivered, separated by spaces; `null` for all.',
  offReason: 'Why it turned itself off; `null` if it did not.',
  secretId: 'The id of its secret.',
  previousSecretId: 'The id of the secret before.',
  previousSecretUntil: 'Until when the secret before signs too.',
});
