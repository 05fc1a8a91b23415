import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleEntries } from '../../client/build/build-client.ts';
import { packageFolder } from '../../client/build/client-package.ts';

/** The published entry point for tests; its service exists only after the build. */
export async function buildFake(): Promise<typeof import('../../client/testing.ts')> {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-fake-'));
  cpSync(join(packageFolder, 'package.json'), join(folder, 'package.json'));
  await bundleEntries(['testing'], folder);
  const fake: typeof import('../../client/testing.ts') = await import(join(folder, 'dist/testing.js'));
  // The rest is imported with the first fake.
  await fake.createFakeAuthService();
  rmSync(folder, { recursive: true });
  return fake;
}
