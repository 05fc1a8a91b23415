import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../local/synthesize.ts';

/** Jest's global set-up: the stack and its bundles, made once for all test files of this run, as `npm start` makes them. */
export default async function synthesizeOnce() {
  const folder = await mkdtemp(join(tmpdir(), 'auth-service-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.TEST_ASSEMBLY = await synthesize({ folder: join(folder, 'cdk.out') });
}
