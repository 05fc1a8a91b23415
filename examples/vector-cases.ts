import {
  base,
  digestOf,
  edit,
  json,
  revisedUrl,
  sha512Of,
  type VectorRequest,
  withBody,
  without,
  withSecondSignature,
} from './vector-request.ts';

/**
 * One test vector before it is signed: what the signer signs, how it changes in transit, and how the service responds.
 */
export interface VectorCase {
  readonly name: string;
  /** `accepted`, or the error code. */
  readonly expected: string;
  readonly request: VectorRequest;
  /** The covered components; by default those that the profile requires of this request. */
  readonly cover?: readonly string[];
  /** Defaults to `sig1`. */
  readonly label?: string;
  /** Replaces `created`, `nonce` and `keyid`, in the order in which they are written. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Changes the signature base, whose last line has the parameters, to one that no library would sign. */
  readonly rewrite?: (signatureBase: string) => string;
  /** The key known to the service; by default the test key. */
  readonly key?: VectorKey;
  /** Signs with another secret than the key's. */
  readonly secret?: string;
  /** What arrives instead of what was signed. */
  readonly arrives?: (signed: VectorRequest) => VectorRequest;
  /** The server's clock, in seconds since 1970; by default the time of `created`. */
  readonly now?: number;
}

export interface VectorKey {
  readonly id: string;
  readonly secret: string;
  /** `hmac-` and the hash function. */
  readonly algorithm: string;
}

/** Grants no access: no root key derives this secret. */
export const testKey: VectorKey = {
  id: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX',
  secret: 'svs_this-is-test-data-and-it-opens-no-door-here',
  algorithm: 'hmac-sha256',
};
export const createdSeconds = 1_795_201_200;
const nonce = 'test-nonce-0123456789';
/** The signature parameters that a vector does not override. */
export const parameters = { created: createdSeconds, nonce, keyid: testKey.id };

const read: VectorRequest = { method: 'GET', url: `${base}/users/ada/access`, headers: {} };
const write = withBody('PUT', '/users/ada/access', '{"status":"disabled","reason":"unpaid"}');
const assign = withBody('POST', '/roles/ada/assign', '{"role":"editor"}');
const revoke = withBody('DELETE', '/users/ada/revoke', '{"role":"editor"}');
const revokeByQuery: VectorRequest = { method: 'DELETE', url: `${base}/users/ada/revoke?role=editor`, headers: {} };
const conditional = { ...write, headers: { ...write.headers, 'If-Match': '"3"' } };
const required = ['@method', '@authority', '@path'];

const accepted: readonly Omit<VectorCase, 'expected'>[] = [
  { name: 'a read', request: read },
  { name: 'a write', request: write },
  {
    name: 'the example of the signing page',
    request: withBody('PUT', '/users/auth0%7C123/access', '{"status":"disabled","reason":"left the team"}'),
  },
  { name: 'a POST', request: assign },
  { name: 'a DELETE with a body', request: revoke },
  { name: 'a DELETE with a query', request: revokeByQuery },
  { name: 'a write with If-Match', request: conditional },
  { name: 'an empty query, not covered', request: { ...read, url: `${read.url}?` } },
  { name: 'an empty query, covered', request: { ...read, url: `${read.url}?` }, cover: [...required, '@query'] },
  { name: 'no query, covered', request: read, cover: [...required, '@query'] },
  {
    name: 'a query with encoded characters',
    request: { ...read, url: `${base}/changes?after=a%20b%2B&limit=10&empty=` },
  },
  ...[
    ['strictly encoded', 'auth0%7C123'],
    ['unencoded', 'auth0|123'],
    ['strictly encoded', 'a%2Bb%40c.de'],
    ['unencoded', 'a+b@c.de'],
    ['strictly encoded', 'urn%3Ax%3A1'],
    ['unencoded', 'urn:x:1'],
    ['strictly encoded', 'x%3Dy~z'],
    ['unencoded', 'x=y~z'],
    ['strictly encoded', 'o%27brien%40example.com'],
    ['encoded as by encodeURIComponent', "o'brien%40example.com"],
    ['unencoded', "o'brien@example.com"],
    ['strictly encoded', '%21%24%26%27%28%29%2A%2B%2C%3B%3D'],
    ['encoded as by encodeURIComponent', "!%24%26'()*%2B%2C%3B%3D"],
    ['unencoded', "!$&'()*+,;="],
  ].map(([how, segment]) => ({
    name: `the user id ${decodeURIComponent(segment ?? '')}, ${how}`,
    request: { ...read, url: `${base}/users/${segment}/access` },
  })),
  { name: 'an authority with a port', request: { ...read, url: read.url.replace('.com', '.com:8443') } },
  { name: 'an authority with the default port', request: { ...read, url: read.url.replace('.com', '.com:443') } },
  { name: 'an authority in upper case', request: { ...read, url: read.url.replace('auth.example', 'Auth.EXAMPLE') } },
  {
    name: 'a text in UTF-8',
    request: withBody('PUT', '/users/ada/access', '{"status":"disabled","reason":"gekündigt – 世界"}'),
  },
  {
    name: 'a binary body',
    request: withBody('PUT', '/users/ada/access', Uint8Array.of(0, 255, 128, 10), {
      'Content-Type': 'application/cbor',
    }),
  },
  {
    name: 'the digest of no body, covered',
    request: { ...read, headers: { 'Content-Digest': digestOf('') } },
    cover: [...required, 'content-digest'],
  },
  {
    name: 'a second digest in addition to SHA-256',
    request: { ...write, headers: { ...json, 'Content-Digest': `${sha512Of(write.body)}, ${digestOf(write.body)}` } },
  },
  {
    name: 'another header, covered',
    request: conditional,
    cover: [...required, 'content-digest', 'content-type', 'if-match'],
  },
  {
    name: 'a covered header that is sent twice',
    request: { ...read, headers: { 'X-Team': ['accounts', 'sales'] } },
    cover: [...required, 'x-team'],
  },
  {
    name: 'a covered header with spaces around its value',
    request: { ...read, headers: { 'X-Team': '  accounts ' } },
    cover: [...required, 'x-team'],
  },
  { name: 'components in another order', request: write, cover: ['content-digest', '@path', '@method', '@authority'] },
  {
    name: 'parameters in another order',
    request: read,
    parameters: { keyid: testKey.id, created: createdSeconds, nonce },
  },
  { name: 'another label', request: read, label: 'my-label_2' },
  { name: 'the algorithm stated as alg', request: read, parameters: { ...parameters, alg: 'hmac-sha256' } },
  { name: 'a tag', request: read, parameters: { ...parameters, tag: 'a "tag" with \\' } },
  { name: 'expires, in the same second', request: read, parameters: { ...parameters, expires: createdSeconds } },
  {
    name: 'a retry: the same nonce, signed a second later',
    request: write,
    parameters: { ...parameters, created: createdSeconds + 1 },
    now: createdSeconds + 1,
  },
  {
    name: 'a retry in the same second: the same nonce, another tag',
    request: write,
    parameters: { ...parameters, tag: '2' },
  },
  { name: 'a nonce of 16 characters', request: read, parameters: { ...parameters, nonce: 'n'.repeat(16) } },
  { name: 'a nonce of 64 characters', request: read, parameters: { ...parameters, nonce: 'n'.repeat(64) } },
  { name: 'created 300 seconds ago', request: read, now: createdSeconds + 300 },
  { name: 'created 300 seconds ahead', request: read, now: createdSeconds - 300 },
  { name: 'a Signature-Input of 2,048 bytes', request: read, parameters: paddedTo(2048) },
];

const missing: typeof accepted = [
  {
    name: 'neither Signature nor Signature-Input',
    request: read,
    arrives: (signed) => without(signed, 'Signature', 'Signature-Input'),
  },
  { name: 'no Signature', request: read, arrives: (signed) => without(signed, 'Signature') },
  { name: 'no Signature-Input', request: read, arrives: (signed) => without(signed, 'Signature-Input') },
];

const malformed: typeof accepted = [
  { name: 'a second signature', request: read, arrives: withSecondSignature },
  {
    name: 'a duplicate component',
    request: read,
    rewrite: (text) => text.replace(/^"@path".*\n/m, '$&$&').replace('"@path")', '"@path" "@path")'),
  },
  { name: 'a duplicate parameter', request: read, rewrite: (text) => `${text};created=${createdSeconds}` },
  {
    name: 'a component in upper case',
    request: write,
    rewrite: (text) => text.replaceAll('"content-digest"', '"Content-Digest"'),
  },
  { name: 'a component with ;sf', request: write, rewrite: withParameter('content-digest', 'sf') },
  {
    name: 'a component with ;bs',
    request: write,
    cover: [...required, 'content-digest', 'content-type'],
    rewrite: withParameter('content-type', 'bs', ':YXBwbGljYXRpb24vanNvbg==:'),
  },
  {
    name: 'a component with ;key',
    request: write,
    rewrite: withParameter('content-digest', 'key="sha-256"', digestOf(write.body).slice('sha-256='.length)),
  },
  { name: 'a component with ;req', request: read, rewrite: withParameter('@method', 'req') },
  { name: 'a component with ;tr', request: write, rewrite: withParameter('content-digest', 'tr') },
  ...['@target-uri', '@scheme'].map((name) => ({
    name: `the derived component ${name}`,
    request: read,
    cover: [...required, name],
  })),
  {
    name: 'x-forwarded-for, covered',
    request: { ...read, headers: { 'X-Forwarded-For': '192.0.2.1' } },
    cover: [...required, 'x-forwarded-for'],
  },
  {
    name: 'forwarded, covered',
    request: { ...read, headers: { Forwarded: 'for=192.0.2.1' } },
    cover: [...required, 'forwarded'],
  },
  { name: 'no created', request: read, parameters: { nonce, keyid: testKey.id } },
  { name: 'no nonce', request: read, parameters: { created: createdSeconds, keyid: testKey.id } },
  { name: 'no keyid', request: read, parameters: { created: createdSeconds, nonce } },
  { name: 'no parameters', request: read, rewrite: (text) => text.replace(/;created.*$/, '') },
  { name: 'expires before created', request: read, parameters: { ...parameters, expires: createdSeconds - 1 } },
  { name: 'an unknown parameter', request: read, parameters: { ...parameters, extra: 'x' } },
  { name: 'another algorithm', request: read, rewrite: (text) => `${text};alg="hmac-sha512"` },
  { name: 'the algorithm in upper case', request: read, rewrite: (text) => `${text};alg="HMAC-SHA256"` },
  { name: 'a keyid that is not a key id', request: read, parameters: { ...parameters, keyid: 'billing' } },
  {
    name: 'id and secret of the key swapped',
    request: read,
    parameters: { ...parameters, keyid: testKey.secret },
    secret: testKey.id,
  },
  { name: 'a nonce of 15 characters', request: read, parameters: { ...parameters, nonce: 'n'.repeat(15) } },
  { name: 'a nonce of 65 characters', request: read, parameters: { ...parameters, nonce: 'n'.repeat(65) } },
  { name: 'created as a string', request: read, rewrite: (text) => text.replace(/created=(\d+)/, 'created="$1"') },
  { name: 'created as a decimal', request: read, rewrite: (text) => text.replace(/created=(\d+)/, 'created=$1.0') },
  { name: 'created before 1970', request: read, rewrite: (text) => text.replace('created=', 'created=-') },
  { name: 'two spaces between components', request: read, rewrite: (text) => text.replace('" "', '"  "') },
  { name: 'a space before a parameter', request: read, rewrite: (text) => text.replace(';nonce', '; nonce') },
  { name: 'a Signature-Input of 2,049 bytes', request: read, parameters: paddedTo(2049) },
  {
    name: 'another label in Signature',
    request: read,
    arrives: (signed) => edit(signed, 'Signature', /^sig1/, 'sig2'),
  },
  { name: 'a signature without padding', request: read, arrives: (signed) => edit(signed, 'Signature', /=:$/, ':') },
  { name: 'a signature without colons', request: read, arrives: (signed) => edit(signed, 'Signature', /:/g, '"') },
  {
    name: 'a signature of 31 bytes',
    request: read,
    arrives: (signed) => edit(signed, 'Signature', /=:.*/, `=:${Buffer.alloc(31).toString('base64')}:`),
  },
  {
    name: 'only a SHA-512 digest',
    request: { ...write, headers: { ...json, 'Content-Digest': sha512Of(write.body) } },
  },
  {
    name: 'a digest in hexadecimal',
    request: { ...write, headers: { ...json, 'Content-Digest': `sha-256=${'ab'.repeat(32)}` } },
  },
];

const uncovered: typeof accepted = [
  ...required.map((name) => ({
    name: `${name} is not covered`,
    request: read,
    cover: required.filter((other) => other !== name),
  })),
  { name: 'a query that is not covered', request: revokeByQuery, cover: required },
  { name: 'a body that is not covered', request: write, cover: required },
  {
    name: 'an If-Match that is not covered',
    request: write,
    arrives: (signed) => ({ ...signed, headers: { ...signed.headers, 'If-Match': '"3"' } }),
  },
  {
    name: 'a covered header that was removed',
    request: conditional,
    arrives: (signed) => without(signed, 'If-Match'),
  },
  {
    name: 'a Content-Digest that was removed',
    request: write,
    arrives: (signed) => without(signed, 'Content-Digest'),
  },
];

const skewed: typeof accepted = [
  { name: 'created 301 seconds ago', request: read, now: createdSeconds + 301 },
  { name: 'created 301 seconds ahead', request: read, now: createdSeconds - 301 },
  {
    name: 'expired a second ago',
    request: read,
    parameters: { ...parameters, expires: createdSeconds + 60 },
    now: createdSeconds + 61,
  },
];

const mismatching: typeof accepted = [
  { name: 'another secret', request: read, secret: 'svs_this-is-test-data-too-but-for-no-key-at-all' },
  {
    name: 'a key that was never issued',
    request: read,
    parameters: { ...parameters, keyid: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCY' },
  },
  { name: 'another method', request: read, arrives: (signed) => ({ ...signed, method: 'PUT' }) },
  { name: 'another user', request: read, arrives: (signed) => revisedUrl(signed, '/ada/', '/bob/') },
  { name: 'another query', request: revokeByQuery, arrives: (signed) => revisedUrl(signed, 'editor', 'viewer') },
  { name: 'another host', request: read, arrives: (signed) => revisedUrl(signed, 'auth.', 'auth2.') },
  { name: 'another port', request: read, arrives: (signed) => revisedUrl(signed, '.com', '.com:8443') },
  {
    name: 'another value of a covered header',
    request: conditional,
    arrives: (signed) => edit(signed, 'If-Match', '3', '4'),
  },
  {
    name: 'covered values in another order',
    request: { ...read, headers: { 'X-Team': 'accounts, sales' } },
    cover: [...required, 'x-team'],
    arrives: (signed) => edit(signed, 'X-Team', /(.*), (.*)/, '$2, $1'),
  },
  {
    name: 'another nonce',
    request: read,
    arrives: (signed) => edit(signed, 'Signature-Input', nonce, 'other-nonce-0123456789'),
  },
  {
    name: 'another time',
    request: read,
    arrives: (signed) => edit(signed, 'Signature-Input', '1795201200', '1795201201'),
  },
  {
    name: 'a method in lower case',
    request: { ...read, method: 'get' },
    arrives: (signed) => ({ ...signed, method: 'GET' }),
  },
  {
    name: 'another body with its digest',
    request: write,
    arrives: (signed) => ({ ...signed, headers: { ...signed.headers, 'Content-Digest': digestOf('{}') }, body: '{}' }),
  },
];

const altered: typeof accepted = [
  { name: 'another body', request: write, arrives: (signed) => ({ ...signed, body: '{"status":"enabled"}' }) },
  {
    name: 'the same JSON with a space',
    request: assign,
    arrives: (signed) => ({ ...signed, body: '{"role": "editor"}' }),
  },
  { name: 'a DELETE whose body was dropped', request: revoke, arrives: ({ body, ...signed }) => signed },
];

/** All vectors, in the order in which the server checks for errors. */
export const vectorCases: readonly VectorCase[] = [
  ...expecting('accepted', accepted),
  ...expecting('signature_missing', missing),
  ...expecting('signature_malformed', malformed),
  ...expecting('component_missing', uncovered),
  ...expecting('signature_mismatch', mismatching),
  ...expecting('clock_skew', skewed),
  ...expecting('digest_mismatch', altered),
];

function expecting(expected: string, cases: typeof accepted): VectorCase[] {
  return cases.map((vector) => ({ ...vector, expected }));
}

/** Adds a parameter to a component, and transforms its value accordingly. */
function withParameter(name: string, parameter: string, value?: string): (signatureBase: string) => string {
  return (signatureBase) => {
    const text = signatureBase.replaceAll(`"${name}"`, `"${name}";${parameter}`);
    return value === undefined ? text : text.replace(new RegExp(`(?<=^"${name}";${parameter}: ).*`, 'm'), value);
  };
}

/** Builds a tag that pads the Signature-Input of a read to this length. */
function paddedTo(bytes: number) {
  const text = `sig1=("@method" "@authority" "@path");created=${createdSeconds};nonce="${nonce}";keyid="${testKey.id}";tag=""`;
  return { ...parameters, tag: 't'.repeat(bytes - text.length) };
}
