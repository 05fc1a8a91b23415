import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { standardPost } from '../../delivery/standard-webhook.ts';

test('an event has the headers and the body of Standard Webhooks, and each secret alone verifies it', () => {
  const at = new Date();
  const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const event = { id: 'id-1', type: 'access.changed', timestamp: '2026-11-20T19:00:00.000Z', data: { a: 1 } };
  const { headers, body } = standardPost(event, secrets, at);
  const { id, ...content } = event;
  expect(JSON.parse(body)).toEqual(content);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'auth-service-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/),
  });
  for (const secret of secrets) {
    expect(new Webhook(`whsec_${secret.toString('base64')}`).verify(body, headers)).toEqual(content);
  }
});
