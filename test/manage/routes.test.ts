import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultScopes } from '#shared/contract/operation.ts';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { requestIdOf } from '../support/expect-problem.ts';
import { type EntryPoint, entryPoints, manageClient, operatorAt } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newConnection } from '../support/new-connection.ts';
import { newUser } from '../support/new-user.ts';
import { newWebhook } from '../support/new-webhook.ts';
import { changesOf } from '../support/read-changes.ts';
import type { Answer } from '../support/send-request.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import {
  aConnection,
  aConnectionKey,
  aKey,
  anAccess,
  anApplication,
  aRole,
  aSecret,
  aSecretId,
  aTimestamp,
  aToken,
  aUser,
  aWebhook,
  aWebhookSecret,
  recorded,
} from '../support/view-shapes.ts';

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startBundles();
  untouched = await given();
  const [one, other] = [await given(), await given()];
  deletions = { iam: perform('iam', 'delete-application', one), jwt: perform('jwt', 'delete-application', other) };
});
afterAll(() => service.stop());

/** The state before each request: a user with one of two roles of an application with one key. */
interface Given {
  readonly appId: string;
  readonly userId: string;
  readonly role: string;
  readonly keyId: string;
  /** A connection to the application, with a key. */
  readonly connectionId: string;
  readonly webhookId: string;
  readonly connectionKeyId: string;
  /** The id of a change that does not exist. */
  readonly bulkId: string;
  /** The change that assigned the role. */
  readonly changeId: string;
}

/** A request and its expected answer. */
interface Row {
  /** Path values that replace the given ones. */
  readonly at?: (given: Given) => Partial<Given>;
  readonly query?: string;
  readonly body?: (given: Given) => object;
  /** Default: 200. */
  readonly status?: 201;
  readonly answer: (given: Given) => unknown;
  /** Members of its Change other than caller, request and time; undefined for an operation that records none. */
  readonly change?: (given: Given) => object;
}

interface Performed {
  readonly values: Given;
  readonly answer: Answer;
}

/** For operations that only read. */
let untouched: Given;
/** Each takes a second, so all start before the tests, and their own tests wait for them. */
let deletions: Record<EntryPoint, Promise<Performed>>;
let fresh = 0;
const pageWith = (...items: unknown[]) => ({ items: expect.arrayContaining(items), cursor: null });
const pageOf = (...items: unknown[]) => ({ items, cursor: null });
const spare = () => ({ role: 'spare' });
const keyOfConnection = ({ connectionKeyId }: Given) => ({ keyId: connectionKeyId });
const connectionIn = ({ appId, connectionId, connectionKeyId }: Given) =>
  aConnection({
    connectionId,
    applications: [appId],
    keys: [aConnectionKey({ keyId: connectionKeyId })],
    version: 2,
  });
const held = { name: 'member', expiresAt: null };
const nameless = { displayName: null, email: null, statusSetBy: null, userStatusSetBy: null };
const granted = { roles: [held], version: 1, updatedAt: aTimestamp };
const aChange = (members: object) => ({
  id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  at: aTimestamp,
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'test' },
  requestId: 'test',
  sourceIp: '127.0.0.1',
  reason: null,
  integrity: expect.objectContaining({ root: 'k1' }),
  ...members,
});
const grantChange = ({ appId, userId }: Given) =>
  aChange({
    action: 'role.assigned',
    appId,
    userId,
    role: 'member',
    undo: 'possible',
    before: { granted: false, expiresAt: null, version: 0 },
    after: { granted: true, expiresAt: null, version: 1 },
  });

const off = { enabled: false, state: 'off' };

const rows: Record<ManageOperationName, Row> = {
  'get-operator': { answer: () => expect.objectContaining({ roles: [{ role: 'admin', appId: null }] }) },
  'get-overview': { answer: () => expect.objectContaining({ blocksEndingThisWeek: { count: 0, more: false } }) },
  'list-block-ends': { query: '?limit=100', answer: () => ({ items: expect.any(Array), cursor: null }) },
  'create-application': {
    body: ({ appId }) => ({ appId: `${appId}-more`, name: 'Billing' }),
    status: 201,
    answer: ({ appId }) => anApplication({ appId: `${appId}-more`, name: 'Billing' }),
    change: ({ appId }) => ({ action: 'application.created', appId: `${appId}-more` }),
  },
  'list-applications': {
    query: '?limit=100',
    answer: ({ appId }) => pageWith(anApplication({ appId, version: 3 })),
  },
  'get-application': { answer: ({ appId }) => anApplication({ appId, version: 3 }) },
  'update-application': {
    body: () => ({ name: 'Renamed' }),
    answer: ({ appId }) => ({ ...anApplication({ appId, name: 'Renamed', version: 4 }), changed: true }),
    change: ({ appId }) => ({ action: 'application.updated', appId }),
  },
  'review-application': {
    body: () => ({ asOf: new Date().toISOString() }),
    answer: ({ appId }) => ({ ...anApplication({ appId, version: 4, reviewedAt: aTimestamp }), laterChanges: 0 }),
    change: ({ appId }) => ({ action: 'application.reviewed', appId }),
  },
  'delete-application': {
    query: '?force=true',
    answer: () => ({ changed: true, complete: true }),
    change: ({ appId }) => ({ action: 'application.deleted', appId }),
  },
  'issue-key': {
    status: 201,
    answer: () => ({ ...aKey({}), secret: aSecret }),
    change: ({ appId }) => ({ action: 'key.issued', appId, keyId: expect.any(String) }),
  },
  'list-keys': { answer: ({ keyId }) => pageOf(aKey({ keyId })) },
  'list-all-keys': {
    query: '?limit=100',
    answer: ({ appId, keyId }) => pageWith({ ...aKey({ keyId }), appId, applicationName: expect.any(String) }),
  },
  'update-key': {
    body: () => ({ label: 'Backend' }),
    answer: ({ keyId }) => ({ ...aKey({ keyId, label: 'Backend' }), changed: true }),
    change: ({ appId, keyId }) => ({ action: 'key.updated', appId, keyId }),
  },
  'revoke-key': {
    answer: ({ keyId }) => ({ ...aKey({ keyId, revokedAt: aTimestamp }), changed: true }),
    change: ({ appId, keyId }) => ({ action: 'key.revoked', appId, keyId }),
  },
  'rotate-key': {
    body: () => ({ overlap: 'PT24H' }),
    status: 201,
    answer: ({ keyId }) => ({ ...aKey({ replaces: keyId }), secret: aSecret }),
    change: ({ appId }) => ({ action: 'key.rotated', appId, keyId: expect.any(String) }),
  },
  'create-webhook': {
    body: () => ({ webhookId: 'more', url: 'https://hooks.example.com/access' }),
    status: 201,
    answer: () => ({ ...aWebhook({ webhookId: 'more' }), secret: aWebhookSecret }),
    change: ({ appId }) => ({ action: 'webhook.created', appId, webhookId: 'more' }),
  },
  'list-webhooks': { answer: ({ webhookId }) => pageOf(aWebhook({ webhookId, ...off })) },
  'get-webhook': { answer: ({ webhookId }) => aWebhook({ webhookId, ...off }) },
  'update-webhook': {
    body: () => ({ events: ['access.changed'] }),
    answer: ({ webhookId }) => {
      const set = { ...off, events: ['access.changed'], version: 2 };
      return { ...aWebhook({ webhookId, ...set }), changed: true };
    },
    change: ({ appId, webhookId }) => ({ action: 'webhook.updated', appId, webhookId }),
  },
  'delete-webhook': {
    answer: () => ({ changed: true, complete: true }),
    change: ({ appId, webhookId }) => ({ action: 'webhook.deleted', appId, webhookId }),
  },
  'rotate-webhook-secret': {
    body: () => ({ overlap: 'PT1H' }),
    status: 201,
    answer: ({ webhookId }) => {
      const both = [null, aTimestamp].map((expiresAt) => ({ secretId: aSecretId, expiresAt }));
      return { ...aWebhook({ webhookId, ...off, secrets: both, version: 2 }), secret: aWebhookSecret };
    },
    change: ({ appId, webhookId }) => ({ action: 'webhook.rotated', appId, webhookId }),
  },
  'list-webhook-attempts': { answer: () => pageOf() },
  'resend-webhook': {
    body: () => ({ since: '2026-01-01T00:00:00Z' }),
    answer: () => ({ queued: true }),
  },
  'test-webhook': { answer: () => ({ queued: true }) },
  'create-connection': {
    body: ({ appId }) => ({ connectionId: `${appId}-more`, kind: 'evaluate', name: 'Gateway', applications: [appId] }),
    status: 201,
    answer: ({ appId }) => aConnection({ connectionId: `${appId}-more`, applications: [appId] }),
    change: ({ appId }) => ({ action: 'connection.created', connectionId: `${appId}-more` }),
  },
  'list-connections': {
    query: '?limit=100',
    answer: (given) => pageWith(connectionIn(given)),
  },
  'get-connection': { answer: (given) => connectionIn(given) },
  'get-connection-activity': { answer: () => ({ lastRequestAt: null, requests: 0, refused: 0, refusals: [] }) },
  'update-connection': {
    body: () => ({ name: 'Renamed' }),
    answer: (given) => ({ ...connectionIn(given), name: 'Renamed', version: 3, changed: true }),
    change: ({ connectionId }) => ({ action: 'connection.updated', connectionId }),
  },
  'delete-connection': {
    answer: () => ({ changed: true, complete: true }),
    change: ({ connectionId }) => ({ action: 'connection.deleted', connectionId }),
  },
  'issue-connection-key': {
    status: 201,
    answer: () => ({ ...aConnectionKey({}), token: aToken }),
    change: ({ connectionId }) => ({ action: 'key.issued', connectionId, keyId: expect.any(String) }),
  },
  'update-connection-key': {
    at: keyOfConnection,
    body: () => ({ label: 'Proxy' }),
    answer: ({ connectionKeyId }) => ({ ...aConnectionKey({ keyId: connectionKeyId, label: 'Proxy' }), changed: true }),
    change: ({ connectionId, connectionKeyId }) => ({ action: 'key.updated', connectionId, keyId: connectionKeyId }),
  },
  'rotate-connection-key': {
    at: keyOfConnection,
    body: () => ({ overlap: 'PT24H' }),
    status: 201,
    answer: ({ connectionKeyId }) => ({ ...aConnectionKey({ replaces: connectionKeyId }), token: aToken }),
    change: ({ connectionId }) => ({ action: 'key.rotated', connectionId, keyId: expect.any(String) }),
  },
  'revoke-connection-key': {
    at: keyOfConnection,
    answer: ({ connectionKeyId }) => ({
      ...aConnectionKey({ keyId: connectionKeyId, revokedAt: aTimestamp }),
      changed: true,
    }),
    change: ({ connectionId, connectionKeyId }) => ({ action: 'key.revoked', connectionId, keyId: connectionKeyId }),
  },
  'list-roles': { answer: ({ appId }) => pageOf(aRole({ appId, role: 'member' }), aRole({ appId, role: 'spare' })) },
  'define-role': {
    at: () => ({ role: 'new' }),
    body: () => ({ description: 'A new one' }),
    status: 201,
    answer: ({ appId }) => ({ ...aRole({ appId, role: 'new', description: 'A new one' }), changed: true }),
    change: ({ appId }) => ({ action: 'role.defined', appId, role: 'new' }),
  },
  'get-role': { answer: ({ appId, role }) => aRole({ appId, role }) },
  'delete-role': {
    at: spare,
    answer: () => ({ changed: true, complete: true }),
    change: ({ appId }) => ({ action: 'role.deleted', appId, role: 'spare' }),
  },
  'list-members': {
    answer: ({ userId }) => pageOf({ userId, displayName: null, email: null, expiresAt: null }),
  },
  'assign-role-in-bulk': {
    at: spare,
    body: ({ userId }) => ({ userIds: [userId] }),
    answer: ({ userId }) => ({ items: [{ userId, outcome: 'changed' }] }),
    change: ({ appId, userId }) => ({ action: 'role.assigned', appId, userId, role: 'spare' }),
  },
  'revoke-role-in-bulk': {
    body: ({ userId }) => ({ userIds: [userId] }),
    answer: ({ userId }) => ({ items: [{ userId, outcome: 'changed' }] }),
    change: ({ appId, userId }) => ({ action: 'role.revoked', appId, userId, role: 'member' }),
  },
  'list-application-users': {
    answer: ({ appId, userId }) => pageOf({ ...anAccess({ appId, userId, ...granted }), ...nameless }),
  },
  'list-access-review': {
    answer: ({ appId, userId, changeId }) => {
      const { statusSetBy, ...name } = nameless;
      const by = { caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'test' }, reason: null };
      const setBy = { ...by, changeId, at: aTimestamp, ticket: null, bulkId: null };
      const roles = [{ ...held, grantedAt: aTimestamp, grantedBy: setBy }];
      const item = { ...anAccess({ appId, userId, ...granted }), ...name, statusSetBy, roles, lastChange: setBy };
      return { ...pageOf(item), asOf: aTimestamp, lastReview: null };
    },
  },
  'set-access-in-bulk': {
    body: ({ userId }) => ({ userIds: [userId], status: 'disabled', reason: 'unpaid' }),
    answer: ({ userId }) => ({ items: [{ userId, outcome: 'changed' }] }),
    change: ({ appId, userId }) => ({ action: 'access.changed', appId, userId, reason: 'unpaid' }),
  },
  'list-application-changes': {
    query: '?limit=100',
    answer: (given) => pageWith(grantChange(given)),
  },
  'list-users': {
    query: '?limit=100',
    answer: ({ userId }) => pageWith(aUser({ userId })),
  },
  'resolve-users': {
    body: ({ userId }) => ({ names: [userId] }),
    answer: ({ userId }) => ({
      items: [{ name: userId, users: [{ userId, displayName: null, email: null, status: 'active' }] }],
    }),
  },
  repair: { query: '?limit=1', answer: () => ({ checked: 1, findings: [], cursor: expect.any(String) }) },
  'create-user': {
    at: ({ userId }) => ({ userId: `${userId}-more` }),
    body: () => ({ displayName: 'Ada Lovelace', email: 'ada@example.com' }),
    status: 201,
    answer: ({ userId }) =>
      aUser({ userId: `${userId}-more`, displayName: 'Ada Lovelace', email: 'ada@example.com', version: 1 }),
    change: ({ userId }) => ({ action: 'user.created', userId: `${userId}-more` }),
  },
  'get-user': { answer: ({ userId }) => ({ ...aUser({ userId }), statusSetBy: null, directory: null }) },
  'update-user': {
    body: () => ({ displayName: 'Ada' }),
    answer: ({ userId }) => ({ ...aUser({ userId, displayName: 'Ada', version: 2 }), ...recorded }),
    change: ({ userId }) => ({ action: 'user.updated', userId }),
  },
  // Its record is erased with the user; the stream has published it by then.
  'delete-user': {
    answer: () => ({ changed: true, complete: true }),
    change: ({ userId }) => ({ action: 'user.deleted', userId }),
  },
  'set-user-status': {
    body: () => ({ status: 'inactive', reason: 'left' }),
    answer: ({ userId }) => ({ ...aUser({ userId, status: 'inactive', version: 2 }), ...recorded }),
    change: ({ userId }) => ({ action: 'user.status.changed', userId, reason: 'left' }),
  },
  'set-user-status-in-bulk': {
    body: ({ userId }) => ({ userIds: [userId], status: 'inactive', reason: 'left' }),
    answer: ({ userId }) => ({ items: [{ userId, outcome: 'changed' }] }),
    change: ({ userId }) => ({ action: 'user.status.changed', userId, reason: 'left' }),
  },
  'import-users': {
    body: ({ userId }) => ({ users: [{ userId, status: 'inactive' }], reason: 'left' }),
    answer: ({ userId }) => ({
      items: [{ userId, outcome: 'changed', changes: [{ effect: 'deactivated' }], problems: [] }],
    }),
    change: ({ userId }) => ({ action: 'user.status.changed', userId, reason: 'left' }),
  },
  'list-user-access': {
    query: '?limit=100',
    answer: ({ appId, userId }) =>
      pageWith({
        ...anAccess({ appId, userId, ...granted }),
        appName: `Application ${appId}`,
        rolloutPercent: 100,
        requireReason: null,
        statusSetBy: null,
      }),
  },
  'set-user-access': {
    body: () => ({ status: 'disabled', reason: 'unpaid' }),
    answer: ({ appId, userId }) => ({
      ...anAccess({ appId, userId, status: 'disabled', explicit: true, reason: 'unpaid', ...granted, version: 2 }),
      effectiveStatus: 'disabled',
      decidedBy: 'explicit',
      ...recorded,
    }),
    change: ({ appId, userId }) => ({ action: 'access.changed', appId, userId, reason: 'unpaid' }),
  },
  'assign-user-role': {
    at: spare,
    answer: ({ appId, userId }) => ({
      ...anAccess({ appId, userId, ...granted, roles: [held, { name: 'spare', expiresAt: null }], version: 2 }),
      ...recorded,
    }),
    change: ({ appId, userId }) => ({ action: 'role.assigned', appId, userId, role: 'spare' }),
  },
  'revoke-user-role': {
    answer: ({ appId, userId }) => ({
      ...anAccess({ appId, userId, version: 2, updatedAt: aTimestamp }),
      ...recorded,
    }),
    change: ({ appId, userId, role }) => ({ action: 'role.revoked', appId, userId, role }),
  },
  'list-user-changes': {
    answer: (given) =>
      pageOf(
        grantChange(given),
        aChange({ ...userCreated, userId: given.userId, action: 'user.created', undo: 'not_undoable' }),
      ),
  },
  'verify-changes': {
    body: () => ({ changes: [{ id: 'older', action: 'user.created', userId: 'ada' }] }),
    answer: () => ({ items: [{ id: 'older', verdict: 'without-mac' }] }),
  },
  'list-all-changes': {
    query: '?limit=1&action=role.assigned',
    answer: () => ({ items: [expect.objectContaining({ action: 'role.assigned' })], cursor: expect.any(String) }),
  },
  'undo-bulk': { answer: () => pageOf() },
  'undo-status-bulk': { answer: () => pageOf() },
  'undo-change': {
    answer: ({ appId, userId }) => ({ appId, userId, ...recorded, version: 2 }),
    change: ({ appId, userId, role, changeId }) => ({ action: 'role.revoked', appId, userId, role, undoOf: changeId }),
  },
};

const userCreated = { before: null, after: { status: 'active', displayName: null, email: null, version: 1 } };

async function given(): Promise<Given> {
  const id = `routes-${++fresh}`;
  const appId = await newApplication(['member', 'spare'], id);
  const userId = await newUser(id);
  const { keyId } = await service.issueKey(appId, defaultScopes);
  const { changeId } = await grantRole(userId, appId, 'member');
  const { connectionId, keyId: connectionKeyId } = await newConnection([appId], id);
  // Off, so that nothing is delivered meanwhile.
  const { webhookId } = await newWebhook(appId, { enabled: false });
  return {
    appId,
    connectionId,
    webhookId,
    connectionKeyId,
    userId,
    role: 'member',
    keyId,
    bulkId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
    changeId: String(changeId),
  };
}

/** Sends the request of a row with values from the table. */
async function perform(entryPoint: EntryPoint, name: ManageOperationName, values: Given): Promise<Performed> {
  const [row, { method, path }] = [rows[name], manageOperations[name]];
  const target = fill(path, { ...values, ...row.at?.(values) }) + (row.query ?? '');
  return { values, answer: await manage(entryPoint, method, target, { body: row.body?.(values) }) };
}

function fill(template: string, values: Given): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: keyof Given) => encodeURIComponent(values[name]));
  return path.slice('/api/manage'.length);
}

test('every operation of the Management API has a row in this test', () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(manageOperations).sort());
});

describe.each(entryPoints)('through the entry point %s', (entryPoint) => {
  describe.each(Object.values(manageOperations))('$method $path', ({ name, method, path }) => {
    const row = rows[name];

    test(`${method} ${path} answers ${row.status ?? 200} with all members, and records ${row.change ? 'who asked from where' : 'no change'}`, async () => {
      const begun = name === 'delete-application' ? deletions[entryPoint] : undefined;
      const { values, answer } = await (begun ??
        perform(entryPoint, name, method === 'GET' ? untouched : await given()));
      expect([answer.status, answer.body]).toEqual([row.status ?? 200, row.answer(values)]);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const { version } = answer.body;
      expect(answer.headers.etag).toBe(version === undefined ? undefined : `"${version}"`);
      const requestId = requestIdOf(answer);
      const who = { caller: operatorAt[entryPoint], requestId, sourceIp: '127.0.0.1' };
      const expected = row.change === undefined ? [] : [expect.objectContaining({ ...row.change(values), ...who })];
      expect(await changesOf(service, answer)).toEqual(expected);
    });
  });
});
