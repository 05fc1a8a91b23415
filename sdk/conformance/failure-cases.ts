import type { Exchange, FailureCase } from './failure-case.ts';

/** When each case begins, by the clock of the client; in milliseconds. */
export const startOfCases = Date.parse('2026-11-20T12:00:00.000Z');

/** A key that no service has issued. */
export const kitKey = {
  keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX',
  secret: 'svs_this-is-test-data-and-it-opens-no-door-here',
};

const access = {
  userId: 'ada',
  appId: 'billing',
  status: 'enabled',
  explicit: false,
  until: null,
  reason: null,
  userStatus: 'active',
  effectiveStatus: 'enabled',
  decidedBy: 'default',
  roles: [{ name: 'editor', expiresAt: null }],
  version: 3,
  updatedAt: '2026-11-20T11:00:00.000Z',
};
const written = { ...access, changed: true, changeId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W' };
const unknown = { userId: 'zoe', code: 'user_not_found' };

const ok: Exchange = { status: 200, body: access };
const done: Exchange = { status: 200, body: written };
const html = { 'content-type': 'text/html' };
const get = { operation: 'getAccess', userId: 'ada' } as const;
const ask = { operation: 'isAllowed', userId: 'ada' } as const;
const block = {
  operation: 'setAccess',
  userId: 'ada',
  body: { status: 'disabled', reason: 'left the team' },
} as const;
const check = { operation: 'checkAccess', userIds: ['ada', 'zoe'] } as const;
const changes = { operation: 'changes' } as const;

/** A refusal by the service. */
function refusal(status: number, code: string, members: object = {}, more: Partial<Exchange> = {}): Exchange {
  const problem = { type: `/docs/errors#${code}`, title: 'T', status, detail: 'D', code, requestId: 'R' };
  return { status, body: { ...problem, ...members }, ...more };
}

const unavailable = refusal(503, 'unavailable');

/** A refusal of the signing time, by a server whose clock is ahead by so many seconds. */
function skewed(seconds: number, afterSeconds = 0): Exchange {
  const serverTime = new Date(startOfCases + (seconds + afterSeconds) * 1000).toISOString();
  return refusal(401, 'clock_skew', { serverTime });
}

function page(cursor: string | null, more: boolean, ...ids: readonly string[]): Exchange {
  return { status: 200, body: { items: ids.map((id) => ({ id })), pending: 0, more, cursor } };
}

/** Calls that answer at once. */
const answers: readonly FailureCase[] = [
  { name: 'a user who may enter', steps: [get, ask], exchanges: [ok], says: ['enabled', 'true'], sends: 2 },
  {
    name: 'a user who may not enter',
    steps: [get, ask],
    exchanges: [{ status: 200, body: { ...access, effectiveStatus: 'disabled' } }],
    says: ['disabled', 'false'],
    sends: 2,
  },
  {
    name: 'a user id whose characters are encoded',
    steps: [{ operation: 'getAccess', userId: 'auth0|a+b@c.de' }],
    exchanges: [{ status: 200, body: { ...access, userId: 'auth0|a+b@c.de' } }],
    says: ['enabled'],
    sends: 1,
  },
  {
    name: 'an id that no user can have is refused without a request',
    steps: [
      { operation: 'getAccess', userId: '..' },
      { operation: 'isAllowed', userId: 'a/b' },
      { operation: 'setAccess', userId: '', body: { status: 'enabled' } },
      { operation: 'revokeRole', userId: 'ada', role: 'a&b=c/d' },
    ],
    exchanges: [ok],
    says: ['invalid_request', 'false', 'invalid_request', 'invalid_request'],
    sends: 0,
  },
  { name: 'a block', steps: [block], exchanges: [done], says: ['enabled'], sends: 1 },
  {
    name: 'a write of one version',
    steps: [{ ...block, ifVersion: 3 }],
    exchanges: [done],
    says: ['enabled'],
    sends: 1,
  },
  {
    name: 'a block that ends',
    steps: [{ ...block, body: { status: 'disabled', until: '2026-11-21T12:00:00.000Z' } }],
    exchanges: [done],
    says: ['enabled'],
    sends: 1,
  },
  {
    name: 'a role is assigned, and revoked by the query',
    steps: [
      { operation: 'assignRole', userId: 'ada', role: 'editor' },
      { operation: 'assignRole', userId: 'ada', body: { role: 'editor', expiresAt: '2026-12-01T00:00:00.000Z' } },
      { operation: 'revokeRole', userId: 'ada', role: 'billing:editor' },
      { operation: 'revokeRole', userId: 'ada', body: { role: 'editor', ticket: 'INC-1234' } },
    ],
    exchanges: [done],
    says: ['enabled', 'enabled', 'enabled', 'enabled'],
    sends: 4,
  },
  {
    name: 'two users, one of them unknown',
    steps: [check],
    exchanges: [{ status: 200, body: { items: [access, unknown] } }],
    says: ['enabled user_not_found'],
    sends: 1,
  },
  {
    name: 'the changes, page by page, each change once',
    steps: [{ ...changes, after: 'start+/=' }],
    exchanges: [page('a', true, '1', '2'), page('b', true), page('c', false, '2', '3')],
    says: ['1 2 3'],
    sends: 3,
  },
];

/** Answers of the service that are errors. */
const refusals: readonly FailureCase[] = [
  ...(
    [
      [400, 'invalid_request'],
      [400, 'reason_required'],
      [401, 'signature_mismatch'],
      [401, 'key_revoked'],
      [401, 'key_expired'],
      [403, 'scope_missing'],
      [404, 'role_not_found'],
      [412, 'version_mismatch'],
      [413, 'body_too_large'],
      [415, 'unsupported_media_type'],
      [500, 'internal'],
    ] as const
  ).map(([status, code]) => ({
    name: `${status} ${code} is not retried`,
    steps: [block],
    exchanges: [refusal(status, code)],
    says: [code],
    sends: 1,
  })),
  {
    name: '404 user_not_found is an error of a read, and a no for isAllowed',
    steps: [get, ask],
    exchanges: [refusal(404, 'user_not_found')],
    says: ['user_not_found', 'false'],
    sends: 2,
  },
  {
    name: '410 cursor_expired is an invalid argument',
    steps: [{ ...changes, after: 'old' }],
    exchanges: [refusal(410, 'cursor_expired')],
    says: ['cursor_expired'],
    sends: 1,
  },
  {
    name: 'a code that the SDK does not know has the class of its status',
    steps: [ask],
    exchanges: [refusal(403, 'a_new_code')],
    says: ['a_new_code'],
    sends: 1,
  },
  {
    name: 'a status without a class is unexpected, even with a code',
    steps: [ask],
    exchanges: [refusal(418, 'a_new_code')],
    says: ['a_new_code'],
    sends: 1,
  },
];

/** Failures after which the call is retried, under the same nonce. */
const retries: readonly FailureCase[] = [
  ...(
    [
      ['503', unavailable],
      ['429', refusal(429, 'too_many_requests')],
      ['429 of the gateway', { status: 429, body: { message: 'Too Many Requests' }, nonce: null }],
      ['409 nonce_replayed, because the network delivered a copy first', refusal(409, 'nonce_replayed')],
      ['502 of a proxy', { status: 502, body: '<html>', headers: html, nonce: null }],
      ['503 of a proxy that claims a code', { status: 503, body: { code: 'key_revoked' }, nonce: null }],
      ['504 of a proxy', { status: 504, body: '', nonce: null }],
      ['a broken connection', { fault: 'no_answer' }],
      ['a body that is cut', { fault: 'cut', status: 200, body: '{"userId":"ada","effectiveStatus":"enabl' }],
    ] as readonly (readonly [string, Exchange])[]
  ).map(([name, exchange]) => ({
    name: `a write is retried after ${name}`,
    steps: [block],
    exchanges: [exchange, exchange, done],
    says: ['enabled'],
    sends: 3,
  })),
  {
    name: 'an answer that never comes is retried after its share of the time',
    steps: [ask],
    exchanges: [{ fault: 'hang' }, { fault: 'hang' }, ok],
    says: ['true'],
    sends: 3,
  },
  { name: 'four attempts at most', steps: [block], exchanges: [unavailable], says: ['unavailable'], sends: 4 },
  {
    name: 'as many attempts as the client allows',
    client: { maxAttempts: 2 },
    steps: [ask],
    exchanges: [unavailable],
    says: ['unavailable'],
    sends: 2,
  },
  { name: 'no answer at all', steps: [ask], exchanges: [{ fault: 'no_answer' }], says: ['no_answer'], sends: 4 },
  {
    name: 'Retry-After in seconds is obeyed',
    steps: [ask],
    exchanges: [{ ...unavailable, headers: { 'retry-after': '3' } }, ok],
    says: ['true'],
    sends: 2,
  },
  {
    name: 'Retry-After as a date is obeyed',
    steps: [ask],
    exchanges: [{ ...unavailable, headers: { 'retry-after': 'Fri, 20 Nov 2026 12:00:04 GMT' } }, ok],
    says: ['true'],
    sends: 2,
  },
  {
    name: 'Retry-After that is no time is ignored',
    steps: [ask],
    exchanges: [{ ...unavailable, headers: { 'retry-after': 'soon' } }, ok],
    says: ['true'],
    sends: 2,
  },
  {
    name: 'Retry-After beyond the end of the call ends it at once',
    steps: [ask],
    exchanges: [{ ...refusal(429, 'too_many_requests'), headers: { 'retry-after': '60' } }],
    says: ['too_many_requests'],
    sends: 1,
  },
  {
    name: 'a call ends when its time is over',
    client: { timeoutSeconds: 4, maxAttempts: 20 },
    steps: [ask],
    exchanges: [{ ...unavailable, headers: { 'retry-after': '1' }, seconds: 0.02 }],
    says: ['unavailable'],
    sends: 4,
  },
  {
    name: 'two calls have two nonces',
    steps: [block, block],
    exchanges: [done],
    says: ['enabled', 'enabled'],
    sends: 2,
  },
];

/** Answers that do not come from the service, or not to this request. */
const foreign: readonly FailureCase[] = [
  ...(
    [
      ['an access without a nonce, as a cache sends it', { ...ok, nonce: null }],
      ["another request's answer", { ...ok, nonce: '0123456789abcdef0123456789abcdef' }],
      ['an answer with an empty nonce', { ...ok, nonce: '' }],
      ["a page of a proxy with the request's nonce", { status: 200, headers: html, body: '<html>Welcome</html>' }],
      ['a login page', { status: 401, headers: html, body: '<html>Log in</html>', nonce: null }],
      ['a 403 of a firewall', { status: 403, headers: html, body: '<html>Forbidden</html>', nonce: null }],
      ['a 403 with a code, without the nonce', { ...refusal(403, 'scope_missing'), nonce: null }],
      [
        'a 401 with a code, as JSON',
        { ...refusal(401, 'key_revoked'), headers: { 'content-type': 'application/json' } },
      ],
      ['a 404 with the code user_not_found, without the nonce', { ...refusal(404, 'user_not_found'), nonce: null }],
      ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example.com/' }, body: access }],
      ['a permanent redirect', { status: 308, headers: { location: '/api/service/users/eve/access' }, body: access }],
      ['another success', { status: 204, body: '' }],
      ['partial content', { status: 206, body: access }],
      ['a 404 without a code', { status: 404, body: {} }],
      ['an empty body', { status: 200, body: '' }],
      [
        'a body that ends too early, with the right length',
        { status: 200, body: '{"userId":"ada","effectiveStatus":"enabl' },
      ],
      ['null', { status: 200, body: 'null' }],
      ['a list', { status: 200, body: [access] }],
      ['no status', { status: 200, body: { ...access, effectiveStatus: undefined } }],
      ['another status', { status: 200, body: { ...access, effectiveStatus: 'ENABLED' } }],
      ['true as the status', { status: 200, body: { ...access, effectiveStatus: true } }],
      ['roles that are no list', { status: 200, body: { ...access, roles: 'editor' } }],
      ["another user's access", { status: 200, body: { ...access, userId: 'Ada' } }],
      ["another application's access", { status: 200, body: { ...access, appId: 'wiki' } }],
    ] as readonly (readonly [string, Exchange])[]
  ).map(([name, exchange]) => ({
    name: `${name} is unexpected, and never a yes or a no`,
    steps: [ask],
    exchanges: [exchange],
    says: ['unexpected_answer'],
    sends: 1,
  })),
  {
    name: 'a clock is not corrected by a refusal without the nonce',
    steps: [ask, ask],
    exchanges: [{ ...skewed(200), nonce: null }, ok],
    says: ['unexpected_answer', 'true'],
    sends: 2,
  },
  ...(
    [
      ['one answer too few', [access]],
      ['one answer too many', [access, unknown, unknown]],
      ['another order', [unknown, access]],
      ['an access without a status', [{ ...access, effectiveStatus: undefined }, unknown]],
      ["another application's access", [{ ...access, appId: 'wiki' }, unknown]],
      ['another code', [access, { ...unknown, code: 'unavailable' }]],
      ['null', [access, null]],
    ] as readonly (readonly [string, unknown])[]
  ).map(([name, items]) => ({
    name: `a check with ${name} is unexpected`,
    steps: [check],
    exchanges: [{ status: 200, body: { items } }],
    says: ['unexpected_answer'],
    sends: 1,
  })),
  ...(
    [
      ['without a cursor', page(null, false, '1')],
      ['that does not say whether there is more', { status: 200, body: { items: [], cursor: 'a' } }],
      ['whose items are no list', { status: 200, body: { items: {}, more: false, cursor: 'a' } }],
    ] as readonly (readonly [string, Exchange])[]
  ).map(([name, exchange]) => ({
    name: `a page of changes ${name} is unexpected`,
    steps: [changes],
    exchanges: [exchange],
    says: ['unexpected_answer'],
    sends: 1,
  })),
  {
    name: 'a page of changes with more behind the same cursor is unexpected',
    steps: [{ ...changes, after: 'a' }],
    exchanges: [page('a', true, '1')],
    says: ['unexpected_answer'],
    sends: 1,
  },
];

/** A clock that is not the service's. */
const clocks: readonly FailureCase[] = [
  ...[-200, 200].map((seconds) => ({
    name: `a read is signed by the clock of a server that is ${seconds} s ahead, under the same nonce`,
    steps: [ask, ask],
    exchanges: [skewed(seconds), ok],
    says: ['true', 'true'],
    sends: 3,
  })),
  ...[-86_400, 86_400].map((seconds) => ({
    name: `the clock is corrected by five minutes at most, even if the server is ${seconds} s ahead`,
    steps: [ask],
    exchanges: [skewed(seconds), ok],
    says: ['true'],
    sends: 2,
  })),
  {
    name: 'the clock is corrected only once in a call',
    steps: [ask],
    exchanges: [skewed(200), skewed(-100)],
    says: ['clock_skew'],
    sends: 2,
  },
  {
    name: 'a write is never signed ahead of the clock of the machine',
    steps: [block, ask, block],
    exchanges: [skewed(200), skewed(200), ok, skewed(200)],
    says: ['clock_skew', 'true', 'clock_skew'],
    sends: 4,
  },
  {
    name: 'a write is signed with the earlier time of a server that is behind',
    steps: [block],
    exchanges: [skewed(-200), done],
    says: ['enabled'],
    sends: 2,
  },
  {
    name: 'a server time that cannot be read corrects nothing',
    steps: [ask, ask],
    exchanges: [refusal(401, 'clock_skew', { serverTime: 'now' }), ok],
    says: ['clock_skew', 'true'],
    sends: 2,
  },
  {
    name: 'another refusal with a server time corrects nothing',
    steps: [ask, ask],
    exchanges: [refusal(401, 'signature_mismatch', { serverTime: '2026-11-20T12:03:20.000Z' }), ok],
    says: ['signature_mismatch', 'true'],
    sends: 2,
  },
];

/** A service that does not answer. */
const circuits: readonly FailureCase[] = [
  {
    name: 'after three calls that timed out, calls fail at once, until a probe is answered',
    client: { timeoutSeconds: 2, maxAttempts: 1 },
    steps: [ask, ask, ask, ask, { wait: 4 }, ask, { wait: 1 }, ask, ask],
    exchanges: [{ fault: 'hang' }, { fault: 'hang' }, { fault: 'hang' }, ok],
    says: ['no_answer', 'no_answer', 'no_answer', 'circuit_open', 'circuit_open', 'true', 'true'],
    sends: 5,
  },
  {
    name: 'a probe that times out opens the circuit again',
    client: { timeoutSeconds: 2, maxAttempts: 1 },
    steps: [ask, ask, ask, { wait: 5 }, ask, ask],
    exchanges: [{ fault: 'hang' }],
    says: ['no_answer', 'no_answer', 'no_answer', 'no_answer', 'circuit_open'],
    sends: 4,
  },
  {
    name: 'an error that is an answer keeps the circuit closed',
    client: { timeoutSeconds: 2, maxAttempts: 1 },
    steps: [ask, ask, ask, ask],
    exchanges: [{ fault: 'hang' }, { fault: 'hang' }, unavailable, ok],
    says: ['no_answer', 'no_answer', 'unavailable', 'true'],
    sends: 4,
  },
];

/** All cases. */
export const failureCases: readonly FailureCase[] = [
  ...answers,
  ...refusals,
  ...retries,
  ...foreign,
  ...clocks,
  ...circuits,
];
