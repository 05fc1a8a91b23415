import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { alterItem } from '../support/alter-item.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newConnection } from '../support/new-connection.ts';
import { newUser } from '../support/new-user.ts';
import { newWebhook } from '../support/new-webhook.ts';
import type { Answer } from '../support/send-request.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { fromNow } from '../support/timestamps.ts';

process.env.OPERATOR_ROLES = JSON.stringify({
  token: { claim: 'cognito:groups' },
  arns: { 'arn:aws:iam::000000000000:user/*': 'admin' },
});

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startSources();
});
afterAll(() => service.stop());

type Request = readonly [method: string, path: string, body?: object | undefined];

interface Kind {
  readonly name: ManageOperationName;
  /** Creates what the request needs, and returns the request. */
  readonly accepted: () => Promise<Request>;
  /** A request that the service refuses because of stored data; undefined if there is none. */
  readonly refused?: { readonly code: string; readonly request: () => Promise<Request> };
}

const ofNobody = (method: string, path: string, body?: object) => ({
  code: 'user_not_found',
  request: async (): Promise<Request> => [method, path, body],
});
const issueKey = async (appId: string) => (await service.issueKey(appId, ['access:read'])).keyId;
const keyPath = async () => {
  const appId = await newApplication();
  return `/applications/${appId}/keys/${await issueKey(appId)}`;
};

const connection = { kind: 'evaluate', name: 'New', applications: ['billing'] };
const connectionPaths = async () => {
  const { connectionId, keyId } = await newConnection(['billing']);
  return { connection: `/connections/${connectionId}`, key: `/connections/${connectionId}/keys/${keyId}` };
};

const webhook = { webhookId: 'new-one', url: 'https://hooks.example.com/access' };
const webhookPath = async () => {
  const { appId, webhookId } = await newWebhook(await newApplication());
  return `/applications/${appId}/webhooks/${webhookId}`;
};

const kinds: readonly Kind[] = [
  {
    name: 'create-application',
    accepted: async () => ['POST', '/applications', { appId: 'new-one', name: 'New', rolloutPercent: 5 }],
    refused: {
      code: 'already_exists',
      request: async () => ['POST', '/applications', { appId: await newApplication(), name: 'Taken' }],
    },
  },
  {
    name: 'update-application',
    accepted: async () => ['PATCH', `/applications/${await newApplication()}`, { name: 'Renamed' }],
    refused: {
      code: 'application_not_found',
      request: async () => ['PATCH', '/applications/none', { name: 'Renamed' }],
    },
  },
  {
    name: 'review-application',
    accepted: async () => ['POST', `/applications/${await newApplication()}/reviews`, { asOf: fromNow(0) }],
    refused: {
      code: 'application_not_found',
      request: async () => ['POST', '/applications/none/reviews', { asOf: fromNow(0) }],
    },
  },
  {
    name: 'define-role',
    accepted: async () => ['PUT', `/applications/${await newApplication()}/roles/new`, { description: 'New' }],
    refused: { code: 'application_not_found', request: async () => ['PUT', '/applications/none/roles/new', {}] },
  },
  {
    name: 'create-user',
    accepted: async () => ['PUT', '/users/new', { displayName: 'New', email: 'new@example.org' }],
    refused: { code: 'already_exists', request: async () => ['PUT', `/users/${await newUser()}`, {}] },
  },
  {
    name: 'update-user',
    accepted: async () => ['PATCH', `/users/${await newUser()}`, { displayName: 'Renamed' }],
    refused: ofNobody('PATCH', '/users/nobody', { displayName: 'Renamed' }),
  },
  { name: 'delete-user', accepted: async () => ['DELETE', `/users/${await newUser()}`] },
  {
    name: 'set-user-status',
    accepted: async () => ['PUT', `/users/${await newUser()}/status`, { status: 'inactive', reason: 'left' }],
    refused: ofNobody('PUT', '/users/nobody/status', { status: 'inactive' }),
  },
  {
    name: 'set-user-access',
    accepted: async () => ['PUT', `/users/${await newUser()}/access/billing`, { status: 'disabled', reason: 'left' }],
    refused: {
      code: 'invalid_request',
      request: async () => {
        return ['PUT', `/users/${await newUser()}/access/billing`, { status: 'disabled', until: fromNow(-60_000) }];
      },
    },
  },
  {
    name: 'assign-user-role',
    accepted: async () => ['PUT', `/users/${await newUser()}/roles/billing/editor`, { expiresAt: null }],
    refused: {
      code: 'role_not_found',
      request: async () => ['PUT', `/users/${await newUser()}/roles/billing/none`, { expiresAt: null }],
    },
  },
  {
    name: 'revoke-user-role',
    accepted: async () => {
      const userId = await newUser();
      await grantRole(userId, 'billing', 'editor');
      return ['DELETE', `/users/${userId}/roles/billing/editor`];
    },
    refused: ofNobody('DELETE', '/users/nobody/roles/billing/editor'),
  },
  {
    name: 'undo-change',
    accepted: async () => {
      const userId = await newUser();
      const { changeId } = await setStatus(userId, 'billing', 'disabled');
      return ['POST', `/users/${userId}/changes/${changeId}/undo`];
    },
    refused: {
      code: 'version_mismatch',
      request: async () => {
        const userId = await newUser();
        const { changeId } = await setStatus(userId, 'billing', 'disabled');
        await setStatus(userId, 'billing', 'disabled', 'for another reason');
        return ['POST', `/users/${userId}/changes/${changeId}/undo`];
      },
    },
  },
  {
    name: 'update-key',
    accepted: async () => ['PATCH', await keyPath(), { label: 'Nightly' }],
    refused: {
      code: 'key_not_found',
      request: async () => ['PATCH', '/applications/billing/keys/svk_none', { label: 'Nightly' }],
    },
  },
  {
    name: 'create-webhook',
    accepted: async () => ['POST', `/applications/${await newApplication()}/webhooks`, webhook],
    refused: {
      code: 'application_not_found',
      request: async () => ['POST', '/applications/none/webhooks', webhook],
    },
  },
  {
    name: 'update-webhook',
    accepted: async () => ['PATCH', await webhookPath(), { enabled: false }],
    refused: {
      code: 'webhook_not_found',
      request: async () => ['PATCH', '/applications/billing/webhooks/none', { enabled: false }],
    },
  },
  {
    name: 'rotate-webhook-secret',
    accepted: async () => ['POST', `${await webhookPath()}/rotate`, { overlap: 'PT1H' }],
    refused: {
      code: 'webhook_not_found',
      request: async () => ['POST', '/applications/billing/webhooks/none/rotate', { overlap: 'PT1H' }],
    },
  },
  {
    name: 'delete-webhook',
    accepted: async () => ['DELETE', await webhookPath()],
    refused: {
      code: 'webhook_not_found',
      request: async () => ['DELETE', '/applications/billing/webhooks/none'],
    },
  },
  {
    name: 'create-connection',
    accepted: async () => ['POST', '/connections', { ...connection, connectionId: 'new-one' }],
    refused: {
      code: 'application_not_found',
      request: async () => ['POST', '/connections', { ...connection, connectionId: 'other', applications: ['none'] }],
    },
  },
  {
    name: 'update-connection',
    accepted: async () => ['PATCH', (await connectionPaths()).connection, { name: 'Renamed' }],
    refused: {
      code: 'connection_not_found',
      request: async () => ['PATCH', '/connections/none', { name: 'Renamed' }],
    },
  },
  {
    name: 'delete-connection',
    accepted: async () => ['DELETE', (await connectionPaths()).connection],
    refused: { code: 'connection_not_found', request: async () => ['DELETE', '/connections/none'] },
  },
  {
    name: 'update-connection-key',
    accepted: async () => ['PATCH', (await connectionPaths()).key, { label: 'Nightly' }],
    refused: {
      code: 'key_not_found',
      request: async () => ['PATCH', `${(await connectionPaths()).connection}/keys/svc_none`, { label: 'Nightly' }],
    },
  },
  {
    name: 'rotate-connection-key',
    accepted: async () => ['POST', `${(await connectionPaths()).key}/rotate`, { overlap: 'PT1H' }],
    refused: {
      code: 'key_not_found',
      request: async () => [
        'POST',
        `${(await connectionPaths()).connection}/keys/svc_none/rotate`,
        { overlap: 'PT1H' },
      ],
    },
  },
  {
    name: 'revoke-connection-key',
    accepted: async () => ['DELETE', (await connectionPaths()).key],
    refused: {
      code: 'key_not_found',
      request: async () => ['DELETE', `${(await connectionPaths()).connection}/keys/svc_none`],
    },
  },
  {
    name: 'repair',
    accepted: async () => {
      await alterItem(service, [`APP#${await newApplication()}`, 'APP'], ['chainHead'], 'of a change that was lost');
      return firstPageWithFindings();
    },
  },
  {
    name: 'revoke-key',
    accepted: async () => ['DELETE', await keyPath()],
    refused: { code: 'key_not_found', request: async () => ['DELETE', '/applications/billing/keys/svk_none'] },
  },
  {
    name: 'rotate-key',
    accepted: async () => ['POST', `${await keyPath()}/rotate`, { overlap: 'PT1H' }],
    refused: {
      code: 'too_many_keys',
      request: async () => {
        const appId = await newApplication();
        const keyIds = await Promise.all(Array.from({ length: 10 }, () => issueKey(appId)));
        return ['POST', `/applications/${appId}/keys/${keyIds[0]}/rotate`, { overlap: 'PT1H' }];
      },
    },
  },
];

const send = ([method, path, body]: Request, query = '') =>
  manage('iam', method, path + (path.includes('?') ? query.replace('?', '&') : query), { body });

/** The request for the page of a repair that has something to repair. */
async function firstPageWithFindings(): Promise<Request> {
  let request: Request = ['POST', '/repair'];
  for (;;) {
    const { findings, cursor } = (await send(request, '?dryRun=true')).body;
    if (findings.length > 0) return request;
    if (cursor === null) throw new Error('There is nothing to repair');
    request = ['POST', `/repair?cursor=${cursor}`];
  }
}

/** Removes the ids, times and cursors that differ between requests, and the secret, from a response. */
function stable({ status, body }: Answer) {
  const {
    changeId,
    keyId,
    createdAt,
    updatedAt,
    revokedAt,
    reviewedAt,
    requestId,
    secret,
    token,
    cursor,
    secrets,
    ...rest
  } = body;
  return {
    status,
    ...rest,
    isRecorded: Boolean(changeId),
    isRevoked: Boolean(revokedAt),
    isReviewed: Boolean(reviewedAt),
  };
}

const items = () => service.items({ keyUses: true, feeds: true });

test('this file covers every operation that supports a dry run', () => {
  const named = Object.values(manageOperations).filter(
    (operation) => 'query' in operation && 'dryRun' in operation.query.entries,
  );
  expect(kinds.map(({ name }) => name).sort()).toEqual(named.map(({ name }) => name).sort());
});

describe.each(kinds)('a dry run of $name', ({ name, accepted, refused }) => {
  test('returns the same response as the request, and writes nothing', async () => {
    const request = await accepted();
    const before = await items();
    const preview = await send(request, '?dryRun=true');
    expect(preview.status).toBeLessThan(300);
    expect(await items()).toEqual(before);
    const answer = await send(request);
    expect(stable(preview)).toEqual(stable(answer));
    expect(await items()).not.toEqual(before);
  });

  test('requires the same role as the request', async () => {
    const token = await service.login.mintToken({ sub: 'viewer-of-tests', 'cognito:groups': ['viewer'] });
    const [method, path, body] = await accepted();
    const { role: requiredRole } = manageOperations[name];
    const refusal = await manage('jwt', method, `${path}?dryRun=true`, { body, token });
    expectProblem(refusal, 'role_required', { requiredRole });
  });

  if (refused === undefined) return;
  test('is refused like the request, and writes nothing', async () => {
    const request = await refused.request();
    const before = await items();
    const preview = await send(request, '?dryRun=true');
    expect(await items()).toEqual(before);
    expect(preview.body.code).toBe(refused.code);
    expect(stable(preview)).toEqual(stable(await send(request)));
  });
});

test('a dry run does not consume the Idempotency-Key: the real request with it takes effect once', async () => {
  const userId = await newUser();
  const headers = { 'idempotency-key': '"one-call"' };
  const body = { status: 'inactive' };
  const path = `/users/${userId}/status`;
  expect((await manage('iam', 'PUT', `${path}?dryRun=true`, { body, headers })).body.changed).toBe(true);
  expect((await manage('iam', 'PUT', path, { body, headers })).body.changed).toBe(true);
  expect((await manage('iam', 'PUT', `${path}?dryRun=true`, { body, headers })).body.changed).toBe(false);
});

test('a dry run of an undo does not consume the Idempotency-Key', async () => {
  const userId = await newUser();
  const { changeId } = await setStatus(userId, 'billing', 'disabled');
  const path = `/users/${userId}/changes/${changeId}/undo`;
  const headers = { 'idempotency-key': '"one-undo"' };
  expect((await manage('iam', 'POST', path, { headers })).body.changed).toBe(true);
  expectProblem(await manage('iam', 'POST', `${path}?dryRun=true`, { headers }), 'version_mismatch', { version: 2 });
});

test('a dry run of a rotation returns no secret', async () => {
  const { body } = await send(['POST', `${await keyPath()}/rotate`, { overlap: 'PT0S' }], '?dryRun=true');
  expect(body.secret).toBe('');
});

test('a dry run that is neither true nor false is refused', async () => {
  expectInvalid(await send(['DELETE', `/users/${await newUser()}`], '?dryRun=yes'), 'query:dryRun');
});
