import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  type AccessSetting,
  AuthServiceClient,
  type ChangePage,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  SignatureError,
  signRequest,
  VersionMismatchError,
} from '../../client/index.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { errorOf } from './client-fixture.ts';

/** A service with the users ada, grace and those with awkward ids, and with the roles viewer and editor in `billing`. */
export interface ServiceUnderTest {
  /** The options of a client whose key has all scopes. */
  readonly options: {
    readonly baseUrl: string;
    readonly keyId: string;
    readonly secret: string;
    readonly fetch: (request: Request) => Promise<Response>;
  };
  newUser(userId?: string): Promise<string>;
  deactivate(userId: string): Promise<unknown>;
  issueKey(scopes: readonly 'access:read'[]): Promise<{ readonly keyId: string; readonly secret: string }>;
  /** The changes made by operators. */
  readonly operator: {
    setAccess(userId: string, setting: AccessSetting): Promise<unknown>;
    assignRole(userId: string, role: string): Promise<unknown>;
    revokeRole(userId: string, role: string): Promise<unknown>;
  };
}

/** All pages of a list. */
export async function collect(pages: AsyncIterable<ChangePage>): Promise<ChangePage[]> {
  const collected: ChangePage[] = [];
  for await (const page of pages) collected.push(page);
  return collected;
}

/** The tests of the client that the service and its test double both pass. */
export function describeClient(service: () => ServiceUnderTest): void {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const clientOf = (options: Partial<ServiceUnderTest['options']> = {}) =>
    new AuthServiceClient({ timeoutSeconds: 60, ...service().options, ...options });
  const client = () => clientOf();

  test('reads and sets access, assigns and revokes roles', async () => {
    const userId = await service().newUser();
    expect(await client().getAccess(userId)).toMatchObject({ userId, appId: 'billing', version: 0, roles: [] });

    const until = new Date(Date.now() + 3_600_000);
    const disabled = await client().setAccess(userId, { status: 'disabled', reason: 'unpaid', until });
    expect(disabled).toMatchObject({ changed: true, status: 'disabled', reason: 'unpaid', until: until.toISOString() });
    expect((await client().setAccess(userId, { status: 'enabled' })).effectiveStatus).toBe('enabled');

    expect((await client().assignRole(userId, 'viewer')).roles).toEqual([{ name: 'viewer', expiresAt: null }]);
    const granted = await client().assignRole(userId, { role: 'editor', expiresAt: until });
    expect(granted.roles[0]).toEqual({ name: 'editor', expiresAt: until.toISOString() });
    expect((await client().revokeRole(userId, 'viewer')).roles).toHaveLength(1);
    expect((await client().revokeRole(userId, 'viewer')).changed).toBe(false);
  });

  test.each([...awkwardUserIds, `${'|+=@:'.repeat(25)}...`])(
    'sends every operation for the user id %s',
    async (userId) => {
      if (!awkwardUserIds.includes(userId)) await service().newUser(userId);
      expect((await client().getAccess(userId)).userId).toBe(userId);
      expect((await client().assignRole(userId, 'editor')).changed).toBe(true);
      expect((await client().revokeRole(userId, 'editor')).changed).toBe(true);
      expect(await client().isAllowed(userId)).toBe(true);
    },
  );

  test('records why a role is assigned and revoked', async () => {
    const userId = await service().newUser();
    const why = { reason: 'covers for Grace', ticket: 'INC-1234' };
    await client().assignRole(userId, { role: 'editor', ...why });
    expect(await client().revokeRole(userId, { role: 'editor', ...why })).toMatchObject({ changed: true, roles: [] });
    const pages = await collect(client().changes());
    const own = pages.flatMap(({ items }) => items).filter((change) => 'userId' in change && change.userId === userId);
    expect(own.slice(-2)).toMatchObject([
      { action: 'role.assigned', ...why },
      { action: 'role.revoked', ...why },
    ]);
  });

  test('encodes a role in the query', async () => {
    expect((await client().revokeRole('ada', 'a:b')).changed).toBe(false);
  });

  test('isAllowed is true for a user with access', async () => {
    expect(await client().isAllowed(await service().newUser())).toBe(true);
  });

  test('isAllowed is false for a blocked, an inactive and an unknown user', async () => {
    const blocked = await service().newUser();
    await client().setAccess(blocked, { status: 'disabled' });
    const inactive = await service().newUser();
    await service().deactivate(inactive);

    const answers = [blocked, inactive, 'nobody'].map((userId) => client().isAllowed(userId));
    expect(await Promise.all(answers)).toEqual([false, false, false]);
  });

  test('every write obeys ifVersion', async () => {
    const userId = await service().newUser();
    const { version } = await client().setAccess(userId, { status: 'disabled' }, { ifVersion: 0 });
    const stale = { ifVersion: version - 1 };

    const refused = await Promise.all([
      errorOf(client().setAccess(userId, { status: 'enabled' }, stale)),
      errorOf(client().assignRole(userId, 'editor', stale)),
      errorOf(client().revokeRole(userId, 'editor', stale)),
      errorOf(client().setAccess(userId, { status: 'enabled' }, { ifVersion: Number.NaN })),
    ]);

    expect(refused.every((error) => error instanceof VersionMismatchError)).toBe(true);
    expect(refused[0]).toMatchObject({ code: 'version_mismatch', status: 412, problem: { version } });
  });

  /** A client whose next request is altered in transit. */
  function clientWhoseNext(request: (sent: Request) => Promise<Response>): AuthServiceClient {
    let count = 0;
    const onTheWay = (sent: Request) => (count++ === 0 ? request(sent) : service().options.fetch(sent));
    return clientOf({ fetch: onTheWay });
  }

  describe('a call takes effect once', () => {
    /** A client whose request takes effect but gets no response; an operator changes the access before the retry. */
    const losingAnswer = (meanwhile: (operator: ServiceUnderTest['operator']) => Promise<unknown>) =>
      clientWhoseNext(async (sent) => {
        await service().options.fetch(sent);
        await meanwhile(service().operator);
        throw new Error('lost');
      });

    test('a block survives the retry of an older call with a lost response', async () => {
      const userId = await service().newUser();
      await client().setAccess(userId, { status: 'disabled' });
      const late = losingAnswer((operator) => operator.setAccess(userId, { status: 'disabled', reason: 'stolen' }));
      expect(await late.setAccess(userId, { status: 'enabled' })).toMatchObject({
        changed: true,
        status: 'enabled',
        version: 2,
      });
      expect(await client().getAccess(userId)).toMatchObject({ status: 'disabled', reason: 'stolen', version: 3 });
    });

    test('a revoked role stays revoked after the retry of its assignment', async () => {
      const userId = await service().newUser();
      const late = losingAnswer((operator) => operator.revokeRole(userId, 'editor'));
      expect(await late.assignRole(userId, 'editor')).toMatchObject({ changed: true, version: 1 });
      expect(await client().getAccess(userId)).toMatchObject({ roles: [], version: 2 });
    });

    test('a reassigned role stays assigned after the retry of its revocation', async () => {
      const userId = await service().newUser();
      await client().assignRole(userId, 'editor');
      const late = losingAnswer((operator) => operator.assignRole(userId, 'editor'));
      expect(await late.revokeRole(userId, 'editor')).toMatchObject({ changed: true, version: 2, roles: [] });
      expect(await client().getAccess(userId)).toMatchObject({ roles: [{ name: 'editor' }], version: 3 });
    });

    test('a retry with ifVersion returns the change that its first attempt made', async () => {
      const userId = await service().newUser();
      const late = losingAnswer((operator) => operator.setAccess(userId, { status: 'enabled', reason: 'back' }));
      const answer = await late.setAccess(userId, { status: 'disabled' }, { ifVersion: 0 });
      expect(answer).toMatchObject({ changed: true, status: 'disabled', version: 1 });
      expect(await client().getAccess(userId)).toMatchObject({ status: 'enabled', version: 2 });
    });

    test('a refusal is final, even if the missing resource exists by the time of the retry', async () => {
      const userId = `late-${Date.now()}`;
      const late = losingAnswer(() => service().newUser(userId));
      expect(await errorOf(late.setAccess(userId, { status: 'disabled' }))).toMatchObject({
        code: 'user_not_found',
        attempts: 2,
      });
      expect(await client().getAccess(userId)).toMatchObject({ status: 'enabled', version: 0 });
    });

    test('a request that was delivered twice is signed again and gets the outcome of the first copy', async () => {
      const userId = await service().newUser();
      let status = 0;
      const twice = clientWhoseNext(async (sent) => {
        await service().options.fetch(sent.clone());
        const second = await service().options.fetch(sent);
        ({ status } = second);
        return second;
      });
      expect(await twice.setAccess(userId, { status: 'disabled' })).toMatchObject({ changed: true, version: 1 });
      expect(status).toBe(409);
      expect(await client().getAccess(userId)).toMatchObject({ version: 1 });
    });
  });

  test('ifVersion is signed, so it cannot be removed in transit', async () => {
    const strip = async (request: Request) => {
      request.headers.delete('if-match');
      return service().options.fetch(request);
    };
    const stripped = clientOf({ fetch: strip });
    const error = await errorOf(stripped.setAccess('ada', { status: 'disabled' }, { ifVersion: 7 }));
    expect(error.code).toBe('component_missing');
  });

  test('throws the error class of the status, with the request id', async () => {
    const unknown = await errorOf(client().getAccess('nobody'));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ code: 'user_not_found', status: 404, requestId: expect.stringMatching(/./) });
    expect(await errorOf(client().assignRole('ada', 'nothing'))).toMatchObject({ code: 'role_not_found' });
    expect(await errorOf(client().assignRole('ada', '-'))).toBeInstanceOf(InvalidRequestError);
  });

  test('throws a ForbiddenError for an operation outside the scopes of the key', async () => {
    const reader = clientOf(await service().issueKey(['access:read']));
    expect(await reader.isAllowed('ada')).toBe(true);
    expect(await errorOf(reader.setAccess('ada', { status: 'enabled' }))).toBeInstanceOf(ForbiddenError);
  });

  test('says that only the secret can be wrong when the signature bases are the same', async () => {
    const error = await errorOf(
      clientOf({ secret: (await service().issueKey(['access:read'])).secret }).getAccess('ada'),
    );
    expect(error).toBeInstanceOf(SignatureError);
    expect(error).toMatchObject({ code: 'signature_mismatch', attempts: 1 });
    expect(error.message).toContain('same base: wrong secret or unknown key');
  });

  test('says which part of a request was changed in transit', async () => {
    const redirected = async (request: Request) =>
      service().options.fetch(new Request(request.url.replace('/ada/', '/grace/'), request));
    const changed = clientOf({ fetch: redirected });
    const { message } = await errorOf(changed.getAccess('ada'));
    expect(message).toContain(
      'signed "@path": /api/service/users/ada/access, the server has "@path": /api/service/users/grace/access',
    );
  });

  test.each([
    ['an invalid date', new Date(Number.NaN)],
    ['not a number', Number.NaN],
    ['a number', Date.now() + 3_600_000],
  ])('the service rejects an expiry that is %s', async (_, end) => {
    const userId = await service().newUser();
    const until = end as unknown as Date;
    const block = await errorOf(client().setAccess(userId, { status: 'disabled', until }));
    const grant = await errorOf(client().assignRole(userId, { role: 'editor', expiresAt: until }));
    expect([block.problem?.errors[0].pointer, grant.problem?.errors[0].pointer]).toEqual(['#/until', '#/expiresAt']);
    expect((await client().getAccess(userId)).version).toBe(0);
  });

  test('the service rejects a misspelt member', async () => {
    const misspelt = { role: 'editor', expires: '2030-01-01T00:00:00Z' };
    expect(await errorOf(client().assignRole('ada', misspelt))).toBeInstanceOf(InvalidRequestError);
  });

  test.each([-450, 450])(
    'corrects a clock that is off by %i seconds from the first response, for all later requests',
    async (seconds) => {
      // Only for the client: the service in the same process uses the correct time during a request.
      const right = Date.now;
      let requests = 0;
      const setWrong = () => jest.spyOn(Date, 'now').mockImplementation(() => right() + seconds * 1000);
      const counting = async (request: Request) => {
        requests++;
        jest.restoreAllMocks();
        const response = await service().options.fetch(request);
        setWrong();
        return response;
      };
      setWrong();
      const late = clientOf({ fetch: counting });

      expect(await late.isAllowed('ada')).toBe(true);
      expect(requests).toBe(2);
      expect(await late.isAllowed('ada')).toBe(true);
      expect(requests).toBe(3);
      // A slow clock is not corrected for writes.
      const outcome = await late.assignRole(await service().newUser(), 'editor').catch((error) => error.code);
      expect(outcome).toEqual(seconds < 0 ? 'clock_skew' : expect.objectContaining({ changed: true }));
      expect(requests).toBe(4);
    },
  );

  test('follows the feed without repeating a change, and ends when there is nothing new', async () => {
    const userId = await service().newUser();
    const seen: string[] = [];
    const enough = new AbortController();
    const following = client().changes({ pollSeconds: 1.1, signal: enough.signal });
    await client().assignRole(userId, 'editor');
    for await (const { items } of following) {
      seen.push(...items.map(({ id }) => id));
      const own = items.filter((change) => 'userId' in change && change.userId === userId);
      if (own.some(({ action }) => action === 'role.revoked')) break;
      if (own.some(({ action }) => action === 'role.assigned')) await client().revokeRole(userId, 'editor');
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('checkAccess returns many users in the given order, and says which do not exist', async () => {
    const blocked = await service().newUser();
    await client().setAccess(blocked, { status: 'disabled' });
    const answers = await client().checkAccess(['ada', 'nobody', blocked, 'no user id']);
    expect(answers).toMatchObject([
      { userId: 'ada', effectiveStatus: 'enabled' },
      { userId: 'nobody', code: 'user_not_found' },
      { userId: blocked, effectiveStatus: 'disabled' },
      { userId: 'no user id', code: 'user_not_found' },
    ]);
    expect(answers[0]).toEqual(await client().getAccess('ada'));
    expect(await errorOf(client().checkAccess([]))).toBeInstanceOf(InvalidRequestError);
  });

  test('waits for changes until the signal aborts', async () => {
    const enough = new AbortController();
    const waiting = client().changes({ after: '', pollSeconds: 0.01, signal: enough.signal });
    setTimeout(() => enough.abort(new Error('enough')), 200);
    await expect(collect(waiting)).rejects.toThrow('enough');
  });

  test('throws an error for changes after an invalid cursor', async () => {
    const { value, done } = await client()
      .changes({ after: 'nonsense' })
      .next()
      .catch((error) => ({ value: error, done: null }));
    expect([value.code, done]).toEqual(['invalid_request', null]);
  });

  test('signs a request for any fetch, and the same request again for another call', async () => {
    const request = new Request(`${service().options.baseUrl}/api/service/users/ada/access`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'disabled', reason: 'Zürich' }),
    });
    for (const changed of [true, false]) {
      const response = await service().options.fetch(await signRequest(request, service().options));
      expect(await response.json()).toMatchObject({ changed, reason: 'Zürich' });
    }
  });

  test('a retry signed with the same nonce takes effect once', async () => {
    const request = new Request(`${service().options.baseUrl}/api/service/roles/${await service().newUser()}/assign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'editor' }),
    });
    const nonce = crypto.randomUUID();
    const created = Math.floor(Date.now() / 1000);
    for (const attempt of [0, 1]) {
      const signed = await signRequest(request, service().options, { nonce, created: created + attempt });
      expect(await (await service().options.fetch(signed)).json()).toMatchObject({ changed: true, version: 1 });
    }
  });
}
