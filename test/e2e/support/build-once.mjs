import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import synthesizeOnce from '../../support/synthesize-once.mjs';

const root = join(import.meta.dirname, '../../..');

/** Jest's global set-up: the stack and the dashboard, made once for all test files of this run. */
export default async function buildOnce() {
  await mkdir(join(root, 'test/e2e/artefacts'), { recursive: true });
  await Promise.all([
    synthesizeOnce(),
    build({ configFile: join(root, 'dashboard/vite.config.ts'), logLevel: 'warn', mode: 'production' }),
  ]);
}
