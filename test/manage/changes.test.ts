import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import type { Ask } from '../support/each-entry-point.ts';
import { manageClient, operatorAt } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import type { Answer } from '../support/send-request.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { anIntegrity, aTimestamp } from '../support/view-shapes.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

let service: TestService;
let sdk: WatchedSdk;
const manage = manageClient(() => service);
const ask: Ask = (method, path, body) => manage('iam', method, path, { body });
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
});
afterAll(() => service.stop());

type Item = Record<string, unknown>;

/**
 * Returns the changes that an action wrote to the table, including those deleted since: the stream has published them.
 */
async function recordedBy(action: () => Promise<Answer>): Promise<{ answer: Answer; changes: Item[] }> {
  sdk.requests.length = 0;
  const answer = await action();
  const entries = sdk.requests.flatMap(({ input }) => input.TransactItems ?? []);
  const puts: Item[] = entries.flatMap(({ Put }) => (Put === undefined ? [] : [unmarshall(Put.Item)]));
  return { answer, changes: puts.filter(({ sk }) => String(sk).startsWith('CHANGE#')) };
}

/** A writing operation on prepared data, and the one change that it records. */
interface Row {
  readonly route: ManageOperationName;
  readonly does: string;
  readonly write: () => Promise<readonly [path: string, body?: object]>;
  /** Receives the response, for values that the service generates. */
  readonly change: (answer: Item) => Item;
  /** The response to repeating the request; undefined if it is not repeated. */
  readonly again: 'unchanged' | 409 | undefined;
}

const application = async () => `/applications/${await newApplication(['editor', 'viewer'])}`;
const key = async () => {
  const path = await application();
  const { keyId } = (await ask('POST', `${path}/keys`, { scopes: ['access:read'] })).body;
  return `${path}/keys/${keyId}`;
};
const idIn = (path: string) => /svk_[^/]+/.exec(path)?.[0];
const user = async () => `/users/${await newUser()}`;
const access = async () => {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  return { appId, userId };
};
const untouched = { status: 'enabled', explicit: false, until: null, reason: null };
const notGranted = { granted: false, expiresAt: null };
let keyPath = '';

const rows: Row[] = [
  {
    route: 'create-application',
    does: 'creates',
    write: async () => ['/applications', { appId: 'created', name: 'Created' }],
    change: () => ({
      action: 'application.created',
      appId: 'created',
      before: null,
      after: { name: 'Created', rolloutPercent: 100, version: 1 },
    }),
    again: 409,
  },
  {
    route: 'update-application',
    does: 'renames',
    write: async () => [await application(), { name: 'Renamed' }],
    change: ({ appId }) => ({
      action: 'application.updated',
      appId,
      before: { name: `Application ${appId}`, rolloutPercent: 100, version: 1 },
      after: { name: 'Renamed', rolloutPercent: 100, version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'update-application',
    does: 'limits the requests',
    write: async () => [await application(), { requestsPerSecond: 200 }],
    change: ({ appId }) => ({
      action: 'application.updated',
      appId,
      before: { name: `Application ${appId}`, rolloutPercent: 100, requestsPerSecond: null, version: 1 },
      after: { name: `Application ${appId}`, rolloutPercent: 100, requestsPerSecond: 200, version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'update-application',
    does: 'opens to a part of the users',
    write: async () => [await application(), { rolloutPercent: 2.5 }],
    change: ({ appId }) => ({
      action: 'application.updated',
      appId,
      before: { name: `Application ${appId}`, rolloutPercent: 100, version: 1 },
      after: { name: `Application ${appId}`, rolloutPercent: 2.5, version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'delete-application',
    does: 'deletes',
    write: async () => [`/applications/${await newApplication(['editor'], 'soon-gone')}`],
    change: () => ({
      action: 'application.deleted',
      appId: 'soon-gone',
      before: { name: 'Application soon-gone', rolloutPercent: 100, version: 1 },
      after: null,
    }),
    // See applications.test.ts; it takes a second.
    again: undefined,
  },
  {
    route: 'issue-key',
    does: 'issues',
    write: async () => [`${await application()}/keys`, { scopes: ['roles:write', 'access:read'] }],
    change: ({ keyId }) => ({
      action: 'key.issued',
      appId: expect.any(String),
      keyId,
      before: { version: 1 },
      after: { scopes: 'access:read roles:write', expiresAt: null, label: null, version: 2 },
    }),
    again: undefined,
  },
  {
    route: 'update-key',
    does: 'labels',
    write: async () => [await key(), { label: 'Backend' }],
    change: ({ keyId }) => ({
      action: 'key.updated',
      appId: expect.any(String),
      keyId,
      before: { label: null, version: 2 },
      after: { label: 'Backend', version: 3 },
    }),
    again: 'unchanged',
  },
  {
    route: 'rotate-key',
    does: 'rotates',
    write: async () => {
      keyPath = await key();
      return [`${keyPath}/rotate`, { overlap: 'PT1H' }];
    },
    change: ({ keyId }) => ({
      action: 'key.rotated',
      appId: expect.any(String),
      keyId,
      before: { keyId: idIn(keyPath), expiresAt: null, version: 2 },
      after: { keyId: idIn(keyPath), expiresAt: aTimestamp, version: 3 },
    }),
    again: undefined,
  },
  {
    route: 'revoke-key',
    does: 'revokes',
    write: async () => [await key()],
    change: ({ keyId, revokedAt }) => ({
      action: 'key.revoked',
      appId: expect.any(String),
      keyId,
      before: { revokedAt: null, version: 2 },
      after: { revokedAt, version: 3 },
    }),
    again: 'unchanged',
  },
  {
    route: 'define-role',
    does: 'defines',
    write: async () => [`${await application()}/roles/new`, { description: 'A new one' }],
    change: ({ appId }) => ({
      action: 'role.defined',
      appId,
      role: 'new',
      before: null,
      after: { description: 'A new one', version: 1 },
    }),
    again: 'unchanged',
  },
  {
    route: 'define-role',
    does: 'replaces the description',
    write: async () => [`${await application()}/roles/editor`, { description: 'Edits' }],
    change: ({ appId }) => ({
      action: 'role.defined',
      appId,
      role: 'editor',
      before: { description: null, version: 1 },
      after: { description: 'Edits', version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'delete-role',
    does: 'deletes',
    write: async () => [`${await application()}/roles/editor`],
    change: () => ({
      action: 'role.deleted',
      appId: expect.any(String),
      role: 'editor',
      before: { description: null, version: 1 },
      after: null,
    }),
    again: 'unchanged',
  },
  {
    route: 'set-access-in-bulk',
    does: 'sets for one',
    write: async () => {
      const { appId, userId } = await access();
      return [`/applications/${appId}/access`, { userIds: [userId], status: 'disabled', reason: 'unpaid' }];
    },
    change: ({ items }) => ({
      action: 'access.changed',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      before: { ...untouched, version: 0 },
      after: { status: 'disabled', explicit: true, until: null, reason: 'unpaid', version: 1 },
      reason: 'unpaid',
    }),
    again: 'unchanged',
  },
  {
    route: 'assign-role-in-bulk',
    does: 'assigns to one',
    write: async () => {
      const { appId, userId } = await access();
      return [`/applications/${appId}/roles/editor/users`, { userIds: [userId] }];
    },
    change: ({ items }) => ({
      action: 'role.assigned',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      role: 'editor',
      before: { ...notGranted, version: 0 },
      after: { granted: true, expiresAt: null, version: 1 },
    }),
    again: 'unchanged',
  },
  {
    route: 'revoke-role-in-bulk',
    does: 'revokes from one',
    write: async () => {
      const { appId, userId } = await access();
      await grantRole(userId, appId, 'editor');
      return [`/applications/${appId}/roles/editor/users/remove`, { userIds: [userId] }];
    },
    change: ({ items }) => ({
      action: 'role.revoked',
      appId: expect.any(String),
      userId: (items as [Item])[0].userId,
      role: 'editor',
      before: { granted: true, expiresAt: null, version: 1 },
      after: { ...notGranted, version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'set-user-status-in-bulk',
    does: 'deactivates one',
    write: async () => ['/user-status', { userIds: [await newUser()], status: 'inactive', reason: 'left' }],
    change: ({ items }) => ({
      action: 'user.status.changed',
      userId: (items as [Item])[0].userId,
      before: { status: 'active', version: 1 },
      after: { status: 'inactive', version: 2 },
      reason: 'left',
    }),
    again: 'unchanged',
  },
  {
    route: 'create-user',
    does: 'creates',
    write: async () => ['/users/created', { displayName: 'Ada', email: 'ada@example.com' }],
    change: () => ({
      action: 'user.created',
      userId: 'created',
      before: null,
      after: { status: 'active', displayName: 'Ada', email: 'ada@example.com', version: 1 },
    }),
    again: 409,
  },
  {
    route: 'update-user',
    does: 'changes',
    write: async () => [await user(), { email: 'ada@example.com' }],
    change: ({ userId }) => ({
      action: 'user.updated',
      userId,
      before: { displayName: null, email: null, version: 1 },
      after: { displayName: null, email: 'ada@example.com', version: 2 },
    }),
    again: 'unchanged',
  },
  {
    route: 'delete-user',
    does: 'erases',
    write: async () => [`/users/${await newUser('soon-gone')}`],
    change: () => ({
      action: 'user.deleted',
      userId: 'soon-gone',
      before: { status: 'active', version: 1 },
      after: null,
    }),
    again: 'unchanged',
  },
  {
    route: 'set-user-status',
    does: 'sets',
    write: async () => [`${await user()}/status`, { status: 'inactive', reason: 'left' }],
    change: ({ userId }) => ({
      action: 'user.status.changed',
      userId,
      before: { status: 'active', version: 1 },
      after: { status: 'inactive', version: 2 },
      reason: 'left',
    }),
    again: 'unchanged',
  },
  {
    route: 'set-user-access',
    does: 'sets',
    write: async () => {
      const { appId, userId } = await access();
      return [`/users/${userId}/access/${appId}`, { status: 'enabled' }];
    },
    change: ({ appId, userId }) => ({
      action: 'access.changed',
      appId,
      userId,
      before: { ...untouched, version: 0 },
      after: { ...untouched, explicit: true, version: 1 },
    }),
    again: 'unchanged',
  },
  {
    route: 'assign-user-role',
    does: 'assigns',
    write: async () => {
      const { appId, userId } = await access();
      return [`/users/${userId}/roles/${appId}/editor`];
    },
    change: ({ appId, userId }) => ({
      action: 'role.assigned',
      appId,
      userId,
      role: 'editor',
      before: { ...notGranted, version: 0 },
      after: { granted: true, expiresAt: null, version: 1 },
    }),
    again: 'unchanged',
  },
  {
    route: 'revoke-user-role',
    does: 'revokes',
    write: async () => {
      const { appId, userId } = await access();
      await grantRole(userId, appId, 'editor');
      return [`/users/${userId}/roles/${appId}/editor`];
    },
    change: ({ appId, userId }) => ({
      action: 'role.revoked',
      appId,
      userId,
      role: 'editor',
      before: { granted: true, expiresAt: null, version: 1 },
      after: { ...notGranted, version: 2 },
    }),
    again: 'unchanged',
  },
];

test('every operation that writes has a row in this test', () => {
  // Indexing, finding and verifying users and changes modifies nothing; undoing has its own tests.
  const others: readonly string[] = [
    ...['reindex-users', 'reindex-changes', 'resolve-users', 'verify-changes'],
    ...['undo-change', 'undo-bulk', 'undo-status-bulk'],
  ];
  const writing = Object.values(manageOperations).filter(
    ({ name, method }) => method !== 'GET' && !others.includes(name),
  );
  expect([...new Set(rows.map(({ route }) => route))].sort()).toEqual(writing.map(({ name }) => name).sort());
});

describe('an accepted change has one record, with the state before and after, and its repetition has none:', () => {
  test.each(rows)(
    'an accepted change has one record, and its repetition none: $route $does',
    async ({ route, write, change, again }) => {
      const { method } = manageOperations[route];
      const [path, body] = await write();
      const { answer, changes } = await recordedBy(() => ask(method, path, body));
      expect(answer.status).toBeLessThan(300);
      const id = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      const record = {
        id,
        at: aTimestamp,
        caller: operatorAt.iam,
        requestId: answer.headers['x-amzn-requestid'],
        sourceIp: '127.0.0.1',
        reason: null,
        integrity: expect.objectContaining({ root: 'k1', mac: anIntegrity.mac }),
        ...change(answer.body),
      };
      const ofTheTable = { pk: expect.any(String), sk: expect.stringMatching(/^CHANGE#/), ttl: expect.any(Number) };
      const isListed = 'appId' in record || /^user\.(deleted|status)/.test(String(Reflect.get(record, 'action')));
      const ofTheIndex = isListed ? { gsi1pk: expect.stringMatching(/#CHANGES$/), gsi1sk: id } : {};
      expect(changes).toEqual([{ ...record, ...ofTheTable, ...ofTheIndex }]);
      if (again === undefined) return;
      const repeated = await recordedBy(() => ask(method, path, body));
      expect([outcomeOf(repeated.answer), repeated.changes.filter(() => again === 'unchanged')]).toEqual([again, []]);
    },
  );

  test('a bulk request writes one record for each changed user, and none for the others', async () => {
    const { appId, userId } = await access();
    const [other, same] = [await newUser(), await newUser()];
    await ask('PUT', `/users/${same}/access/${appId}`, { status: 'disabled' });
    const body = { userIds: [userId, 'nobody', same, other], status: 'disabled' };
    const { changes } = await recordedBy(() => ask('POST', `/applications/${appId}/access`, body));
    expect(changes.map((change) => change.userId).sort()).toEqual([userId, other].sort());
  });
});

function outcomeOf({ status, body }: Answer): unknown {
  if (status === 409) return 409;
  return body.changed === false || body.items?.[0]?.outcome === 'unchanged' ? 'unchanged' : body;
}
