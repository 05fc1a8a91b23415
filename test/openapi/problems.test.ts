import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { scopes } from '#shared/contract/operation.ts';
import { problemExamples } from '#shared/openapi/problem-examples.ts';
import { alterItem } from '../support/alter-item.ts';
import { answeredCodes } from '../support/answered-codes.ts';
import { operationClient } from '../support/ask-operation.ts';
import { describeService } from '../support/describe-service.ts';
import { type ManageOptions, manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { optionOutcomes } from '../support/option-outcomes.ts';
import { type Answer, freshNonce, type RequestOptions, send } from '../support/send-request.ts';
import { type RequestByHand, signByHand } from '../support/sign-by-hand.ts';
import type { TestService } from '../support/start-service.ts';
import { fromNow } from '../support/timestamps.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  sdk = await watchServiceTable();
  await grantRole('ada', 'billing', 'editor');
});
afterEach(() => {
  sdk.fault = undefined;
});

const access = '/api/service/users/ada/access';
const setting = { status: 'disabled' };
const ask = (options: RequestOptions & { key?: TestService['billingKey'] } = {}) =>
  service.request(['GET', access], options);
const put = (options: RequestOptions) => service.request(['PUT', access], { body: setting, ...options });
const operate = (method: string, path: string, options?: ManageOptions) => manage('iam', method, path, options);

function askByHand(request: Partial<RequestByHand>): Promise<Answer> {
  return send(service.url, signByHand(service.url, service.billingKey, { method: 'GET', target: access, ...request }));
}

async function askUnderFault(error: Error): Promise<Answer> {
  sdk.fault = async () => {
    throw error;
  };
  return ask();
}

async function askWithKeyThat(becomes: 'revokedAt' | 'expiresAt'): Promise<Answer> {
  const key = await service.issueKey('wiki', scopes);
  await alterItem(service, ['APP#wiki', 'APP'], ['keys', key.keyId, becomes], fromNow(-1000));
  return ask({ key });
}

/**
 * A request that the service refuses with each code; `guarantees/allow-list` covers the one that needs another
 * deployment.
 */
const refusedByCore: Readonly<Record<string, () => Promise<Answer>>> = {
  invalid_request: () => put({ body: { status: 'enabled', until: fromNow(60_000) } }),
  reason_required: async () => {
    await operate('PATCH', '/applications/billing', { body: { requireReason: 'operators' } });
    const refusal = await operate('PUT', '/users/ada/access/billing', { body: { status: 'disabled' } });
    await operate('PATCH', '/applications/billing', { body: { requireReason: null } });
    return refusal;
  },
  malformed_json: () => put({ body: '{' }),
  signature_missing: () => ask({ tamper: (request) => ({ ...request, headers: {} }) }),
  signature_malformed: () => askByHand({ edit: (params) => params.replace(/nonce="[^"]*"/, 'nonce="12345678"') }),
  component_missing: () =>
    askByHand({ method: 'PUT', body: JSON.stringify(setting), covered: ['@method', '@authority', '@path'] }),
  clock_skew: () => ask({ signing: { created: Math.floor(Date.now() / 1000) - 1000 } }),
  signature_mismatch: () => ask({ key: { ...service.billingKey, secret: service.wikiKey.secret } }),
  digest_mismatch: () => put({ tamper: (request) => ({ ...request, body: '{"status":"enabled"} ' }) }),
  key_revoked: () => askWithKeyThat('revokedAt'),
  key_expired: () => askWithKeyThat('expiresAt'),
  scope_missing: async () => {
    const key = await service.issueKey('wiki', ['access:read']);
    return service.request(['POST', '/api/service/roles/ada/assign'], { key, body: { role: 'editor' } });
  },
  role_required: async () => {
    const token = await service.login.mintToken({ 'cognito:groups': ['viewer'] });
    return manage('jwt', 'PUT', '/users/ada/access/billing', { body: setting, token });
  },
  user_not_found: () => service.request(['GET', '/api/service/users/nobody/access']),
  role_not_found: async () => operate('PUT', `/users/ada/roles/${await newApplication()}/editor`),
  application_not_found: () => operate('GET', '/applications/nothing'),
  key_not_found: () => operate('DELETE', '/applications/billing/keys/nothing'),
  change_not_found: () => operate('POST', `/users/ada/changes/${'0'.repeat(26)}/undo`),
  route_not_found: () => service.request(['GET', '/api/service/nothing']),
  nonce_replayed: async () => {
    const signing = { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) };
    await put({ signing });
    return put({ signing });
  },
  already_exists: () => operate('PUT', '/users/ada'),
  application_in_use: () => operate('DELETE', '/applications/billing'),
  role_in_use: () => operate('DELETE', '/applications/billing/roles/editor'),
  not_undoable: async () => {
    const { body } = await operate('GET', '/users/ada/changes?limit=100');
    const created = body.items.find(({ action }: { action: string }) => action === 'user.created');
    return operate('POST', `/users/ada/changes/${created.id}/undo`);
  },
  too_many_keys: async () => {
    const appId = await newApplication();
    for (let issued = 0; issued < 10; issued++) await service.issueKey(appId, scopes);
    return operate('POST', `/applications/${appId}/keys`);
  },
  cursor_expired: async () => {
    const { afterNumber, encodeFeedCursor } = await import('#shared/table/queries/feed-cursor.ts');
    const [start, gone] = [afterNumber(0), { first: 1_000_000, number: 1_000_005, id: 'gone' }];
    const cursor = encodeFeedCursor('billing' as AppId, { feeds: [gone, start], pendingAfter: undefined });
    return service.request(['GET', `/api/service/changes?after=${cursor}`]);
  },
  version_mismatch: () => put({ headers: { 'if-match': '"99"' } }),
  idempotency_key_reused: async () => {
    const headers = { 'idempotency-key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' };
    await operate('PUT', '/users/one-of-two', { headers });
    return operate('PUT', '/users/other-of-two', { headers });
  },
  too_many_requests: async () => {
    const { body } = await operate('POST', '/applications', { body: { appId: 'limited', name: 'Limited' } });
    await operate('PATCH', `/applications/${body.appId}`, { body: { requestsPerSecond: 1 } });
    const key = await service.issueKey('limited', scopes);
    for (;;) {
      const answer = await ask({ key });
      if (answer.status === 429) return answer;
    }
  },
  body_too_large: () => put({ body: JSON.stringify(setting).padEnd(16_385) }),
  unsupported_media_type: () => put({ headers: { 'content-type': 'text/plain' } }),
  internal: () => askUnderFault(new TypeError('injected')),
  unavailable: () => askUnderFault(Object.assign(new Error('injected'), { name: 'TimeoutError' })),
};

const refused: typeof refusedByCore = Object.assign(
  {},
  refusedByCore,
  ...optionOutcomes.map(({ problems }) =>
    problems?.(
      operationClient(() => service),
      () => service,
    ),
  ),
);

test('every code that the service answers with is tried', () => {
  expect(answeredCodes().filter((code) => !(code in refused))).toEqual(['address_not_allowed']);
});

test.each(Object.entries(refused))(
  "the example of the problem %s equals the service's response",
  async (code, refuse) => {
    const { value } = problemExamples[code as keyof typeof problemExamples];
    expect(withoutVariableParts((await refuse()).body)).toEqual(withoutVariableParts(value));
  },
);

/** Removes what differs between requests from a problem: numbers, timestamps, and texts that quote the request. */
function withoutVariableParts({ requestId, signatureBase, ...problem }: Record<string, unknown>): unknown {
  const text = JSON.stringify(problem).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a timestamp');
  const fixed = text
    .replace(/"(created|receivedBytes|version)":\d+/g, '"$1":0')
    .replace(/version \d+/g, 'version 0')
    .replace(/\d+ (requests per second|s\.|seconds behind)/g, '0 $1');
  return [JSON.parse(fixed), typeof requestId, typeof signatureBase];
}
