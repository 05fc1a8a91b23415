import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProjectFolder, type ProjectFolder, parseDocument, readDocument } from './run-document.ts';
import type { TestService } from './start-service.ts';

// The addresses of a service that is not running.
const service = {
  url: 'http://127.0.0.1:4100',
  manageUrl: 'http://127.0.0.1:4101',
  accessKey: { accessKeyId: 'test', secretAccessKey: 'test' },
  billingKey: { keyId: 'svk_test', secret: 'svs_test' },
} as unknown as TestService;

let folder: ProjectFolder;
beforeAll(async () => {
  folder = await openProjectFolder(service);
});
afterAll(() => folder.remove());

test('the scripts of a document share one shell, and each has its own output', async () => {
  expect(await folder.runEach(['A=1\necho one', 'echo $((A + 1))', 'true'])).toEqual(['one\n', '2\n', '']);
});

test.each([
  ['a command that fails', 'false\necho on'],
  ['a command that fails in a pipe', 'false | cat'],
  ['an unset variable', 'echo "$NOBODY_SET_THIS"'],
  ['a script that npm would not find', 'npm run -s nothing -- here'],
])('%s fails the test of the document', async (_case, script) => {
  await expect(folder.run(script)).rejects.toThrow();
});

test('background processes of a failing script end with it', async () => {
  await expect(folder.run('sleep 3600 &\nfalse')).rejects.toThrow('Command failed');
});

test('the addresses of npm start in a document become those of the service', async () => {
  expect(await folder.run('echo http://127.0.0.1:3000/ 127.0.0.1:3001')).toBe(
    'http://127.0.0.1:4100/ 127.0.0.1:4101\n',
  );
});

test('the folder of a document has the files of the project and the example of the service', async () => {
  expect(await folder.run('head -1 README.md; grep -o svk_test .local/example.json')).toBe(
    '# auth-service\nsvk_test\n',
  );
});

test('a section of a document has only its own blocks', async () => {
  const readme = await readDocument('README.md');
  expect(readme.section('## Manage').blocks('bash')).toHaveLength(1);
  expect(readme.section('## Manage').text).not.toContain('## Endpoints');
  expect(() => readme.section('## Nothing')).toThrow('no heading');
});

test('finds the broken links and unknown scripts of a document', async () => {
  const text =
    '# A page\n[a](README.md) [b](#a-page) [c](nothing.md) [d](README.md#nothing) `npm run nothing`, `npm start`';
  const page = parseDocument('README.md', text);
  expect(await page.brokenLinks()).toEqual(['#a-page', 'nothing.md', 'README.md#nothing']);
  expect(await parseDocument('docs/page.md', '[a](../README.md#start)').brokenLinks()).toEqual([]);
  expect(await page.unknownScripts()).toEqual(['nothing']);
});

test('the steps of a document are its commands with what they print, and the programs that it saves', () => {
  const page = parseDocument(
    'page.md',
    '```bash\na\n```\n\n```text\nA\n```\n\nText.\n\n```json\n{}\n```\n\n```bash\nb\n```\n\nNow save this as `ask.ts`:\n\n```ts\nask();\n```\n\n```ts\nother();\n```\n',
  );
  expect(page.steps()).toEqual([
    { script: 'a\n', shown: { language: 'text', text: 'A\n' } },
    { script: 'b\n' },
    { script: "cat > 'ask.ts' <<'END_OF_FILE'\nask();\nEND_OF_FILE\n" },
  ]);
});
