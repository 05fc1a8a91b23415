import { nonceHeaderOf } from '#shared/signature/base.ts';
import { readOptions } from '../read-options.ts';
import { userIdPattern } from '../service-contract.ts';
import { createFakeClock, formatId } from './fake-clock.ts';
import { rolePattern, routeRequest } from './fake-endpoints.ts';
import { createFailures } from './fake-failures.ts';
import type { FakeAuthService, FakeOptions, FakeRequest } from './fake-interface.ts';
import { allScopes, type FakeKey, type FakeScope, type SignedRequest, verifyRequest } from './fake-keys.ts';
import { FakeProblem, problemResponse } from './fake-problem.ts';
import { FakeState } from './fake-state.ts';

/**
 * Creates a service in memory.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { createFakeAuthService } from '@auth-service/client/testing';
 *
 * const service = createFakeAuthService({ users: ['ada'], roles: ['editor'] });
 * const client = new AuthServiceClient(service.options);
 *
 * service.setAccess('ada', { status: 'disabled', until: new Date(Date.now() + 3600_000) });
 * console.log(await client.isAllowed('ada')); // false
 * service.advance(3600);
 * console.log(await client.isAllowed('ada')); // true
 * ```
 */
export function createFakeAuthService(options: FakeOptions = {}): FakeAuthService {
  const read = readOptions('createFakeAuthService', options, {
    appId: ['the id of an application', (value) => isListOf(/^[a-z][a-z\d-]*$/)([value])],
    users: ['a list of user ids', isListOf(userIdPattern)],
    roles: ['a list of names', isListOf(rolePattern)],
    rolloutPercent: ['a number from 0 to 100', (value) => typeof value === 'number' && value >= 0 && value <= 100],
  });
  const { appId = 'billing', users = [], roles = [], rolloutPercent } = read;
  const clock = createFakeClock();
  const state = new FakeState(appId, clock);
  const keys = new Map<string, FakeKey>();
  const failures = createFailures();
  const retention = { expiredUntil: '' };
  const requests: FakeRequest[] = [];
  const outcomes = new Map<string, Outcome>();

  function issueKey(scopes: readonly FakeScope[] = allScopes) {
    const keyId = `svk_k1_${appId}_${formatId([Date.now(), keys.size])}`;
    const secret = `svs_${crypto.randomUUID().replaceAll('-', '').padEnd(43, '0')}`;
    keys.set(keyId, { keyId, secret, scopes, revoked: false });
    return { keyId, secret };
  }

  async function answer(request: Request, requestId: string): Promise<Response> {
    try {
      const signed = await verifyRequest(request, keys);
      const route = routeRequest(request, signed);
      const run = () => route.answer(state, retention);
      return jsonResponse(route.writes ? onceOnly(outcomes, request, signed, run) : run(), request, requestId);
    } catch (error) {
      if (error instanceof FakeProblem) return problemResponse(error, request, requestId);
      throw error;
    }
  }

  async function fetch(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const index = requests.push({ method: request.method, path: pathname + search, status: undefined }) - 1;
    const requestId = `fake-request-${index + 1}`;
    const response = await failures.run(request, requestId, () => answer(request, requestId));
    requests[index] = { ...(requests[index] as FakeRequest), status: response.status };
    return response;
  }

  for (const role of roles) state.defineRole(role);
  for (const userId of users) state.createUser(userId);
  if (rolloutPercent !== undefined) state.setRollout(rolloutPercent);
  return {
    fetch,
    options: { baseUrl: 'https://auth-service.test', ...issueKey(), fetch },
    requests,
    createUser: (userId) => state.createUser(userId),
    setUserStatus: (userId, status) => state.setUserStatus(userId, status),
    deleteUser: (userId) => state.deleteUser(userId),
    defineRole: (role) => state.defineRole(role),
    setRollout: (percent) => state.setRollout(percent),
    setAccess: (userId, setting) => void state.setAccess(userId, setting),
    assignRole: (userId, grant) => void state.assignRole(userId, typeof grant === 'string' ? { role: grant } : grant),
    revokeRole: (userId, role) => void state.revokeRole(userId, role),
    getAccess: (userId) => state.view(userId),
    now: () => clock.now(),
    advance: (seconds) => clock.advance(seconds),
    issueKey,
    revokeKey(keyId) {
      const key = keys.get(keyId);
      if (key !== undefined) key.revoked = true;
    },
    expireCursors() {
      retention.expiredUntil = formatId(clock.rising(clock.now()));
    },
    fail: failures.fail,
    recover: failures.recover,
  };
}

function isListOf(pattern: RegExp): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((each) => typeof each === 'string' && pattern.test(each));
}

/** What became of a call, by its key and nonce. */
interface Outcome {
  readonly call: string;
  readonly signature: string;
  readonly result: { readonly body: object } | { readonly problem: FakeProblem };
}

/** Does a write once: another attempt under its nonce gets the outcome of the first; the same bytes are refused. */
function onceOnly(
  outcomes: Map<string, Outcome>,
  { method, url, headers }: Request,
  { key, nonce, signature, body }: SignedRequest,
  write: () => object,
): object {
  const id = `${key.keyId} ${nonce}`;
  const call = [method, url, headers.get('if-match'), body].join('\n');
  const known = outcomes.get(id);
  if (known !== undefined && (known.signature === signature || known.call !== call))
    throw new FakeProblem('nonce_replayed', 'This nonce was used before.');
  const { result } = known ?? { result: attempt(write) };
  outcomes.set(id, known ?? { call, signature, result });
  if ('problem' in result) throw result.problem;
  return result.body;
}

function attempt(write: () => object): Outcome['result'] {
  try {
    return { body: write() };
  } catch (problem) {
    if (problem instanceof FakeProblem) return { problem };
    throw problem;
  }
}

function jsonResponse(body: object, { headers }: Request, requestId: string): Response {
  const etag = 'version' in body ? { etag: `"${body.version}"` } : {};
  const nonce = nonceHeaderOf(headers.get('signature-input'));
  return Response.json(body, {
    headers: { 'apigw-requestid': requestId, 'cache-control': 'no-store', ...etag, ...nonce },
  });
}
