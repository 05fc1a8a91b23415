import { readOptions } from '../read-options.ts';
import { appIdPattern, roleNamePattern, userIdPattern } from '../service-contract.ts';
import { createFailures } from './fake-failures.ts';
import type { FakeAuthService, FakeOptions, FakeRequest } from './fake-interface.ts';
import type { FakeScope } from './service-instance.ts';

const allScopes: readonly FakeScope[] = ['access:read', 'access:write', 'roles:write'];

/**
 * Creates a service in memory.
 *
 * @example
 * ```ts
 * import { AuthServiceClient } from '@auth-service/client';
 * import { createFakeAuthService } from '@auth-service/client/testing';
 *
 * const service = await createFakeAuthService({ users: ['ada'], roles: ['editor'] });
 * const client = new AuthServiceClient(service.options);
 *
 * await service.setAccess('ada', { status: 'disabled', until: new Date(Date.now() + 3600_000) });
 * console.log(await client.isAllowed('ada')); // false
 * service.advance(3600);
 * console.log(await client.isAllowed('ada')); // true
 * ```
 */
export async function createFakeAuthService(options: FakeOptions = {}): Promise<FakeAuthService> {
  const read = readOptions('createFakeAuthService', options, {
    appId: ['the id of an application', (value) => isListOf(appIdPattern)([value])],
    users: ['a list of user ids', isListOf(userIdPattern)],
    roles: ['a list of names', isListOf(roleNamePattern)],
    rolloutPercent: ['a number from 0 to 100', (value) => typeof value === 'number' && value >= 0 && value <= 100],
  });
  const { appId = 'billing', users = [], roles = [], rolloutPercent = 100 } = read;
  const { startService } = await import('./fake-service.js');
  const clock = createFakeClock();
  const service = startService({ Date: clock.Date, process: { env: environment() } });
  const failures = createFailures(service);
  const requests: FakeRequest[] = [];

  async function fetch(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const index = requests.push({ method: request.method, path: pathname + search, status: undefined }) - 1;
    const requestId = `fake-request-${index + 1}`;
    const response = await failures.run(request, requestId);
    requests[index] = { ...(requests[index] as FakeRequest), status: response.status };
    return response;
  }

  await service.createApplication(appId);
  if (rolloutPercent !== 100) await service.setRollout(appId, rolloutPercent);
  for (const role of roles) await service.defineRole(appId, role);
  for (const userId of users) await service.createUser(userId);
  const key = await service.issueKey(appId, allScopes);
  return {
    fetch,
    options: { baseUrl: 'https://auth-service.test', ...key, fetch, now: () => clock.now().getTime() },
    requests,
    createUser: service.createUser,
    setUserStatus: service.setUserStatus,
    deleteUser: service.deleteUser,
    defineRole: (role) => service.defineRole(appId, role),
    setRollout: (percent) => service.setRollout(appId, percent),
    setAccess: (userId, setting) => service.setAccess(appId, userId, setting),
    assignRole: (userId, grant) =>
      service.assignRole(appId, userId, typeof grant === 'string' ? { role: grant } : grant),
    revokeRole: (userId, role) => service.revokeRole(appId, userId, role),
    getAccess: (userId) => service.getAccess(appId, userId),
    now: () => clock.now(),
    advance(seconds) {
      clock.advance(seconds);
      service.removeExpiredItems();
    },
    issueKey: (scopes = allScopes) => service.issueKey(appId, scopes),
    revokeKey: (keyId) => service.revokeKey(appId, keyId),
    expireCursors: failures.expireCursors,
    fail: failures.fail,
    recover: failures.recover,
  };
}

/** A clock that a test can advance, with a `Date` class that uses it. */
function createFakeClock() {
  let ahead = 0;
  const milliseconds = () => Date.now() + ahead;
  class ServiceDate extends Date {
    constructor(...given: readonly unknown[]) {
      super(...((given.length > 0 ? given : [milliseconds()]) as [number]));
    }
    static override now = milliseconds;
  }
  return {
    now: () => new Date(milliseconds()),
    advance(seconds: number) {
      ahead += seconds * 1000;
    },
    Date: ServiceDate as DateConstructor,
  };
}

/** As the service's functions get it from the stack, with a root key of its own. */
function environment(): Readonly<Record<string, string>> {
  const root = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  return { TABLE_NAME: 'fake', ROOT_KEYS: `k1=local:${root}`, SETTLE_SECONDS: '0' };
}

function isListOf(pattern: RegExp): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((each) => typeof each === 'string' && pattern.test(each));
}
