import { expect, test } from '@jest/globals';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { vectors } from '../examples/vectors.ts';
import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';
import { readDocument } from '../support/run-document.ts';

const page = await readDocument('docs/integrate/signing.md');
/** What its steps print: the digest, the parameters, the key, the base and the signature. */
const outputs = page.steps().flatMap(({ shown }) => (shown?.language === 'text' ? [shown.text.trimEnd()] : []));

needing('curl', 'OpenSSL').test('the commands of the signing page print what it shows', async () => {
  const reader = await openReader();
  await reader.walk('docs/integrate/signing.md').finally(reader.close);
});

test('the example of the signing page is accepted, and was signed by another library', () => {
  const vector = vectors.find(({ name }) => name === 'the example of the signing page');
  const [, , base, signature] = outputs;
  expect(vector).toMatchObject({ expected: 'accepted', signatureBase: base, signature });
  const [shown = ''] = page.blocks('http');
  const { method, url, headers, body } = vector?.request ?? { method: '', url: 'https://none', headers: {} };
  const { host, pathname } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  expect(shown).toBe([`${method} ${pathname} HTTP/1.1`, `Host: ${host}`, ...lines, '', body, ''].join('\n'));
});

test('the signing page explains every refusal of a signature or a key', () => {
  const ofConnections = /^(?:token|user)_/;
  const of401 = Object.entries(errorCatalogue).filter(
    ([code, { status }]) => status === 401 && !ofConnections.test(code),
  );
  const codes = [...of401.map(([code]) => code as ErrorCode), 'scope_missing', 'nonce_replayed'];
  expect(codes.filter((code) => !page.text.includes(`\`${code}\``))).toEqual([]);
});
