import { expect, test } from '@jest/globals';
import type { AppId, ConnectionId, KeyId, UserId } from '#shared/contract/fields.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { operatorContext, storedKey } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem } from '#test/support/table-items.ts';
import { evaluateAccess } from '../../server/answer-questions.ts';
import { authorizeConnection } from '../../server/authorize-connection.ts';
import { issueConnectionKey } from '../../server/connection-keys.ts';
import { createConnection } from '../../server/connections.ts';
import type { Connection } from '../../table/connection-item.ts';
import { GuardedRead } from '../../table/connection-read.ts';

const memory = tableForEachTest(Date.parse('2026-11-20T19:00:00.000Z'));
const at = new Date('2026-11-20T19:00:00.000Z');
const caller = { kind: 'connection', connectionId: 'gateway' as ConnectionId, keyId: 'svc_1' as KeyId } as const;
const required = { kind: 'evaluate', scope: 'access:read' } as const;

function guarded(key: object | undefined, given: Partial<Connection> = {}): GuardedRead {
  const state = { ...storedKey(), scopes: ['access:read'], ...key };
  const keys = key === undefined ? {} : { [caller.keyId]: state };
  const connection = {
    connectionId: 'gateway',
    kind: 'evaluate',
    applications: [],
    keys,
    ...given,
  } as unknown as Connection;
  return new GuardedRead({ connection, applications: new Map(), accesses: new Map() });
}

const refusal = (read: GuardedRead, asked = required) =>
  authorizeConnection(caller, read, asked, at).then(
    () => undefined,
    ({ code, options }) => [code, options.detail],
  );

test('a valid key of the right kind with the scope is authorized', async () => {
  expect(await refusal(guarded({}))).toBeUndefined();
});

test.each([
  ['without its connection', new GuardedRead({ connection: undefined, applications: new Map(), accesses: new Map() })],
  ['that its connection no longer has', guarded(undefined)],
  ['that was revoked', guarded({ revokedAt: '2026-11-20T18:00:00.000Z' })],
])('a key %s is refused as revoked', async (_, read) => {
  expect(await refusal(read)).toEqual(['key_revoked', 'This token was revoked. Use another one.']);
});

test('an expired key is refused, and so is one of another kind or without the scope', async () => {
  const expiresAt = '2026-11-20T19:00:00.000Z';
  expect(await refusal(guarded({ expiresAt }))).toEqual([
    'key_expired',
    `This token expired at ${expiresAt}. Use another one.`,
  ]);
  expect(await refusal(guarded({}, { kind: 'other' as ConnectionKind }))).toEqual([
    'scope_missing',
    'A connection of the kind other cannot do this.',
  ]);
  expect(await refusal(guarded({ scopes: ['roles:read', 'other'] }))).toEqual([
    'scope_missing',
    'Requires the scope access:read; the key has roles:read, other.',
  ]);
  expect((await refusal(guarded({ scopes: [] })))?.[1]).toBe('Requires the scope access:read; the key has none.');
});

test('one question about a role among others needs the scope for roles', async () => {
  const appId = 'billing' as AppId;
  memory.put(applicationItem({ appId }));
  await createUser({ userId: 'ada' as UserId, displayName: null, email: null }, operatorContext);
  const { connectionId } = caller;
  await createConnection({ connectionId, kind: 'evaluate', name: 'G', applications: [appId] }, operatorContext);
  const key = { connectionId, scopes: ['access:read'], expiresAt: null, label: null } as const;
  const { keyId } = await issueConnectionKey(key, operatorContext);
  const ask = (...actions: string[]) =>
    evaluateAccess(
      actions.map((action) => ({ userId: 'ada', appId, action })),
      { ...caller, keyId: keyId as KeyId },
    );
  expect((await ask('enter', 'enter')).answers.map(({ decision }) => decision)).toEqual([true, true]);
  await expect(ask('enter', 'editor')).rejects.toMatchObject({ code: 'scope_missing' });
});
