import { globSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openReader, type PageReader } from '#test/support/page-reader.ts';
import { readDocument } from '#test/support/run-document.ts';
import { root, textOf } from '#test/support/source-files.ts';

const page = await readDocument('docs/integrate/openid-connect.md');

let reader: PageReader;
beforeAll(async () => {
  reader = await openReader();
});
afterAll(() => reader.close());

test('the commands of the page give an application its login, and a user an account', async () => {
  const steps = await reader.walk('docs/integrate/openid-connect.md');
  const output = steps.map(({ printed }) => printed).join('');
  expect(output).toMatch(/^client id +[a-z0-9]{26}$/m);
  expect(output).toMatch(/^discovery +http:\/\/127\.0\.0\.1:\d+\/\.well-known\/openid-configuration$/m);
  expect(output).toContain('Invited ada.');
  const shown = await reader.folder.run('npm run -s manage -- accounts show ada');
  expect(shown).toMatch(/^account +(?:Invited|Being)/m);
});

/* The examples themselves are run by the tests in `recipes`. */
test.each([
  ['## Express', 'ts', 'login-express/login-express.ts'],
  ['## Next.js', 'ts', 'login-next/auth-config.ts', 'login-next/auth.ts', 'login-next/proxy.ts'],
  ['## Flask', 'python', 'login-flask/login-flask.py'],
  ['## Go', 'go', 'login-go/login-go.go'],
  ['## Apache', 'apache', 'login-apache/login-apache.conf'],
])('the lines below %s are those of the example that a test runs', (heading, language, ...paths) => {
  const example = paths.map((path) => textOf(`examples/${path}`)).join('\n');
  const blocks = page.section(heading).blocks(language);
  expect(blocks.length).toBeGreaterThan(0);
  expect(blocks.filter((block) => !example.includes(block))).toEqual([]);
});

test('the page names every example', () => {
  const folders = globSync('examples/login-*', { cwd: root }).filter((path) => path !== 'examples/login-server');
  expect(folders.length).toBeGreaterThan(4);
  expect(folders.filter((path) => !page.text.includes(`](../../${path}/`))).toEqual([]);
});
