import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { diagnose } from '../../cli/doctor/diagnose.ts';
import { readHttpRequest } from '../../cli/doctor/read-http-request.ts';
import { send } from '../support/send-request.ts';
import { type SignedByHand, signByHand } from '../support/sign-by-hand.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

/** The bytes on the wire. */
function rawRequest({ method, target, headers }: SignedByHand): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${new URL(service.url).host}`, ...lines];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`.replace(' /', ` ${service.url}/`));
}

/** The codes of the service and of the doctor for a request; the doctor cannot know which users exist. */
async function judge(target: string, claimed: Readonly<Record<string, string>> = {}) {
  const request = signByHand(service.url, service.billingKey, { method: 'GET', target, claimed });
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
