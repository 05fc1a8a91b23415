import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import { applicationChangeSchema } from '#shared/contract/change-schemas.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { changeForApplication } from '#shared/domain/history/change-for-application.ts';
import { followLinks } from '#shared/integrity/chain-breaks.ts';
import { exportOf } from '#test/shared/integrity/exported-changes.ts';
import { storedChange } from '#test/support/stored-items.ts';

const appId = 'billing' as AppId;

test('only a reader of the URLs of webhooks reads where they post', () => {
  const [before, after] = [
    { url: 'https://one.example.com/?token=1', enabled: true, version: 3 },
    { url: 'https://two.example.com/?token=2', version: 4 },
  ];
  const updated = storedChange({
    id: '01KAH4N7Z3QF4V6E5T8S9R2W1X',
    at: '2026-11-20T19:14:11.123Z',
    action: 'webhook.updated',
    appId,
    webhookId: 'backend',
    caller: { kind: 'api-key', appId, keyId: 'svk_k1_billing_01JD0000000000000000000000' },
    requestId: 'r',
    sourceIp: '192.0.2.7',
    before,
    after,
    reason: null,
  }) as Change;
  expect(changeForApplication(updated, { appId, readsWebhookUrls: true })).toMatchObject({ before, after });
  const read = changeForApplication(updated, { appId, readsWebhookUrls: false });
  expect([read.before, read.after]).toEqual([{ enabled: true, version: 3 }, { version: 4 }]);
  expect(v.is(applicationChangeSchema, read)).toBe(true);
});

test('the deletion of a webhook does not end the chain of its application', () => {
  const changes = exportOf([
    { action: 'webhook.deleted', appId, webhookId: 'backend' },
    { action: 'application.created', appId, version: null, begins: true },
  ]);
  expect(followLinks(changes).broken.map(({ kind }) => kind)).toEqual(['begins-again']);
});
