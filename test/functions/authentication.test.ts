import { describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { type Key, send } from '../support/send-request.ts';
import { type RequestByHand, requiredComponents, signByHand } from '../support/sign-by-hand.ts';
import {
  type Change,
  dropHeaders,
  editHeader,
  read,
  setHeaders,
  target,
  unchanged,
  write,
} from '../support/tampered-requests.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();

const neverIssued = 'svk_k1_billing_01JD0000000000000000000000';
const seconds = () => Date.now() / 1000;

const sendByHand = (request: RequestByHand, change = unchanged, key?: Key) =>
  send(service.url, change(signByHand(service.url, key ?? service.billingKey, request)));

describe.each([
  ['a read', read],
  ['a write', write],
])('authentication of %s', (kind, request) => {
  const required = requiredComponents(request);
  const covering = (...more: readonly string[]) => ({ covered: [...required, ...more] });
  const edited = (edit: (text: string) => string) => ({ edit });
  const without = (unwanted: string) => ({ covered: required.filter((name) => name !== unwanted) });

  describe('200', () => {
    test.each<[string, () => Partial<RequestByHand>]>([
      ['as the profile specifies', () => ({})],
      ['280 seconds old', () => ({ created: Math.ceil(seconds()) - 280 })],
      ['299 seconds ahead', () => ({ created: Math.floor(seconds()) + 299 })],
      ['that has not expired yet', () => edited((text) => `${text};expires=${Math.ceil(seconds()) + 60}`)],
      ['that names its algorithm', () => edited((text) => `${text};alg="hmac-sha256"`)],
      ['with a tag', () => edited((text) => `${text};tag="our app"`)],
      ['with its parameters in another order', () => edited((text) => text.replace(/(;created=\d+)(.*)/, '$2$1'))],
      ['over its components in another order', () => ({ covered: required.toReversed() })],
      ['over a query that is absent', () => covering('@query')],
      ['over further headers', () => ({ ...covering('x-a', 'x-b'), headers: { 'x-a': '1', 'x-b': 'two  words' } })],
      [
        'over a header named like an inherited property',
        () => ({ ...covering('constructor'), headers: { constructor: '1' } }),
      ],
    ])('accepts a signature %s', async (_, more) => {
      expect((await sendByHand({ ...request, ...more() })).status).toBe(200);
    });

    test('accepts a signature with any label', async () => {
      const change: Change = (sent) =>
        ['signature-input', 'signature'].reduce(
          (so, name) => editHeader(name, (v) => v.replace('sig1', 'my.label'))(so),
          sent,
        );
      expect((await sendByHand(request, change)).status).toBe(200);
    });

    test.each([
      ['that is sent twice', ['one', 'two'], 'one, two'],
      ['that is sent three times, once as a list', ['one', 'two, three', 'four'], 'one, two, three, four'],
      ['with a list without spaces', 'one,two', 'one,two'],
    ])('accepts a covered header %s', async (_, sent, signed) => {
      const list = { headers: { 'x-list': sent }, claimed: { 'x-list': signed } };
      expect((await sendByHand({ ...request, ...covering('x-list'), ...list })).status).toBe(200);
    });

    test('ignores x-forwarded-host and every other header that is not covered', async () => {
      const change = setHeaders({ 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-a': '1' });
      expect((await sendByHand(request, change)).status).toBe(200);
    });
  });

  describe('401 signature_missing', () => {
    writeNothing(() => service);

    test.each([
      ['neither header is present', ['signature', 'signature-input']],
      ['Signature is missing', ['signature']],
      ['Signature-Input is missing', ['signature-input']],
    ])('401 signature_missing if %s', async (_, names) => {
      expectProblem(await sendByHand(request, dropHeaders(...names)), 'signature_missing');
    });
  });

  describe('401 signature_malformed', () => {
    writeNothing(() => service);

    test.each<[string, Partial<RequestByHand>]>([
      ['a component twice', covering('@method')],
      ['a header with a capital letter', covering('X-A')],
      ['the whole URL', covering('@target-uri')],
      ['the status', covering('@status')],
      ['the signature itself', covering('signature')],
      ['its own input', covering('signature-input')],
      ['a header set by proxies', { ...covering('x-forwarded-host'), headers: { 'x-forwarded-host': '127.0.0.1' } }],
      ['a header set by other proxies', { ...covering('forwarded'), headers: { forwarded: 'host=127.0.0.1' } }],
      ['a header that is not ASCII', { ...covering('x-a'), headers: { 'x-a': 'ü' } }],
      ['a component with a parameter', edited((text) => text.replace('"@path"', '"@path";req'))],
      ['a component without quotes', edited((text) => text.replace('"@path"', '@path'))],
      ['components two spaces apart', edited((text) => text.replace('" "', '"  "'))],
    ])('401 signature_malformed if the signature covers %s', async (_, more) => {
      expectProblem(await sendByHand({ ...request, ...more }), 'signature_malformed');
    });

    test.each([
      ['no created', /;created=\d+/, ''],
      ['no nonce', /;nonce="[^"]+"/, ''],
      ['no keyid', /;keyid="[^"]+"/, ''],
      ['a keyid that is not a key id', /keyid="svk_/, 'keyid="'],
      ['a created in quotes', /created=(\d+)/, 'created="$1"'],
      ['a created with a fraction', /created=(\d+)/, 'created=$1.5'],
      ['a created before 1970', /created=/, 'created=-'],
      ['a created with a leading zero', /created=/, 'created=0'],
      ['a created without a value', /created=\d+/, 'created'],
      ['a nonce of 15 characters', /nonce="[^"]+"/, `nonce="${'n'.repeat(15)}"`],
      ['a nonce of 65 characters', /nonce="[^"]+"/, `nonce="${'n'.repeat(65)}"`],
      ['a nonce without quotes', /nonce="([^"]+)"/, 'nonce=abcdefghijklmnop'],
      ['another algorithm', /$/, ';alg="hmac-sha512"'],
      ['an algorithm without quotes', /$/, ';alg=hmac-sha256'],
      ['an unknown parameter', /$/, ';scope="all"'],
      ['a parameter twice', /$/, ';created=1'],
      ['a space before a parameter', /;nonce/, '; nonce'],
      ['a trailing space', /$/, ' ;'],
      ['over 2 KB', /$/, `;tag="${'t'.repeat(2000)}"`],
      ['nothing', /.*/, ''],
    ])('401 signature_malformed if the parameters have %s', async (_, from, to) => {
      const answer = await sendByHand({ ...request, edit: (text) => text.replace(from, to) });
      expectProblem(answer, 'signature_malformed');
    });

    test('401 signature_malformed if id and secret of a key are swapped, with neither in the response', async () => {
      const { keyId, secret } = service.billingKey;
      const answer = await sendByHand(request, unchanged, { ...service.billingKey, keyId: secret, secret: keyId });
      expectProblem(answer, 'signature_malformed');
      const everything = JSON.stringify([answer.headers, answer.body]);
      expect([secret, keyId].filter((text) => everything.includes(text))).toEqual([]);
    });

    const mac = Buffer.alloc(32).toString('base64');
    test.each<[string, Change]>([
      ['Signature-Input is empty', setHeaders({ 'signature-input': '' })],
      ['Signature-Input is not a dictionary', setHeaders({ 'signature-input': 'nonsense' })],
      ['Signature is empty', setHeaders({ signature: '' })],
      ['Signature has no colons', setHeaders({ signature: `sig1=${mac}` })],
      ['Signature has another label', setHeaders({ signature: `sig2=:${mac}:` })],
      ['Signature has 31 bytes', setHeaders({ signature: `sig1=:${Buffer.alloc(31).toString('base64')}:` })],
      ['Signature has spare bits', setHeaders({ signature: `sig1=:${mac.slice(0, -2)}B=:` })],
      ['Signature is base64url', setHeaders({ signature: `sig1=:${mac.slice(0, -2)}_=:` })],
      ['there is a second Signature', editHeader('signature', (text) => `${text}, sig2=:${mac}:`)],
      ['there is a second Signature-Input', editHeader('signature-input', (text) => `${text}, sig2=()`)],
      ['Signature is sent twice', editHeader('signature', (text) => [text, text])],
      ['Signature-Input is sent twice', editHeader('signature-input', (text) => [text, text])],
    ])('401 signature_malformed if %s', async (_, change) => {
      expectProblem(await sendByHand(request, change), 'signature_malformed');
    });
  });

  describe('401 component_missing', () => {
    writeNothing(() => service);

    test.each(required)('401 component_missing if %s is not covered', async (name) => {
      const answer = await sendByHand({ ...request, ...without(name) });
      expectProblem(answer, 'component_missing');
      expect(answer.body.detail).toContain(`"${name}" must be covered`);
    });

    test('401 component_missing if there is a query and @query is not covered', async () => {
      expectProblem(await sendByHand({ ...request, target: `${target}?a=1`, ...covering() }), 'component_missing');
    });

    test('401 component_missing if a body was added to a request that was signed without one', async () => {
      const { method } = request;
      const add: Change = (sent) => ({ ...setHeaders({ 'content-type': 'application/json' })(sent), body: '{}' });
      expectProblem(await sendByHand({ method, target }, add), 'component_missing');
    });

    test('401 component_missing if an If-Match was added to a request that was signed without one', async () => {
      const answer = await sendByHand(request, setHeaders({ 'if-match': '"1"' }));
      expectProblem(answer, 'component_missing');
      expect(answer.body.detail).toContain('"if-match" must be covered');
    });

    test('401 component_missing if a covered header is absent', async () => {
      const answer = await sendByHand({ ...request, ...covering('x-a') });
      expectProblem(answer, 'component_missing');
      expect(answer.body.detail).toContain('"x-a"');
    });
  });

  describe('401 clock_skew', () => {
    writeNothing(() => service);

    test.each<[string, () => Partial<RequestByHand> & { created: number }]>([
      ['301 seconds old', () => ({ created: Math.floor(seconds()) - 301 })],
      ['330 seconds ahead', () => ({ created: Math.ceil(seconds()) + 330 })],
      ['from 1970', () => ({ created: 0 })],
      ['in milliseconds', () => ({ created: Date.now() })],
      [
        'expired, although it is new',
        () => {
          const created = Math.floor(seconds()) - 2;
          return { created, ...edited((text) => `${text};expires=${created + 1}`) };
        },
      ],
    ])('401 clock_skew if a signature is %s', async (_, signing) => {
      const more = signing();
      const answer = await sendByHand({ ...request, ...more });
      const serverTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expectProblem(answer, 'clock_skew', { serverTime, created: more.created, windowSeconds: 300 });
      expect(Math.abs(Date.parse(answer.body.serverTime) - Date.now())).toBeLessThan(5000);
    });
  });

  describe('401 signature_mismatch', () => {
    writeNothing(() => service);
    const wrongSecret = () => ({ ...service.billingKey, secret: 'svs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' });

    test.each<[string, () => Key]>([
      ['a wrong secret', wrongSecret],
      ['a key that was never issued', () => ({ ...service.billingKey, keyId: neverIssued })],
      ['the key id of another application', () => ({ ...service.billingKey, keyId: service.wikiKey.keyId })],
      ['the secret of another application', () => ({ ...service.billingKey, secret: service.wikiKey.secret })],
      ['no secret', () => ({ ...service.billingKey, secret: '' })],
    ])('401 signature_mismatch under %s, with the base that the service computed and no secret', async (_, key) => {
      const sent = signByHand(service.url, key(), request);
      const answer = await send(service.url, sent);
      expectProblem(answer, 'signature_mismatch', { signatureBase: sent.sentBase });
      const everything = JSON.stringify([answer.headers, answer.body]);
      for (const secret of ['svs_', service.billingKey.secret, service.wikiKey.secret]) {
        expect(everything).not.toContain(secret);
      }
    });

    test.each<[string, Partial<RequestByHand>]>([
      ['another user', { claimed: { '@path': '/api/service/users/grace/access' } }],
      ['another path', { claimed: { '@path': `${target}/` } }],
      ['another method', { claimed: { '@method': kind === 'a read' ? 'PUT' : 'DELETE' } }],
      ['the method in lower case', { claimed: { '@method': request.method.toLowerCase() } }],
      ['another query', { target: `${target}?a=1`, claimed: { '@query': '?a=2' } }],
      ['no query', { target: `${target}?a=1`, claimed: { '@query': '?' } }],
      ['another If-Match', { ...covering('if-match'), headers: { 'if-match': '"1"' }, claimed: { 'if-match': '"2"' } }],
      ['another host', { claimed: { '@authority': 'evil.example' } }],
      ['the host in Host', { claimed: { '@authority': 'evil.example' }, headers: { host: 'evil.example' } }],
      [
        'the host in X-Forwarded-Host',
        { claimed: { '@authority': 'evil.example' }, headers: { 'x-forwarded-host': 'evil.example' } },
      ],
    ])('401 signature_mismatch if %s was signed', async (_, more) => {
      const sent = signByHand(service.url, service.billingKey, { ...request, ...more });
      expectProblem(await send(service.url, sent), 'signature_mismatch', { signatureBase: sent.sentBase });
      expect(sent.claimedBase).not.toBe(sent.sentBase);
    });

    test.each<[string, Change]>([
      ['created', editHeader('signature-input', (text) => text.replace(/created=\d/, 'created=9'))],
      ['nonce', editHeader('signature-input', (text) => text.replace(/nonce="./, 'nonce="='))],
      ['keyid', editHeader('signature-input', (text) => text.replace(/.{26}"$/, '01JD0000000000000000000000"'))],
      ['signature', editHeader('signature', (text) => text.replace(/:./, (start) => (start === ':A' ? ':B' : ':A')))],
    ])('401 signature_mismatch if the %s was changed after signing', async (_, change) => {
      const signatureBase = expect.stringContaining('"@signature-params": ');
      expectProblem(await sendByHand(request, change), 'signature_mismatch', { signatureBase });
    });

    test('gives the same response for a key that was never issued as for a wrong secret', async () => {
      const strangers = [
        neverIssued,
        'svk_k9_billing_01JD0000000000000000000000',
        'svk_k1_ghost_01JD0000000000000000000000',
        'svk_x',
      ];
      const keys = [wrongSecret(), ...strangers.map((keyId) => ({ ...service.billingKey, keyId }))];
      const answers = await Promise.all(keys.map((key) => sendByHand(request, unchanged, key)));
      const seen = answers.map(({ status, headers, body }) => {
        const { requestId: _, signatureBase: __, ...problem } = body;
        return { status, problem, headers: Object.keys(headers).sort() };
      });
      expect(seen).toEqual(Array(keys.length).fill(seen[0]));
      expect(seen[0]).toMatchObject({ status: 401, problem: { code: 'signature_mismatch' } });
    });

    test('401 signature_mismatch withholds the value of a covered header that a proxy may have added', async () => {
      const headers = { 'x-origin-verify': 'proxy-secret', 'x-a': '1' };
      const covered = { ...covering(...Object.keys(headers)), headers };
      const answer = await sendByHand({ ...request, ...covered }, unchanged, wrongSecret());
      const signatureBase = expect.stringMatching(/^"x-origin-verify": \(not shown\)\n"x-a": \(not shown\)\n"@sig/m);
      expectProblem(answer, 'signature_mismatch', { signatureBase });
      expect(JSON.stringify(answer.body)).not.toContain('proxy-secret');
    });

    test('checks the secret before the clock', async () => {
      const answer = await sendByHand({ ...request, created: 1 }, unchanged, wrongSecret());
      expectProblem(answer, 'signature_mismatch', { signatureBase: expect.any(String) });
    });
  });
});
