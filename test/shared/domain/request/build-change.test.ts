import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { BulkId } from '#shared/contract/fields.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { alreadyExists, buildChange } from '#shared/domain/request/build-change.ts';

const context = {
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' },
  requestId: 'r',
  sourceIp: '192.0.2.7',
} as const;
const content = {
  action: 'user.created',
  at: '2026-11-20T19:00:00.000Z',
  before: null,
  after: null,
  previous: null,
} as const;
const key = { root: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) };
/** The number of characters of a ULID's time. */
const timeLength = 10;
const subjects = {
  appId: 'billing',
  userId: 'ada',
  role: 'editor',
  keyId: 'svk_k1_a',
  undoOf: lowestUlid(new Date(0)),
};
const bulkId = lowestUlid(new Date(1)) as BulkId;

test('a change names only what it concerns', () => {
  const named = (of: object) => Object.keys(of).filter((name) => name in subjects);
  expect(named(buildChange(context, key, content))).toEqual([]);
  for (const [name, id] of Object.entries(subjects)) {
    const change = buildChange(context, key, { ...content, [name]: id });
    expect([named(change), change[name as keyof typeof subjects]]).toEqual([[name], id]);
  }
});

test('a change names the bulk that it is part of, if any', () => {
  expect(buildChange({ ...context, bulkId }, key, content).bulkId).toBe(bulkId);
  expect(buildChange(context, key, content)).not.toHaveProperty('bulkId');
});

test('a change says why as its request does, or for itself where that is stored too; without a ticket it names none', () => {
  const asked = { ...context, reason: 'left', ticket: 'INC-1' };
  expect(buildChange(asked, key, content)).toMatchObject({ reason: 'left', ticket: 'INC-1' });
  expect(buildChange(asked, key, { ...content, reason: 'audit' })).toMatchObject({ reason: 'audit', ticket: 'INC-1' });
  const without = buildChange(context, key, content);
  expect([without.reason, 'ticket' in without]).toEqual([null, false]);
});

test('a change contains its caller, request and time', () => {
  const change = buildChange(context, key, content);
  expect(change).toMatchObject({ ...context, at: content.at, action: 'user.created' });
  expect(change.id.slice(0, timeLength)).toBe(lowestUlid(new Date(content.at)).slice(0, timeLength));
});

test('an existing id is refused with the advice to choose another one', () => {
  const { code, options } = alreadyExists();
  expect([code, options.detail]).toEqual(['already_exists', 'This id is taken. Choose another id.']);
});
