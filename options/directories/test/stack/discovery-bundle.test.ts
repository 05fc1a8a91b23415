import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { bundleFunction } from '#lib/functions/bundle-function.ts';

const outDir = mkdtempSync(join(tmpdir(), 'auth-service-'));
afterAll(() => rmSync(outDir, { recursive: true }));

test('the public endpoint of SCIM carries neither the SDK nor the parser of filters', () => {
  const { directory, bytes } = bundleFunction('scim-discovery', outDir);
  expect(bytes).toBeLessThan(75_000);
  expect(readFileSync(join(directory, 'index.js'), 'utf8')).not.toMatch(/AWS_SESSION_TOKEN|unexpected token/);
});
