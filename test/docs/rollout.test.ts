import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessSchema, type DecidedBy } from '#shared/contract/access.ts';
import { seedExample } from '../../local/seed-example.ts';
import { needing } from '../support/needing.ts';
import { openProjectFolder, type ProjectFolder, readDocument } from '../support/run-document.ts';
import { startEmptyBundles } from '../support/start-service.ts';

const page = await readDocument('docs/operate/rollout.md');
const transcripts = page.transcripts();
/** The last script asks as an application does, by the signer in bash. */
const [asking, ...byOperators] = [transcripts.at(-1), ...transcripts.slice(0, -1)];

let stop: () => Promise<void>;
let folder: ProjectFolder;
let printed: string[];
beforeAll(async () => {
  const service = await startEmptyBundles();
  stop = service.stop;
  const { url, manageUrl, accessKey, login } = service;
  const seeded = await mkdtemp(join(tmpdir(), 'auth-service-rollout-'));
  const file = join(seeded, 'example.json');
  const billingKey = await seedExample({ ...service, baseUrl: url, issuer: login.issuer, audience: 'test', file });
  await rm(seeded, { recursive: true });
  folder = await openProjectFolder({ url, manageUrl, accessKey, billingKey });
  printed = await folder.runEach(byOperators.map(({ script }) => script));
});
afterAll(async () => {
  await folder.remove();
  await stop();
});

test.each(byOperators.map(({ script, output }, at) => ({ script, output, at })).filter(({ output }) => output !== ''))(
  'the rollout page shows what is printed by $script',
  ({ output, at }) => expect(printed[at]).toBe(output),
);

needing('curl', 'OpenSSL').test('the rollout page shows the answer that the application gets', async () => {
  const [shown = ''] = page.blocks('json');
  const [, answer = ''] = /^(\{.*\})$/m.exec(await folder.run(asking?.script ?? '')) ?? [];
  expect(JSON.parse(answer)).toEqual(JSON.parse(shown));
});

test('the rollout page has each way in which an access is decided', () => {
  const [, table = ''] = page.text.split(/^\| -+ .*$/m);
  const named = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name as DecidedBy);
  expect(named.sort()).toEqual([...accessSchema.entries.decidedBy.options].sort());
});
