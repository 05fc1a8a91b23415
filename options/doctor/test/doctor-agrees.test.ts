import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { describeService } from '#test/support/describe-service.ts';
import { send } from '#test/support/send-request.ts';
import { type SignedByHand, signByHand } from '#test/support/sign-by-hand.ts';
import { diagnose } from '../diagnose.ts';
import { readHttpRequest } from '../read-http-request.ts';

const service = describeService();

/** The bytes on the wire. */
function rawRequest({ method, target, headers, body = '' }: SignedByHand): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${new URL(service.url).host}`, ...lines];
  const text = `${head.join('\r\n')}\r\n\r\n`.replace(' /', ` ${service.url}/`);
  return Buffer.concat([Buffer.from(text), Buffer.from(body)]);
}

/** The codes of the service and of the doctor for a request; the doctor cannot know which users exist. */
async function judge(target: string, claimed: Readonly<Record<string, string>> = {}) {
  return compare(signByHand(service.url, service.billingKey, { method: 'GET', target, claimed }));
}

async function compare(request: SignedByHand) {
  const { status, body } = await send(service.url, request);
  const refusal = body.code ?? (status === 400 ? 'bad_request' : null);
  const options = { key: service.billingKey, at: new Date(), answered: undefined };
  const { code, mistakes, signatureBase } = diagnose(readHttpRequest(rawRequest(request)), options);
  const isSame = body.signatureBase === undefined || body.signatureBase === signatureBase;
  return { service: refusal === 'user_not_found' ? null : refusal, doctor: code, mistakes, isSame };
}

const both = (code: string | null) => ({ service: code, doctor: code, isSame: true });

test.each<[string, string | null]>([
  ['ada', null],
  ['auth0%7C123', null],
  ['auth0|123', null],
  ['a%2Bb@c.de', 'signature_mismatch'],
  ['auth0%7c123', 'signature_mismatch'],
  ['a%7Eb', 'signature_mismatch'],
  ['%61da', 'signature_mismatch'],
  ['auth0%257C123', 'signature_mismatch'],
  ['a%2525b', 'signature_mismatch'],
  ['a%20b', 'invalid_request'],
  ['%C3%BC', 'invalid_request'],
  ['a%2Fb', 'route_not_found'],
  ['a%252Fb', 'route_not_found'],
  ['a%3Fb', 'route_not_found'],
  ['', 'route_not_found'],
  ['a%25b', 'bad_request'],
  ['%zz', 'bad_request'],
  ['%c3', 'bad_request'],
])(
  'the doctor and the service agree on the user id %j in a path that is signed as it is sent',
  async (segment, code) => {
    const judged = await judge(`/api/service/users/${segment}/access`);
    expect(judged).toMatchObject(both(code));
    if (code === 'signature_mismatch') expect(judged.mistakes).toEqual(['path_encoding']);
  },
);

test('the doctor and the service agree on a query that was signed in a different order', async () => {
  const signed = { '@query': '?after=01KB3Z8Q6V0M5E7R9T1W3Y5A7C&limit=10' };
  const judged = await judge('/api/service/changes?limit=10&after=01KB3Z8Q6V0M5E7R9T1W3Y5A7C', signed);
  expect(judged).toEqual({ ...both('signature_mismatch'), mistakes: ['query_order'] });
});

test('the doctor and the service agree that a query counts in the order in which it is sent and signed', async () => {
  expect(await judge('/api/service/changes?limit=10')).toMatchObject(both(null));
  expect(await judge('/api/service/users/ada/access?b=1&a=2')).toMatchObject({
    service: 'invalid_request',
    doctor: null,
  });
});

const json = '{"status":"disabled","reason":"gekündigt"}';
const latin1 = Buffer.from(json, 'latin1');

test.each<[string, Readonly<Record<string, string>>, string | Buffer, string | null]>([
  ['a JSON object', {}, json, null],
  ['a JSON object with the encoding identity', { 'content-encoding': 'identity' }, json, null],
  ['text that is not UTF-8', {}, latin1, 'digest_mismatch'],
  ['text that is not UTF-8, delivered in base64', { 'content-type': 'application/x+json' }, latin1, 'malformed_json'],
  ['gzip', { 'content-encoding': 'gzip' }, gzipSync(json), 'unsupported_media_type'],
  ['gzip that is not announced', {}, gzipSync(json), 'digest_mismatch'],
  [
    'gzip, delivered in base64',
    { 'content-encoding': 'gzip', 'content-type': 'application/x+json' },
    gzipSync(json),
    'unsupported_media_type',
  ],
  ['a text', { 'content-type': 'text/plain' }, json, 'unsupported_media_type'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1&b=2', 'unsupported_media_type'],
  ['single quotes', {}, "{'status':'disabled'}", 'malformed_json'],
  ['a byte order mark', {}, `\ufeff${json}`, 'malformed_json'],
  ['a list', {}, `[${json}]`, 'invalid_request'],
])('the doctor and the service agree on a body that is %s', async (_, headers, body, code) => {
  const bytes = Buffer.from(body);
  const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
  const signed = signByHand(service.url, service.billingKey, {
    method: 'PUT',
    target: '/api/service/users/ada/access',
    body: '(replaced)',
    headers: { 'content-type': 'application/json', 'content-digest': digest, ...headers },
  });
  expect(await compare({ ...signed, body: bytes })).toMatchObject(both(code));
});

test.each(['cookie', 'connection', 'keep-alive', 'te'])(
  'the doctor and the service agree on the header %s, which is covered and never arrives',
  async (name) => {
    const signed = signByHand(service.url, service.billingKey, {
      method: 'GET',
      target: '/api/service/users/ada/access',
      headers: { [name]: 'trailers' },
      covered: ['@method', '@authority', '@path', name],
    });
    expect(await compare(signed)).toMatchObject(both('component_missing'));
    const options = { key: service.billingKey, at: new Date(), answered: undefined };
    const { checks } = diagnose(readHttpRequest(rawRequest(signed)), options);
    expect(checks.find((check) => check.name === 'headers')?.fix).toContain(
      `do not cover ${name}: API Gateway removes it`,
    );
  },
);
