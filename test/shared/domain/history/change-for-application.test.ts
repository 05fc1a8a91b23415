import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Change } from '#shared/contract/change.ts';
import { applicationChangeSchema } from '#shared/contract/change-schemas.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { changeForApplication } from '#shared/domain/history/change-for-application.ts';
import { storedChange } from '../../../support/stored-items.ts';

const appId = 'billing' as AppId;
const reader = { appId, readsWebhookUrls: false };
const chained = storedChange({
  id: '01KAH4N7Z3QF4V6E5T8S9R2W1X',
  at: '2026-11-20T19:14:11.123Z',
  action: 'access.changed',
  appId,
  userId: 'ada',
  caller: { kind: 'api-key', appId, keyId: 'svk_k1_billing_01JD0000000000000000000000' },
  requestId: 'r',
  sourceIp: '192.0.2.7',
  before: { status: 'enabled', reason: null, version: 3 },
  after: { status: 'disabled', reason: 'left', version: 4 },
  reason: 'left',
});
const { integrity: _, ...change } = chained;
const operators = [
  { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' },
  { kind: 'operator', via: 'iam', role: 'support', id: 'arn:aws:iam::111122223333:user/ada' },
  {
    kind: 'operator',
    via: 'token',
    role: 'viewer',
    issuer: 'https://login.example.com',
    id: 'sub-1',
    email: 'ada@example.com',
  },
] as const;

test('an application reads changes by its own keys as in the history', () => {
  const read = changeForApplication(chained, reader);
  expect(read).toEqual(change);
  expect(Object.keys(read)).toEqual(Object.keys(change));
  expect(v.is(applicationChangeSchema, read)).toBe(true);
});

test.each(operators)('an application reads only that a change was made by an operator: %j', (caller) => {
  const { sourceIp: _, ...others } = change;
  const read = changeForApplication({ ...chained, caller }, reader);
  expect(read).toEqual({ ...others, caller: { kind: 'operator' } });
  expect(v.is(applicationChangeSchema, read)).toBe(true);
});

test.each([
  ['of another application', { appId: 'wiki' }],
  ['of no application', {}],
])('an application does not read the reason and the ticket of a change %s', (_, where) => {
  const { appId: __, sourceIp: ___, ...others } = chained;
  const read = changeForApplication(
    { ...others, ...where, ticket: 'INC-1', sourceIp: '192.0.2.7', caller: operators[2] },
    reader,
  );
  expect(JSON.stringify(read)).not.toMatch(/left|INC-1|ada@example|sub-1|192\.0\.2/);
  expect(read).toMatchObject({ ...where, userId: 'ada', after: { status: 'disabled', version: 4 }, reason: null });
  expect(read.after).not.toHaveProperty('reason');
});

test('an application reads its own rollout before and after', () => {
  const [before, after] = [
    { name: 'Billing', rolloutPercent: 25, version: 3 },
    { name: 'Billing', rolloutPercent: 50, version: 4 },
  ];
  const { userId: _, ...others } = chained;
  const updated: Change = {
    ...others,
    action: 'application.updated',
    caller: operators[0],
    before,
    after,
    reason: null,
  };
  expect(changeForApplication(updated, reader)).toMatchObject({ before, after });
});

test('an application reads a change without states', () => {
  const { appId: _, ...others } = chained;
  expect(changeForApplication({ ...others, before: null, after: null }, reader)).toMatchObject({
    before: null,
    after: null,
  });
});
