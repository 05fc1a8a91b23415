import { describeFields } from './resource-fields-documents.ts';
import { webhookFields } from './webhook-fields.ts';

describeFields(webhookFields, {
  url: 'Where the events are posted: https, port 443 or above 1023, a public host, no credentials, no redirects.',
  format:
    'The format of the deliveries: `standard` for Standard Webhooks, `set` for Security Event Tokens. The deployment must have it.',
  enabled: 'Whether events are delivered. While it is `false`, they wait for as long as the feed is kept.',
});
