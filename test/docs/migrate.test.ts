import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seedExample } from '../../local/seed-example.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startEmptyBundles } from '../support/start-service.ts';

const page = await readDocument('docs/operate/migrate.md');
const transcripts = page.transcripts();

let stop: () => Promise<void>;
let folder: ProjectFolder;
let printed: string[];
beforeAll(async () => {
  const service = await startEmptyBundles();
  stop = service.stop;
  const { url, manageUrl, accessKey, login } = service;
  const seeded = await mkdtemp(join(tmpdir(), 'auth-service-migrate-'));
  const file = join(seeded, 'example.json');
  const billingKey = await seedExample({ ...service, baseUrl: url, issuer: login.issuer, audience: 'test', file });
  await rm(seeded, { recursive: true });
  folder = await openProjectFolder({ url, manageUrl, accessKey, billingKey });
  printed = await folder.runEach(transcripts.map(({ script }) => script));
});
afterAll(async () => {
  await folder.remove();
  await stop();
});

test.each(transcripts.map(({ script, output }, at) => ({ script, output, at })).filter(({ output }) => output !== ''))(
  'the page on moving users shows what is printed by $script',
  ({ output, at }) => expect(printed[at]).toBe(output),
);

test('the page names the problem of the rejected row', async () => {
  const rejected = await readFile(join(folder.path, '.local/people.rejected.csv'), 'utf8');
  const [, problem = ''] = /with its problem: `(.+?)`/.exec(page.text) ?? [];
  expect(rejected).toContain(problem.replaceAll('"', '""'));
});
