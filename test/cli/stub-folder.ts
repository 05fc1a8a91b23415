import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testKey } from './verify-sigv4.ts';

/** A folder with an `example.json` that names a service, as `npm start` writes it. */
export function makeStubFolder(manageUrl: string, key: object = testKey) {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-cli-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify({ manageUrl, ...testKey, ...key }));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
