import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClient } from '../../client/build/build-client.ts';
import { readClientPackage } from '../../client/build/client-package.ts';
import { freePort } from '../support/free-port.ts';
import { needing } from '../support/needing.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import type { ToolName } from '../support/tools.ts';

const page = await readDocument('docs/integrate/quickstart.md');
const [start = '', sdk = ''] = page.blocks('bash');
const [enter = '', ...asking] = page.section('## Other languages').blocks('bash');
const [shown = ''] = page.blocks('json');

/** The languages beside TypeScript, by the file that the page runs. C# is shown with .NET, which no test has. */
const languages: Readonly<Record<string, readonly ToolName[]>> = {
  'sign.sh': ['curl', 'OpenSSL'],
  'sign.py': ['Python'],
  'sign.go': ['Go'],
  'Sign.java': ['Java'],
  'sign.php': ['PHP'],
  'sign.rb': ['Ruby'],
};

let service: TestService;
let folder: ProjectFolder;
beforeAll(async () => {
  service = await startSources();
  folder = await openProjectFolder(service);
  await buildClient(join(folder.path, 'client/package'));
  // The SDK's ten seconds are for an answer, not for the start of a function on a busy machine.
  await service.request(['GET', '/api/service/users/ada/access']);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

test('the SDK of the quickstart gets the answer that is shown', async () => {
  expect(sdk).toContain(`from '${readClientPackage().name}'`);
  const [, answer = ''] = await folder.runEach([start, sdk]);
  expect(JSON.parse(answer)).toEqual(JSON.parse(shown));
});

test('the quickstart has each language once', () => {
  expect(asking.map((script) => script.match(/sign\.\w+|Sign\.java/)?.[0])).toEqual(Object.keys(languages));
});

for (const [at, [file, tools]] of Object.entries(languages).entries()) {
  needing(...tools).test(`${file} of the quickstart gets the answer that is shown`, async () => {
    const [, , answer = ''] = await folder.runEach([start, enter, asking[at] ?? '']);
    expect(JSON.parse(answer)).toEqual(JSON.parse(shown));
  });
}

needing('curl', 'OpenSSL').test('the other calls of the quickstart are accepted', async () => {
  const [calls = ''] = page.section('## The other calls').blocks('bash');
  const [, , ...answers] = await folder.runEach([start, enter, ...calls.trim().split('\n')]);
  expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
    { userId: 'auth0|123', status: 'disabled', reason: 'left the team', changed: true },
    { userId: 'auth0|123', roles: [{ name: 'editor' }], changed: true },
    { userId: 'auth0|123', roles: [], changed: true },
  ]);
});

needing('curl').test(
  'the guarded server of the quickstart lets a user in, and no longer once an operator has blocked the user',
  async () => {
    const section = page.section('## A guarded server');
    const port = String(await freePort());
    const [write = '', ...asking] = section.blocks('bash').map((script) => script.replaceAll('8080', port));
    const answers = await folder.runEach([start, write, ...asking]);
    const expected = section.blocks('json').map((answer) => JSON.parse(answer));
    expect(answers.slice(2, 4).map((answer) => JSON.parse(answer))).toEqual(expected);
  },
);
