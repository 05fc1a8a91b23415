import { expect, test } from '@jest/globals';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { vectors } from '../examples/vectors.ts';
import { needing } from '../support/needing.ts';
import { openProjectFolder, readDocument, runScripts } from '../support/run-document.ts';
import { startSources } from '../support/start-service.ts';

const page = await readDocument('docs/integrate/signing.md');
const [request = ''] = page.section('## In one command').blocks('bash');
const transcripts = page.transcripts().filter(({ script }) => script !== request);

needing('curl', 'OpenSSL').test('the request signed in one command with openssl and curl is accepted', async () => {
  const service = await startSources();
  const folder = await openProjectFolder(service);
  try {
    expect(JSON.parse(await folder.run(request))).toMatchObject({
      userId: 'ada',
      status: 'disabled',
      reason: 'left the team',
      changed: true,
    });
  } finally {
    await folder.remove();
    await service.stop();
  }
});

needing('OpenSSL').test('each command of the signing page prints what is shown', async () => {
  expect(transcripts).toHaveLength(5);
  expect(await runScripts(transcripts.map(({ script }) => script))).toEqual(transcripts.map(({ output }) => output));
});

test('the example of the signing page is accepted, and was signed by another library', () => {
  const vector = vectors.find(({ name }) => name === 'the example of the signing page');
  const [, , , base, signature] = transcripts.map(({ output }) => output.trimEnd());
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
