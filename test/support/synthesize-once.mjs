import { join } from 'node:path';
import { synthesize } from '../../local/synthesize.ts';

/** Jest's global set-up: the stack and its bundles, made once for all test files as `npm start` makes them. */
export default async function synthesizeOnce() {
  await synthesize({ folder: join(import.meta.dirname, '../../.cache/test/cdk.out') });
}
