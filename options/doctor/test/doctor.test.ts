import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shownBase } from '#shared/signature/verify.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { runHere } from '#test/cli/run-here.ts';
import { vectors } from '#test/examples/vectors.ts';
import { createdSeconds, testKey, type VectorKey } from '../../../examples/vector-cases.ts';
import type { Diagnosis } from '../diagnose.ts';
import { mistakes } from '../mistakes.ts';
import { type SignedWrongly, sentAt, signWrongly } from './doctor-request.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'auth-service-doctor-'));
  await writeKey('key.json', testKey);
});
afterAll(() => rm(folder, { recursive: true }));

function writeKey(name: string, { id, secret }: VectorKey): Promise<void> {
  return writeFile(join(folder, name), JSON.stringify({ keyId: id, secret }));
}

interface Visit {
  readonly at?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The output of the doctor about a request, as text or with `--json`. */
async function visit(
  request: string | Uint8Array,
  { at = sentAt, args = ['--key', 'key.json'], env = {} }: Visit = {},
) {
  await writeFile(join(folder, 'request.http'), request);
  return runHere(['doctor', '--request', 'request.http', '--at', at, ...args], { cwd: folder, env });
}

async function diagnosisOf(request: string | Uint8Array, options: Visit = {}): Promise<Diagnosis> {
  const { stdout } = await visit(request, { ...options, args: ['--json', ...(options.args ?? ['--key', 'key.json'])] });
  return JSON.parse(stdout);
}

const replacing = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const query = '/api/service/users/ada/access?role=a+b%20c';
const bare = testKey.secret.slice(4);

const wrongly: Record<string, SignedWrongly> = {
  method_lower_case: { base: replacing('PUT', 'put') },
  method_other: { base: replacing('PUT', 'POST') },
  authority_port: { base: replacing('auth.example.com', 'auth.example.com:443') },
  authority_upper_case: { host: 'Auth.Example.COM', base: replacing('auth.example.com', 'Auth.Example.COM') },
  authority_scheme: { base: replacing('auth.example.com', 'https://auth.example.com') },
  path_decoded: {
    target: '/api/service/users/%C3%BC/access',
    base: (text) => text.replace('%C3%BC', 'ü'),
  },
  path_encoding: { target: '/api/service/users/auth0%7C1/access', base: replacing('%7C', '%7c') },
  path_prefix: { base: replacing('/api/service', '') },
  path_with_query: { target: query, base: replacing(/^("@path".*)$/m, '$1?role=a+b%20c') },
  path_slash: { base: replacing('/access', '/access/') },
  query_missing: { target: query, base: replacing(/^"@query".*\n/m, '') },
  query_mark: { target: query, base: replacing('"@query": ?', '"@query": ') },
  query_encoding: { target: query, base: replacing('?role=a+b%20c', '?role=a%20b%20c') },
  query_order: {
    target: '/api/service/changes?limit=10&after=01KB3Z8Q6V0M5E7R9T1W3Y5A7C',
    method: 'GET',
    base: replacing(/\?(limit=10)&(after=\w+)/, '?$2&$1'),
  },
  digest_missing: { base: replacing(/^"content-digest".*\n/m, '') },
  digest_other: { sent: replacing(/(Content-Digest: sha-256=:)../, '$1AA') },
  digest_form: { base: replacing(/sha-256=:(.*):\n/, 'sha-256=$1\n') },
  component_order: { base: replacing(/^(.*)\n(.*)/, '$2\n$1') },
  component_names: { base: (text) => text.replace(/^"([^"]+)":/gm, '$1:') },
  created_milliseconds: { base: replacing(`created=${createdSeconds}`, `created=${createdSeconds}000`) },
  parameter_order: { base: replacing(/(;created=\d+)(;nonce="[^"]*")/, '$2$1') },
  parameters_missing: { base: replacing(/\n"@signature-params".*$/, '') },
  parameters_label: { base: replacing('"@signature-params": ', '"@signature-params": sig1=') },
  trailing_line_break: { base: (text) => `${text}\n` },
  crlf: { base: (text) => text.replaceAll('\n', '\r\n') },
  escaped_line_breaks: { base: (text) => text.replaceAll('\n', '\\n') },
  secret_white_space: { secret: `${testKey.secret}\n` },
  secret_prefix: { secret: bare },
  secret_decoded: { secret: Buffer.from(bare, 'base64url') },
  secret_quotes: { secret: `"${testKey.secret}"` },
  mac_hex: { mac: (mac) => mac.toString('hex') },
  mac_hex_base64: { mac: (mac) => Buffer.from(mac.toString('hex')).toString('base64') },
  mac_base64url: { mac: (mac) => mac.toString('base64url') },
};

test('the doctor tests make every mistake that the doctor knows', () => {
  expect(Object.keys(wrongly)).toEqual(Object.keys(mistakes));
});

test.each(Object.entries(wrongly))('names the mistake %s, and its fix', async (id, how) => {
  const diagnosis = await diagnosisOf(signWrongly(how));
  const [what, fix] = mistakes[id as keyof typeof mistakes];
  expect(diagnosis).toMatchObject({ accepted: false, mistakes: [id] });
  const { code, stdout, stderr } = await visit(signWrongly(how));
  expect(code).toBe(1);
  expect(stdout).toContain(what);
  expect(stdout).toContain(`Fix: ${fix}`);
  expect(stderr).toContain(`The service would refuse the request: 401 ${diagnosis.code}.`);
});

test('does not mistake a non-canonical MAC for base64url', async () => {
  const mac = (bytes: Buffer) => bytes.toString('base64').replace(/.=$/, '/=');
  expect(await diagnosisOf(signWrongly({ mac }))).toMatchObject({ code: 'signature_malformed', mistakes: [] });
});

test('names two or more combined mistakes', async () => {
  const how = { base: (text: string) => `${text.replace('PUT', 'put')}\n`, secret: bare };
  const { mistakes: made } = await diagnosisOf(signWrongly(how));
  expect(made).toEqual(['method_lower_case', 'trailing_line_break', 'secret_prefix']);
});

test('names the first line that was signed differently', async () => {
  const { stdout } = await visit(signWrongly({ base: replacing('PUT', 'put') }));
  expect(stdout).toContain('First difference: signed "@method": put, the server has "@method": PUT');
});

test('names the line that was not signed', async () => {
  const { stdout } = await visit(signWrongly({ base: replacing(/\n"@signature-params".*$/, '') }));
  expect(stdout).toContain('First difference: signed nothing, the server has "@signature-params": ("@method"');
});

test.each<[string, SignedWrongly]>([
  ['what was signed is not known', { base: () => 'another text' }],
  ['the lines are the same', { base: (text) => `${text}\n` }],
  ['the secret is wrong', { secret: bare }],
])('names no line that differs when %s', async (_when, how) => {
  expect(await diagnosisOf(signWrongly(how))).toMatchObject({ code: 'signature_mismatch', difference: null });
});

test.each(vectors.map((vector) => [vector.expected, vector.name, vector] as const))(
  'the doctor judges a test vector as the verifier does: %s, %s',
  async (expected, _name, vector) => {
    const at = new Date(vector.time * 1000).toISOString();
    await writeKey('vector-key.json', vector.key);
    const diagnosis = await diagnosisOf(rawRequest(vector.request), { at, args: ['--key', 'vector-key.json'] });
    // A vector says nothing about the content of a body: one has bytes that are not JSON.
    const refusal = diagnosis.checks.find(({ name, code }) => name !== 'body' && code !== undefined);
    expect(refusal?.code ?? 'accepted').toBe(expected);
    if (expected === 'accepted') expect(diagnosis.signatureBase).toBe(vector.signatureBase);
    if (expected !== 'signature_mismatch') return;
    expect(shownBase(diagnosis.signatureBase ?? '')).toBe(vector.serverSignatureBase);
  },
);

/** The bytes on the wire, with the target in origin form. */
function rawRequest({ method, url, headers, body = '', bodyBase64 }: (typeof vectors)[number]['request']): Buffer {
  const [, host = '', target = ''] = /^https:\/\/([^/]+)(.*)$/.exec(url) ?? [];
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([
    Buffer.from(head),
    bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64'),
  ]);
}

const accepted = { accepted: true, code: null, mistakes: [], difference: null };

test.each<[string, string]>([
  ['line feeds', signWrongly()],
  ['CRLF', signWrongly().replaceAll('\n', '\r\n')],
  [
    'an absolute target',
    signWrongly()
      .replace('PUT /', 'PUT https://auth.example.com/')
      .replace(/Host: .*\n/, ''),
  ],
  ['no version', signWrongly().replace(' HTTP/1.1', '')],
  ['no body', signWrongly({ method: 'GET' })],
  ['no body and no empty line', signWrongly({ method: 'GET' }).trimEnd()],
  ['no body and too many line breaks', `${signWrongly({ method: 'GET' })}\n\n`],
  ['a line break behind Content-Length', `${signWrongly().replace('Host:', 'Content-Length: 20\nHost:')}\n`],
])('reads a raw request that has %s', async (_what, request) => {
  expect(await diagnosisOf(request)).toMatchObject(accepted);
});

test('reads a raw request from standard input', async () => {
  const args = ['doctor', '--request', '-', '--at', sentAt];
  const { code, stdout, stderr } = await runCli(args, { input: signWrongly(), env: { SECRET: testKey.secret } });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('The signature is valid with this secret.');
});

test.each([
  ['', 'The first line is not a request line'],
  ['GET /', 'neither a Host header'],
  ['GET / HTTP/1.1\nHost: [', 'The host [ is not valid'],
  ['GET / HTTP/1.1\nHost auth', 'Line 2 is not a header'],
  ['PUT / HTTP/1.1\nHost: a\nContent-Length: 5\n\nabc', 'Content-Length is 5, but the body has 3 bytes'],
  ['PUT / HTTP/1.1\nHost: a\nContent-Length: x\n\nabc', 'Content-Length is not a whole number'],
])('refuses %j as a raw request: %s', async (request, message) => {
  const { code, stderr } = await visit(request);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

const later = new Date((createdSeconds + 301) * 1000).toISOString();
const milliseconds = replacing(/created=(\d+)/, 'created=$1000');

test.each<[string, string, string, string, string?]>([
  ['endpoint', signWrongly({ target: '/api/service/user/ada/access' }), 'route_not_found', 'call one of GET /api/'],
  ['endpoint', signWrongly({ method: 'put' }), 'route_not_found', 'send the method in upper case'],
  ['headers', signWrongly({ sent: replacing(/Signature: .*\n/, '') }), 'signature_missing', 'send both'],
  ['headers', signWrongly({ params: replacing(' "@path"', '') }), 'component_missing', 'list it in Signature-Input'],
  ['headers', signWrongly({ params: replacing('" "', '"  "') }), 'signature_malformed', 'one space between components'],
  ['headers', signWrongly({ params: replacing(/nonce="[^"]*/, 'nonce="short') }), 'signature_malformed', 'write the'],
  [
    'signature',
    signWrongly({ params: replacing('svk_k1_', 'svk_k2_') }),
    'signature_mismatch',
    'of the key in "keyid"',
  ],
  ['signature', signWrongly({ secret: 'another' }), 'signature_mismatch', 'the secret belongs to another key'],
  ['clock', signWrongly(), 'clock_skew', 'sign right before sending', later],
  ['clock', signWrongly({ params: milliseconds }), 'clock_skew', `use seconds, ${createdSeconds}`],
  ['digest', `${signWrongly()}\n`, 'digest_mismatch', 'without the line break at its end'],
  ['digest', signWrongly({ body: '{\r\n}', sent: replacing('{\r\n}', '{\n}') }), 'digest_mismatch', 'with CRLF'],
  ['digest', signWrongly({ sent: replacing('"enabled"', '"disabled"') }), 'digest_mismatch', 'exactly those bytes'],
  ['digest', signWrongly({ sent: replacing(/Content-Digest: .*\n/, '') }), 'component_missing', 'send Content-Digest'],
  ['endpoint', signWrongly({ target: '/api/service/users/a%2Fb/access' }), 'route_not_found', 'with a slash'],
  ['endpoint', signWrongly({ target: '/api/service/users/a%25b/access' }), 'bad_request', 'with a percent sign'],
  ['path', signWrongly({ target: '/api/service/users/a%2525b/access' }), 'invalid_request', 'encoded twice'],
  ['path', signWrongly({ target: '/api/service/users/a%20b/access' }), 'invalid_request', '1 to 128 of'],
])('the check of the %s says what is wrong and how to fix it: %j', async (name, request, code, fix, at = sentAt) => {
  const { checks } = await diagnosisOf(request, { at });
  expect(checks).toContainEqual(expect.objectContaining({ name, code, fix: expect.stringContaining(fix) }));
});

test('says that API Gateway, and not the service, refuses a path that it cannot decode', async () => {
  const { code, stderr } = await visit(signWrongly({ target: '/api/service/users/a%25b/access' }));
  expect(code).toBe(1);
  expect(stderr).toContain('API Gateway would refuse the request: 400, without a code.');
});

test('says that the nonce of a write identifies the call, and that of a read is not stored', async () => {
  expect((await visit(signWrongly())).stdout).toContain(
    'identifies the call: retry with the same nonce and a new signature',
  );
  expect((await visit(signWrongly({ method: 'GET' }))).stdout).toContain('not stored');
});

test('accepts an equivalent encoding of the user id, and shows the canonical one', async () => {
  const { code, stdout } = await visit(signWrongly({ method: 'GET', target: '/api/service/users/a|b/access' }));
  expect(code).toBe(0);
  expect(stdout).toContain('user id a|b; canonical path /api/service/users/a%7Cb/access');
});

async function compared(request: string, problem: object) {
  await writeFile(join(folder, 'problem.json'), JSON.stringify(problem));
  return visit(request, { args: ['--key', 'key.json', '--response', 'problem.json'] });
}

test('with --response names the line that was changed on the way', async () => {
  const { signatureBase } = await diagnosisOf(signWrongly());
  const changed = signatureBase?.replace('auth.example.com', 'backend.internal');
  const { stdout } = await compared(signWrongly(), { code: 'signature_mismatch', signatureBase: changed });
  expect(stdout).toContain('signed "@authority": auth.example.com, the server has "@authority": backend.internal');
});

test('with --response says that the service has a different secret if the bases are the same', async () => {
  const { signatureBase } = await diagnosisOf(signWrongly());
  const { stdout } = await compared(signWrongly(), { code: 'signature_mismatch', signatureBase });
  expect(stdout).toContain('First difference: same base: wrong secret or unknown key');
});

const withTeam = (value: string) =>
  signWrongly({
    params: replacing('("@method"', '("x-team" "@method"'),
    base: (text) => `"x-team": ${value}\n${text}`,
    sent: (text) => text.replace('\n', '\nX-Team: sales\n'),
  });

test.each([
  ['changed', 'accounts'],
  ['not changed', 'sales'],
])('with --response reports no difference in a line whose value the service does not show: %s', async (_, value) => {
  const { signatureBase } = await diagnosisOf(withTeam(value));
  expect(signatureBase).toContain('"x-team": sales');
  const shown = shownBase(signatureBase ?? '');
  expect(shown).toContain('"x-team": (not shown)');
  const { stdout } = await compared(withTeam(value), { code: 'signature_mismatch', signatureBase: shown });
  expect(stdout).not.toContain('First difference');
  const changed = shown.replace('auth.example.com', 'backend.internal');
  const other = await compared(withTeam(value), { code: 'signature_mismatch', signatureBase: changed });
  expect(other.stdout).toContain('the server has "@authority": backend.internal');
});

test('refuses a --response without a signature base', async () => {
  const { code, stderr } = await compared(signWrongly(), { code: 'clock_skew' });
  expect(code).toBe(2);
  expect(stderr).toMatch(/no signatureBase.*\n.*clock_skew/);
});

const requestWithSecret = () =>
  signWrongly({ base: replacing('PUT', 'put') }).replace('\n', `\nX-Secret: ${testKey.secret}\n`);

test.each<[string, Visit]>([
  ['--key', { args: ['--key', 'key.json'] }],
  ['--secret', { args: ['--secret', testKey.secret] }],
  ['SECRET', { args: [], env: { SECRET: `${testKey.secret}\n` } }],
])('reads the secret from %s', async (_from, how) => {
  expect((await diagnosisOf(requestWithSecret(), how)).mistakes).toEqual(['method_lower_case']);
});

test.each([[[]], [['--json']], [['--debug']]])('does not print the secret with %j', async (flags) => {
  const covered = signWrongly({ params: replacing(')', ' "x-secret")') });
  const leaking = covered.replace('\n', `\nX-Secret: ${testKey.secret}\n`);
  const { stdout, stderr } = await visit(leaking, { args: [...flags, '--key', 'key.json'] });
  expect(stdout).toContain('[secret]');
  expect(stdout + stderr).not.toContain(bare);
});

test.each<[string, Visit, string]>([
  ['no secret', { args: [] }, 'No secret was given.'],
  ['one that was cut', { args: ['--secret', testKey.secret.slice(0, -1)] }, 'has 46 characters'],
  ['one without its beginning', { args: [], env: { SECRET: bare } }, 'does not begin with svs_'],
  ['a missing file', { args: ['--key', 'none.json'] }, 'There is no file none.json.'],
  ['a file that is not JSON', { args: ['--key', 'request.http'] }, 'is not a JSON object'],
  ['a second one', { args: ['--key', 'key.json', '--secret', testKey.secret] }, 'cannot be used with'],
])('refuses the secret without showing it when there is %s', async (_what, how, message) => {
  const { code, stdout, stderr } = await visit(requestWithSecret(), how);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain(bare.slice(0, -1));
});

test('refuses a key file without a key', async () => {
  await writeFile(join(folder, 'other.json'), '{}');
  expect((await visit(requestWithSecret(), { args: ['--key', 'other.json'] })).stderr).toContain('no keyId and secret');
});
