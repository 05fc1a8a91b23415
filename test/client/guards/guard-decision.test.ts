import { describe, expect, test } from '@jest/globals';
import { checkRequest } from '../../../client/guard.ts';
import type { AccessSource, GuardedAccess } from '../../../client/guards/access-source.ts';
import type { GuardDecision, GuardOptions } from '../../../client/guards/guard-decision.ts';
import { getAccess } from '../../../client/guards/guarded-access.ts';
import { AuthServiceClient } from '../../../client/index.ts';
import { access, problem, stubFetch, testKey } from '../client-fixture.ts';

function clientThat(answer: () => Response): AuthServiceClient {
  const { fetch } = stubFetch(answer);
  return new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch, maxAttempts: 1 });
}

const ofAda = clientThat(() => Response.json(access));
const ada = { source: ofAda, userId: () => 'ada' };

/** Sends a request through a guard. Returns the response, undefined if it is admitted, and the decision passed to the hook. */
async function check(options: Partial<GuardOptions<object>>, request = {}) {
  const decisions: GuardDecision[] = [];
  const checked = await checkRequest(request, {
    ...ada,
    onDecision: (decision: GuardDecision) => decisions.push(decision),
    ...options,
  });
  const answer = checked.allowed ? undefined : checked;
  return {
    status: answer?.status,
    headers: answer?.headers,
    document: await answer?.json(),
    decision: decisions[0],
    decisions,
  };
}

describe('the user', () => {
  test.each<[string, GuardOptions<object>['userId']]>([
    [
      'throws',
      () => {
        throw new Error('no session');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no session');
      },
    ],
    ['returns undefined', () => undefined],
    ['returns null', async () => null],
    ['returns a number', () => 7 as never],
    ['returns an object that looks like an id', () => ({ toString: () => 'ada' }) as never],
  ])('a userId function that %s means 401', async (_, userId) => {
    expect(await check({ userId })).toMatchObject({ status: 401, decision: { code: 'not_authenticated' } });
  });

  test('the decision has the error that userId threw or that its result caused', async () => {
    const error = new Error('no session');
    expect((await check({ userId: () => Promise.reject(error) })).decision).toMatchObject({ error });
    const { decision } = await check({ userId: () => 'a/b' });
    expect(decision).toMatchObject({ error: new TypeError('userId returned a string that cannot be a user id') });
    for (const nobody of [undefined, null, ''])
      expect((await check({ userId: () => nobody })).decision).toEqual({ status: 401, code: 'not_authenticated' });
  });

  test('a 401 has the challenge of the options', async () => {
    expect((await check({ userId: () => '', challenge: 'Bearer realm="crm"' })).headers?.get('www-authenticate')).toBe(
      'Bearer realm="crm"',
    );
  });
});

describe('the answer of a source', () => {
  const local = (answer: unknown): AccessSource => ({ checkOrAsk: () => answer as GuardedAccess });

  test('a replica is asked with checkOrAsk', async () => {
    const found = {
      userId: 'ada',
      effectiveStatus: 'enabled',
      roles: [{ name: 'editor', expiresAt: null }],
      decidedBy: 'default',
      until: null,
      code: null,
    };
    const request = {};
    expect(await check({ source: local(found), role: 'editor' }, request)).toMatchObject({ status: undefined });
    expect(getAccess(request)).toBe(found);
    expect(await check({ source: local({ ...found, effectiveStatus: 'disabled' }) })).toMatchObject({ status: 403 });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['true', true],
    ["another user's access", { ...access, userId: 'Ada' }],
    ['no effective status', { ...access, effectiveStatus: undefined }],
    ['another status', { ...access, effectiveStatus: 'ENABLED' }],
    ['true as the status', { ...access, effectiveStatus: true }],
    ['no roles', { ...access, roles: undefined }],
  ])('an answer with %s means 503', async (_, answer) => {
    expect(await check({ source: local(answer), role: 'editor' })).toMatchObject({ status: 503 });
    expect(await check({ source: local(answer) })).toMatchObject({ status: 503 });
  });

  test.each([
    ['stale', 503, 'access_unavailable'],
    ['key_refused', 503, 'access_unavailable'],
    ['user_not_found', 403, 'access_denied'],
    ['unknown', 403, 'access_denied'],
  ])('a replica with the code %s instead of a decision means %i', async (code, status, answered) => {
    for (const effectiveStatus of ['disabled', 'enabled']) {
      const undecided = local({ userId: 'ada', effectiveStatus, decidedBy: null, until: null, roles: [], code });
      expect(await check({ source: undecided })).toMatchObject({ status, document: { code: answered } });
    }
  });

  test.each<[string, AccessSource]>([
    [
      'throws',
      {
        checkOrAsk: () => {
          throw new Error('too old');
        },
      },
    ],
    ['rejects', { getAccess: () => Promise.reject(new Error('too old')) }],
    ['rejects with nothing', { getAccess: () => Promise.reject() }],
  ])('a source that %s means 503', async (_, source) => {
    expect(await check({ source })).toMatchObject({
      status: 503,
      decision: { code: 'access_unavailable', userId: 'ada' },
    });
  });

  test('every error code except user_not_found means 503', async () => {
    const failures: readonly [number, string][] = [
      [401, 'key_revoked'],
      [401, 'clock_skew'],
      [403, 'scope_missing'],
      [403, 'address_not_allowed'],
      [404, 'route_not_found'],
      [400, 'invalid_request'],
      [429, 'too_many_requests'],
      [500, 'internal'],
    ];
    for (const [status, code] of failures) {
      const source = clientThat(() => Response.json(problem(code), { status }));
      const { decision, ...answer } = await check({ source });
      expect(answer.status).toBe(503);
      expect(decision).toMatchObject({ status: 503, error: { code } });
      expect(JSON.stringify(answer.document)).not.toContain(code);
    }
    const unknown = clientThat(() => Response.json(problem('user_not_found'), { status: 404 }));
    expect(await check({ source: unknown })).toMatchObject({ status: 403, document: { code: 'access_denied' } });
  });

  test.each<[unknown, string]>([
    [17, '17'],
    [0.2, '1'],
    [0, '5'],
    [-3, '5'],
    [Number.NaN, '5'],
    [Number.POSITIVE_INFINITY, '5'],
    [undefined, '5'],
    ['x\r\ny', '5'],
  ])('an error with retryAfterSeconds %p has the Retry-After %s', async (retryAfterSeconds, expected) => {
    const source = { checkOrAsk: () => Promise.reject(Object.assign(new Error('away'), { retryAfterSeconds })) };
    expect((await check({ source })).headers?.get('retry-after')).toBe(expected);
  });
});

describe('the response and the callbacks', () => {
  const blocked = {
    ...access,
    effectiveStatus: 'disabled',
    decidedBy: 'explicit',
    reason: 'unpaid since May',
  } as const;
  const answering = (found: object) => clientThat(() => Response.json(found));

  test('the response has the reason of a block only with showReason, the decision always', async () => {
    const { document, decision } = await check({ source: answering(blocked) });
    expect(JSON.stringify(document)).not.toContain('unpaid');
    expect(decision).toMatchObject({ code: 'access_denied', access: { reason: 'unpaid since May' } });
    expect((await check({ source: answering(blocked), showReason: true })).document).toMatchObject({
      reason: 'unpaid since May',
    });
  });

  test('a reason that did not decide is not shown', async () => {
    const source = answering({ ...blocked, decidedBy: 'user' });
    expect((await check({ source, showReason: true })).document).not.toHaveProperty('reason');
    const enabled = answering({ ...blocked, effectiveStatus: 'enabled' });
    expect((await check({ source: enabled, showReason: true, role: 'x' })).document).not.toHaveProperty('reason');
  });

  test('onDecision receives admissions and the errors of onDenied; its own errors change nothing', async () => {
    expect((await check({})).decisions).toEqual([{ status: 200, userId: 'ada', access }]);
    const hookError = new Error('of the hook');
    const { decisions } = await check({ source: answering(blocked), onDenied: () => Promise.reject(hookError) });
    expect(decisions).toMatchObject([{ status: 403, userId: 'ada', hookError }]);
    const onDecision = () => {
      throw new Error('of the log');
    };
    expect((await check({ onDecision })).status).toBeUndefined();
    expect((await check({ onDecision, source: answering(blocked) })).status).toBe(403);
  });

  test('getAccess throws for a refused request', async () => {
    const request = {};
    await check({ source: answering(blocked) }, request);
    expect(() => getAccess(request)).toThrow('No guard has admitted this request');
  });
});
