import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needing } from '#test/support/needing.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '#test/support/run-document.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';
import { askScim } from './support/ask-scim.ts';

const page = await readDocument('docs/integrate/directories.md');
const [connect = '', ...curls] = page.blocks('bash');
const [found = '', deactivated = ''] = page.blocks('json');

let service: TestService;
let folder: ProjectFolder;
beforeAll(async () => {
  service = await startSources();
  folder = await openProjectFolder(service);
});
afterAll(async () => {
  await folder.remove();
  await service.stop();
});

needing('curl').test(
  'the commands of the page connect a directory, whose requests get the answers that are shown',
  async () => {
    const [issued = ''] = await folder.runEach([connect]);
    const [token = ''] = /svt_c1_okta_\S+/.exec(issued) ?? [];
    const scripts = curls.map((curl) => `TOKEN=${token}\n${curl.replaceAll('https://api.example.com', service.url)}`);
    const [created, list, group, patched] = (await folder.runEach(scripts)).map((answer) => JSON.parse(answer));
    expect(created).toMatchObject({ id: 'linus', userName: 'linus', externalId: '00u1', active: true });
    expect(list).toEqual(JSON.parse(found));
    expect(group).toMatchObject({ displayName: 'Billing editors', members: [{ value: 'linus' }] });
    expect(patched).toEqual(JSON.parse(deactivated));
    expect(curls).toHaveLength(4);
  },
);

test('the limits of the page are those of the service', async () => {
  const { body } = await askScim(service, undefined, 'GET', '/ServiceProviderConfig');
  expect(page.text).toMatch(new RegExp(`results of a page +\\| ${body.filter.maxResults} `));
});
