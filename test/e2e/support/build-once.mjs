import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrowser } from '../../../bench/dashboard-browser.ts';
import { buildDashboard } from '../../../lib/operators/build-dashboard.ts';
import synthesizeService from '../../support/synthesize-service.mjs';

const root = join(import.meta.dirname, '../../..');

/** Jest's global set-up: the stack and the dashboard, made once for all test files of this run. */
export default async function buildOnce() {
  // Otherwise each file would start the service first, and then wait for its end.
  findBrowser();
  await mkdir(join(root, 'test/e2e/artefacts'), { recursive: true });
  const failed = (line) => {
    throw new Error(line);
  };
  await Promise.all([synthesizeService(), buildDashboard({ warn: failed })]);
}
