import { describe, expect, test } from '@jest/globals';
import { describeStub } from '#test/cli/describe-stub.ts';
import { runHere } from '#test/cli/run-here.ts';
import { page, testRequests } from '#test/cli/sent-request.ts';
import { exampleWebhook, exampleWebhookAttempt } from '../../contract/webhook-examples.ts';

const url = 'https://billing.example.com/hooks/access';
const webhook = { ...exampleWebhook, secret: 'whsec_test' };
const changeId = '01KB3ZC4N7Z3QF4V6E5T8S9R2W';
const failed = { ...exampleWebhook, state: 'failed', offReason: 'gone', enabled: false, lastError: 'status 410' };

describe('a command for webhooks sends its signed request and prints the outcome', () => {
  testRequests([
    [
      `webhooks create billing backend ${url}`,
      'POST /applications/billing/webhooks',
      { body: { webhookId: 'backend', url } },
      webhook,
      'secret         whsec_test',
    ],
    [
      `webhooks create billing backend ${url} --event access.changed --event role.revoked --format set --pause --quiet`,
      'POST /applications/billing/webhooks',
      {
        body: { webhookId: 'backend', url, events: ['access.changed', 'role.revoked'], format: 'set', enabled: false },
      },
      webhook,
      'whsec_test',
    ],
    [
      'webhooks list billing',
      'GET /applications/billing/webhooks',
      {},
      page(exampleWebhook),
      'backend  on     standard',
    ],
    [
      'webhooks show billing backend',
      'GET /applications/billing/webhooks/backend',
      {},
      failed,
      'state          Stopped: the receiver answered 410 Gone',
    ],
    [
      'webhooks show billing backend',
      'GET /applications/billing/webhooks/backend',
      {},
      failed,
      'last error     status 410',
    ],
    [
      `webhooks update billing backend --pause --target ${url}`,
      'PATCH /applications/billing/webhooks/backend',
      { body: { url, enabled: false } },
      { ...exampleWebhook, changed: true },
      'Updated the webhook backend of billing.',
    ],
    [
      'webhooks update billing backend --resume --all-events',
      'PATCH /applications/billing/webhooks/backend',
      { body: { enabled: true, events: null } },
      { ...exampleWebhook, changed: false },
      'No change.',
    ],
    [
      'webhooks delete billing backend --yes',
      'DELETE /applications/billing/webhooks/backend',
      {},
      { changed: true, complete: true },
      'Deleted the webhook backend of billing.',
    ],
    [
      'webhooks rotate billing backend --overlap 2d',
      'POST /applications/billing/webhooks/backend/rotate',
      { body: { overlap: 'PT172800S' } },
      webhook,
      'secret         whsec_test',
    ],
    [
      'webhooks attempts billing backend --limit 10',
      'GET /applications/billing/webhooks/backend/attempts',
      { query: 'limit=10' },
      page(exampleWebhookAttempt),
      'access.changed  delivered  204     84  -',
    ],
    [
      `webhooks resend billing backend --change ${changeId}`,
      'POST /applications/billing/webhooks/backend/resend',
      { body: { changeId } },
      { queued: true },
      'Sent within seconds.',
    ],
    [
      'webhooks resend billing backend --since 2026-11-20T19:00:00Z',
      'POST /applications/billing/webhooks/backend/resend',
      { body: { since: '2026-11-20T19:00:00.000Z' } },
      { queued: true },
      'Sent within seconds.',
    ],
    [
      'webhooks test billing backend',
      'POST /applications/billing/webhooks/backend/test',
      {},
      { queued: false },
      'Not sent: the deployment does not deliver in the format of this webhook.',
    ],
  ]);
});

describe('a command for webhooks', () => {
  const { stub, place } = describeStub();

  test('says where the result of a test event is', async () => {
    stub.on('POST /applications/billing/webhooks/backend/test', { body: { queued: true } });
    const { code, stderr } = await runHere('webhooks test billing backend'.split(' '), { cwd: place.folder });
    expect([code, stub.requests.length]).toEqual([0, 1]);
    expect(stderr).toContain('See the result: auth-service webhooks attempts billing backend\n');
  });

  test.each([
    ['webhooks create billing backend', "missing required argument 'url'"],
    [`webhooks create billing backend ftp://billing.example.com`, 'It must be an https URL'],
    [`webhooks create billing backend ${url} --event user.updated`, 'Allowed values: user.created, '],
    ['webhooks resend billing backend', 'Either --change or --since is required.'],
    [`webhooks resend billing backend --since 1h --change ${changeId}`, 'Either --change or --since is required.'],
    ['webhooks update billing backend --pause --resume', "'--resume' cannot be used with option '--pause'"],
  ])('is refused before it is sent: %s', async (line, words) => {
    const { code, stderr } = await runHere(line.split(' '), { cwd: place.folder });
    expect([code, stub.requests.length]).toEqual([2, 0]);
    expect(stderr).toContain(words);
  });
});
