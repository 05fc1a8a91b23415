import { expect, test } from '@jest/globals';
import { applicationOf } from '#shared/table/items/application-item.ts';
import { applicationItem } from '#test/support/table-items.ts';
import { stoppedMember } from '../../contract/stopped-webhooks.ts';
import { stoppedWebhooks } from '../../server/find-stopped.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const time = at.toISOString();
const webhook = (offReason: string | null) => ({
  url: 'https://hooks.example.com/access',
  format: 'standard',
  enabled: offReason === null,
  events: null,
  offReason,
  secretId: 'k1_01JCZ5T0000000000000000010',
  previousSecretId: null,
  previousSecretUntil: null,
  version: 1,
  createdAt: time,
  updatedAt: time,
});

function count(given: Readonly<Record<string, readonly (string | null)[]>>) {
  const applications = Object.entries(given).map(([appId, reasons]) => {
    const webhooks = Object.fromEntries(reasons.map((reason, n) => [`hook-${n}`, webhook(reason)]));
    return applicationOf(applicationItem({ appId, name: appId.toUpperCase(), webhooks }));
  });
  const shown = applications.filter((application) => application !== undefined);
  return stoppedWebhooks.count({ at, isLimited: false, applications: Promise.resolve(shown) });
}

test('the webhooks that turned themselves off are named with their application, at most ten', async () => {
  expect(await count({ billing: [null, 'gone'], crm: [], wiki: ['failing'] })).toEqual([
    { appId: 'billing', name: 'BILLING', webhookId: 'hook-1' },
    { appId: 'wiki', name: 'WIKI', webhookId: 'hook-0' },
  ]);
  const gone = Array.from({ length: 4 }, () => 'gone');
  expect(await count({ billing: gone, crm: gone, wiki: gone })).toHaveLength(10);
});

test('the command line names each webhook that has stopped', () => {
  expect(stoppedMember.lines([{ appId: 'billing', name: 'Billing', webhookId: 'backend' }])).toEqual([
    ['webhook that has stopped', 'backend of billing'],
  ]);
});
