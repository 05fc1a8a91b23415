import type { SigningOptions } from '#shared/signature/sign.ts';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';

/** A request to the Service API, and the deviations of its signature. */
export interface SignedCase {
  readonly method: string;
  readonly target: string;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: one with all scopes. */
  readonly key?: 'reader' | 'revoked' | 'unknown' | undefined;
  readonly signing?: Partial<SigningOptions> | undefined;
  /** How many seconds in the future the signature is created. */
  readonly createdAfter?: number | undefined;
  /** Changes headers after they were signed; undefined removes one. */
  readonly sent?: Readonly<Record<string, string | undefined>> | undefined;
  /** Changes the body after it was signed. */
  readonly sentBody?: string | undefined;
}

type Options = Omit<SignedCase, 'method' | 'target'>;

const ada = '/api/service/users/ada/access';
const json = (value: unknown) => JSON.stringify(value);
const get = (target: string, options: Options = {}): SignedCase => ({ method: 'GET', target, ...options });
const put = (setting: unknown, options: Options = {}): SignedCase => ({
  method: 'PUT',
  target: ada,
  body: json(setting),
  ...options,
});
const putText = (body: string | Uint8Array<ArrayBuffer>, options: Options = {}) => put({}, { body, ...options });
const assign = (grant: unknown, options: Options = {}): SignedCase => ({
  method: 'POST',
  target: '/api/service/roles/ada/assign',
  body: json(grant),
  ...options,
});
const revoke = (query: string, body?: unknown, options: Options = {}): SignedCase => ({
  method: 'DELETE',
  target: `/api/service/users/ada/revoke${query}`,
  body: body === undefined ? body : json(body),
  ...options,
});
const check = (userIds: unknown, options: Options = {}): SignedCase => ({
  method: 'POST',
  target: '/api/service/access/check',
  body: json({ userIds }),
  ...options,
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const ends = [
  inDays(1),
  inDays(-1),
  inDays(365 * 5 - 2),
  inDays(365 * 5 + 5),
  '9999-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '2027-02-30T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2028-02-29T00:00:00Z',
  '2027-13-01T00:00:00Z',
  '2027-01-01',
  '2027-01-01T00:00:00',
  '2027-01-01t00:00:00z',
  '2027-01-01T24:00:00Z',
  '2027-01-01T00:00:00+05:30',
  '2027-01-01T00:00:00.123456789Z',
  '2027-01-01T00:00:00Z\u0000',
  ' 2027-01-01T00:00:00Z',
  '',
  1_900_000_000,
  true,
  null,
];

const texts = [
  '',
  'a',
  'x'.repeat(256),
  'x'.repeat(257),
  '😀'.repeat(128),
  'Zürich',
  'a\u0000b',
  'a\nb',
  '\u007f',
  '\ud800',
  7,
  null,
];
const roles = [
  'viewer',
  'constructor',
  'unknown',
  'r'.repeat(64),
  'r'.repeat(65),
  '',
  '1a',
  'a b',
  'é',
  '__proto__',
  7,
  null,
];
const limits = ['1', '2', '100', '101', '2500', '2501', '0', '-1', '1.5', 'abc', '', ' 1', '1e2', '0x10'];
const tags = ['"0"', '"1"', '*', 'W/"0"', '"0", "1"', '1', '"999999"', '', '"a"', `"${'1'.repeat(1100)}"`];

const settings: readonly SignedCase[] = [
  ...ends.map((until) => put({ status: 'disabled', until })),
  ...texts.map((reason) => put({ status: 'disabled', reason })),
  ...[{}, { status: 'on' }, { status: 'enabled', until: inDays(1) }, { status: 'enabled', more: 1 }].map((body) =>
    put(body),
  ),
  ...['', '{', '[]', 'null', '"text"', '{"status":"enabled"}}', '\ufeff{"status":"enabled"}'].map((body) =>
    putText(body),
  ),
  ...['{"status":"disabled","status":"enabled"}', '{"__proto__":{"status":"enabled"}}'].map((body) => putText(body)),
  putText(Buffer.from([123, 34, 255, 34, 125])),
  ...[16 * 1024, 16 * 1024 + 1].map((bytes) => putText(json({ status: 'enabled' }).padEnd(bytes))),
  ...['text/plain', 'application/merge-patch+json', 'Application/JSON; charset=utf-8', 'application/json2', ''].map(
    (type) => put({ status: 'enabled' }, { headers: { 'content-type': type } }),
  ),
  ...tags.map((tag) => put({ status: 'disabled', reason: tag.slice(0, 9) }, { headers: { 'if-match': tag } })),
  { ...put({ status: 'disabled' }), target: `${ada}?dryRun=true` },
];

const grants: readonly SignedCase[] = [
  ...roles.map((role) => assign({ role })),
  ...ends.map((expiresAt) => assign({ role: 'editor', expiresAt })),
  ...[{}, { role: 'editor', more: 1 }, []].map((body) => assign(body)),
  assign({ role: 'editor' }, { headers: { 'if-match': '"0"' } }),
];

const revocations: readonly SignedCase[] = [
  ...roles.map((role) => revoke('', { role })),
  ...['?role=editor', '?role=', '?role=a&role=b', '?role=editor&more=1', '?more=1', ''].map((query) => revoke(query)),
  revoke('?role=editor', { role: 'editor' }),
  revoke('?role=editor', { role: 'viewer' }),
  revoke('?role=editor', {}),
];

const checks: readonly SignedCase[] = [
  ...[['ada'], ['ada', 'ada', 'nobody', 'gone', 'alan'], [], 'ada', null, [7], ['no id'], ['x'.repeat(129)]].map(
    (ids) => check(ids),
  ),
  ...[100, 101].map((count) => check(Array.from({ length: count }, (_, n) => `user-${n}`))),
  { ...check(['ada']), target: '/api/service/access/check?limit=1' },
];

const lists: readonly SignedCase[] = ['access', 'changes'].flatMap((list) => [
  get(`/api/service/${list}`),
  ...limits.map((limit) => get(`/api/service/${list}?limit=${encodeURIComponent(limit)}`)),
  ...['after=', 'after=nonsense', 'before=1', 'limit=1&limit=1'].map((query) => get(`/api/service/${list}?${query}`)),
  ...['actions=access.changed', 'actions=', 'actions=nothing', 'actions=role.assigned,role.revoked'].map((query) =>
    get(`/api/service/${list}?${query}`),
  ),
]);

const ids = [
  'nobody',
  'gone',
  'alan',
  'x'.repeat(128),
  'x'.repeat(129),
  'a b',
  'a/b',
  'a?b',
  'é',
  '\u0000',
  '%',
  '%41',
  '{}',
];
const users: readonly SignedCase[] = [
  ...[...awkwardUserIds, ...ids].map((id) => get(`/api/service/users/${encodeURIComponent(id)}/access`)),
  ...['%zz', '%61da', 'ada%3F', 'ADA', '%2e', ''].map((segment) => get(`/api/service/users/${segment}/access`)),
];

// The fake has no webhooks.
const paths = everyEndpoint.map(({ path }) => path.replace('{userId}', 'ada'));
const routes: readonly SignedCase[] = [
  ...[...new Set(paths)].flatMap((target) =>
    ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'].map((method) => ({ method, target })),
  ),
  ...['/', '/api/service', `${ada}/`, '/api/service/users', '/api//service/access', '/API/service/access'].map((path) =>
    get(path),
  ),
];

const covering = (components: string) => ({
  'signature-input': `sig1=(${components});created=1;nonce="0123456789abcdef";keyid="k"`,
});
const signatures: readonly SignedCase[] = [get(ada), put({ status: 'enabled' })].flatMap((valid) =>
  [
    ...[-310, -301, -270, 270, 330].map((createdAfter) => ({ createdAfter })),
    ...['short', 'n'.repeat(15), 'n'.repeat(64), 'n'.repeat(65), 'a nonce that has spaces', 'nonce-with-"-quotes'].map(
      (nonce) => ({
        signing: { nonce },
      }),
    ),
    { signing: { secret: `svs_${'A'.repeat(43)}` } },
    { signing: { keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX' } },
    { signing: { keyId: 'svk_k9_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX' } },
    { signing: { keyId: 'nonsense' } },
    { signing: { expires: 1 } },
    { signing: { label: 'mine' } },
    { signing: { cover: ['x-mine'] }, headers: { 'x-mine': 'value' } },
    { signing: { cover: ['x-mine'] }, headers: { 'x-mine': 'value' }, sent: { 'x-mine': 'other' } },
    { sent: { signature: undefined } },
    { sent: { 'signature-input': undefined } },
    { sent: { signature: undefined, 'signature-input': undefined } },
    { sent: { signature: 'sig1=:AAAA:' } },
    { sent: { signature: 'nonsense' } },
    { sent: { 'signature-input': 'nonsense' } },
    { sent: covering('"@method"') },
    { sent: covering('"@method" "@authority" "@path" "@method"') },
    { sent: { 'if-match': '"1"' } },
    { sent: { 'content-digest': 'sha-256=:AAAA:' } },
    { sentBody: valid.body === undefined ? undefined : '{"status":"disabled"}' },
    ...(['reader', 'revoked', 'unknown'] as const).map((key) => ({ key })),
  ].map((options): SignedCase => ({ ...valid, ...options })),
);

const scopes: readonly SignedCase[] = [
  assign({ role: 'editor' }),
  revoke('?role=editor'),
  check(['ada']),
  ...lists.slice(0, 1),
].flatMap((valid) => (['reader', 'revoked'] as const).map((key) => ({ ...valid, key })));

const named = (name: string, created: number): Options => ({
  signing: { nonce: name.padEnd(20, '-') },
  createdAfter: created,
});
const replays: readonly SignedCase[] = [
  ...[0, 0, 1, 1].map((created) => put({ status: 'disabled', reason: 'once' }, named('replayed', created))),
  ...[0, 1].map((n) => put({ status: 'disabled', reason: `${n}` }, named('other-call', n))),
  ...[0, 0].map((created) => put({ status: 'off' }, named('refused', created))),
  ...[0, 0, 1].map((created) => assign({ role: 'unknown' }, named('refused-by-domain', created))),
  ...[0, 0].map((created) => get(ada, named('read', created))),
];

/** Requests to all operations, in the order in which they are sent. */
export const signedRequests: readonly SignedCase[] = [
  ...settings,
  ...grants,
  ...revocations,
  ...checks,
  ...lists,
  ...users,
  ...routes,
  ...signatures,
  ...scopes,
  ...replays,
];
