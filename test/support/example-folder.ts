import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedExample } from '../../local/seed-example.ts';
import { openProjectFolder, type ProjectFolder } from './run-document.ts';
import { startEmptyBundles } from './start-service.ts';

/** The folder in which the commands of a page run, as while `npm start` runs with its example, and how to end both. */
export async function openExampleFolder(): Promise<{ readonly folder: ProjectFolder; close(): Promise<void> }> {
  const service = await startEmptyBundles();
  const { url, manageUrl, accessKey, login } = service;
  const seeded = await mkdtemp(join(tmpdir(), 'auth-service-example-'));
  const file = join(seeded, 'example.json');
  const billingKey = await seedExample({ ...service, baseUrl: url, issuer: login.issuer, audience: 'test', file });
  await rm(seeded, { recursive: true });
  const folder = await openProjectFolder({ url, manageUrl, accessKey, billingKey });
  const close = async () => {
    await folder.remove();
    await service.stop();
  };
  return { folder, close };
}
