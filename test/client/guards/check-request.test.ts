import { describe, expect, test } from '@jest/globals';
import { checkRequest } from '../../../client/guard.ts';
import type { AccessSource } from '../../../client/guards/access-source.ts';
import type { GuardDecision, GuardOptions } from '../../../client/guards/guard-decision.ts';
import { AuthServiceClient } from '../../../client/index.ts';
import { noDecision } from '../../../client/replica/decide-locally.ts';
import { createAccessReplica } from '../../../client/replica.ts';
import type { FakeFailure } from '../../../client/testing.ts';
import { buildFake } from '../built-fake.ts';

const { createFakeAuthService } = await buildFake();

async function start() {
  const service = await createFakeAuthService({ users: ['ada', 'bob'], roles: ['editor'] });
  await service.setAccess('bob', { status: 'disabled' });
  return { service, source: new AuthServiceClient({ ...service.options, maxAttempts: 1 }) };
}

/** What a request of Ada gets: `allowed` or the status of the response, and its Retry-After. */
async function outcomeOf(source: AccessSource, options: Partial<GuardOptions<object>> = {}) {
  const checked = await checkRequest({}, { source, userId: () => 'ada', ...options });
  return checked.allowed ? ['allowed'] : [checked.status, checked.headers.get('retry-after')];
}

test('decides by userId alone: the request itself is not read, whatever headers a caller sets', async () => {
  const { source } = await start();
  const claimed = {
    headers: { 'x-user': 'ada', 'x-middleware-subrequest': 'middleware', authorization: 'Bearer ada' },
  };
  const request = new Proxy(new Request('https://crm.example.com/admin?user=ada', claimed), {
    get(_, name) {
      throw new Error(`The guard has read ${String(name)}`);
    },
  });
  const decide = async (userId: string | undefined) => {
    const checked = await checkRequest(request, { source, userId: () => userId });
    return checked.allowed || checked.status;
  };
  expect([await decide('ada'), await decide('bob'), await decide(undefined)]).toEqual([true, 403, 401]);
});

test('a role that has ended is missing, for a client and for a replica', async () => {
  const { service, source } = await start();
  await service.assignRole('ada', { role: 'editor', expiresAt: new Date(service.now().getTime() + 3_600_000) });
  await using replica = await createAccessReplica({ client: source });
  for (const expected of [['allowed'], [403, null]]) {
    expect(await outcomeOf(source, { role: 'editor' })).toEqual(expected);
    expect(await outcomeOf(replica, { role: 'editor' })).toEqual(expected);
    service.advance(3600);
  }
});

describe('while the service does not answer', () => {
  const outages: readonly FakeFailure[] = ['no answer', { status: 502 }, { code: 'unavailable', retryAfterSeconds: 7 }];

  test.each(outages)('%j denies every request with 503 and Retry-After', async (failure) => {
    const { service, source } = await start();
    service.fail(failure);
    const seconds = typeof failure === 'object' && 'code' in failure ? '7' : '5';
    expect(await outcomeOf(source)).toEqual([503, seconds]);
    expect(await outcomeOf(source, { whenUnavailable: 'deny' })).toEqual([503, seconds]);
  });

  test.each(outages)(
    '%j admits every user without roles if the options say so, and tells the hook why',
    async (failure) => {
      const { service, source } = await start();
      service.fail(failure);
      const decisions: GuardDecision[] = [];
      const options = {
        source,
        whenUnavailable: 'allow',
        onDecision: (decision: GuardDecision) => decisions.push(decision),
      } as const;
      const access = { userId: 'bob', effectiveStatus: 'enabled', roles: [], decidedBy: 'outage' };
      expect(await checkRequest({}, { ...options, userId: () => 'bob' })).toEqual({ allowed: true, access });
      expect(decisions).toMatchObject([{ status: 200, access, error: { name: 'UnavailableError' } }]);
    },
  );

  test('an open circuit and a replica that is too old are outages too', async () => {
    const { service } = await start();
    const hasty = new AuthServiceClient({
      ...service.options,
      maxAttempts: 1,
      timeoutSeconds: 0.05,
      circuit: { timeouts: 1 },
    });
    const replica = { checkOrAsk: (userId: string) => noDecision(userId, 'stale', 301) };
    service.fail('hang');
    await outcomeOf(hasty);
    for (const undecided of [hasty, replica]) {
      expect(await outcomeOf(undecided)).toEqual([503, '5']);
      expect(await outcomeOf(undecided, { whenUnavailable: 'allow' })).toEqual(['allowed']);
    }
  });

  test('a route with a role stays closed, and nobody passes without a login', async () => {
    const { service, source } = await start();
    service.fail('no answer');
    expect(await outcomeOf(source, { whenUnavailable: 'allow', role: 'editor' })).toEqual([503, '5']);
    expect(await outcomeOf(source, { whenUnavailable: 'allow', userId: () => null })).toEqual([401, null]);
  });
});

describe('with whenUnavailable: allow', () => {
  test.each([
    'key_revoked',
    'key_expired',
    'signature_mismatch',
    'scope_missing',
    'too_many_requests',
    'internal',
  ] as const)(
    'the refusal %s is not an outage, because a leaked key or a flood must not open the application',
    async (code) => {
      const { service, source } = await start();
      service.fail({ code });
      expect(await outcomeOf(source, { whenUnavailable: 'allow' })).toEqual([503, '5']);
    },
  );

  test.each<[string, () => unknown]>([
    ["another user's access", () => ({ userId: 'bob', effectiveStatus: 'enabled', roles: [], decidedBy: 'default' })],
    ['a refused key of a replica', () => ({ code: 'key_refused' })],
    ['an error of its own', () => Promise.reject(new Error('broken'))],
  ])('a source that gives %s is not an outage', async (_, checkOrAsk) => {
    const source = { checkOrAsk } as AccessSource;
    expect(await outcomeOf(source, { whenUnavailable: 'allow' })).toEqual([503, '5']);
  });

  test('the service still decides while it answers', async () => {
    const { source } = await start();
    const open = { whenUnavailable: 'allow' } as const;
    expect(await outcomeOf(source, open)).toEqual(['allowed']);
    expect(await outcomeOf(source, { ...open, userId: () => 'bob' })).toEqual([403, null]);
    expect(await outcomeOf(source, { ...open, userId: () => 'nobody' })).toEqual([403, null]);
  });
});
