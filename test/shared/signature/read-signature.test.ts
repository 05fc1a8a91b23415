import { expect, test } from '@jest/globals';
import { readSignature, type SignedMessage } from '#shared/signature/verify.ts';
import { createdSeconds, getAccess, refusalOf, revokeRole, setAccess, signed, signing } from './signing-fixture.ts';

function withInput(message: SignedMessage, change: (input: string) => string): SignedMessage {
  const input = change(message.headers['signature-input'] ?? '');
  return { ...message, headers: { ...message.headers, 'signature-input': input } };
}

function without(message: SignedMessage, header: string): SignedMessage {
  return { ...message, headers: { ...message.headers, [header]: undefined } };
}

test('reads the key id, time and nonce that the signature names', () => {
  expect(readSignature(signed(getAccess))).toMatchObject({
    label: 'sig1',
    components: ['@method', '@authority', '@path'],
    keyId: signing.keyId,
    nonce: signing.nonce,
    created: createdSeconds,
    expires: undefined,
  });
});

test.each(['signature', 'signature-input'])('refuses a request without the header %s as unsigned', (header) => {
  const refusal = refusalOf(() => readSignature(without(signed(getAccess), header)));

  expect(refusal).toMatchObject({ code: 'signature_missing', detail: `the request has no "${header}" header` });
});

test.each(['@method', '@authority', '@path', 'content-digest'])(
  'refuses a request with a body whose signature does not cover %s',
  (name) => {
    const message = withInput(signed(setAccess, { cover: ['if-match'] }), (input) => input.replace(`"${name}" `, ''));

    expect(refusalOf(() => readSignature(message))).toMatchObject({
      code: 'component_missing',
      detail: `Signature-Input: "${name}" must be covered`,
    });
  },
);

test('refuses a signature that covers nothing', () => {
  const message = withInput(signed(getAccess), (input) => input.replace(/\(.*\)/, '()'));

  expect(refusalOf(() => readSignature(message)).code).toBe('component_missing');
});

test('refuses a query added after signing as uncovered', () => {
  const message = { ...signed(getAccess), query: 'role=editor' };

  expect(refusalOf(() => readSignature(message)).detail).toBe('Signature-Input: "@query" must be covered');
});

test('refuses a body added after signing as uncovered', () => {
  const message = { ...signed(getAccess), body: Buffer.from('{}') };

  expect(refusalOf(() => readSignature(message)).detail).toBe('Signature-Input: "content-digest" must be covered');
});

test.each(['"3"', ''])('refuses an If-Match added after signing as uncovered: %p', (value) => {
  const message = signed(getAccess);
  const added = { ...message, headers: { ...message.headers, 'if-match': value } };

  expect(refusalOf(() => readSignature(added))).toMatchObject({
    code: 'component_missing',
    detail: 'Signature-Input: "if-match" must be covered',
  });
});

test.each(['if-match', 'content-digest'])('refuses a covered header lost in transit: %s', (header) => {
  const message = without(signed(setAccess, { cover: ['if-match'] }), header);

  expect(refusalOf(() => readSignature(message))).toMatchObject({
    code: 'component_missing',
    detail: `the request has no "${header}" to cover`,
  });
});

test.each(['constructor', '__proto__', 'hasownproperty'])(
  'refuses the covered header %s, which is an inherited property and not in the request',
  (name) => {
    const message = withInput(signed(getAccess), (input) => input.replace('"@path"', `"@path" "${name}"`));

    expect(refusalOf(() => readSignature(message)).code).toBe('component_missing');
  },
);

test('refuses a covered header outside ASCII', () => {
  const message = signed(setAccess, { cover: ['if-match'] });
  const changed = { ...message, headers: { ...message.headers, 'if-match': 'ü' } };

  expect(refusalOf(() => readSignature(changed))).toMatchObject({
    code: 'signature_malformed',
    detail: 'component "if-match": a value must be one line of ASCII',
  });
});

test('requires no digest of an empty body and no absent query', () => {
  expect(() => readSignature(signed(getAccess))).not.toThrow();
  expect(readSignature(signed(revokeRole)).components).toEqual(['@method', '@authority', '@path', '@query']);
});
