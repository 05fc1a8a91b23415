import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { serviceOperations } from '#shared/contract/operations.ts';
import { assetsIn } from '../../bench/function-assets.ts';

const folder = mkdtempSync(join(tmpdir(), 'auth-service-assets-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the measured file of each function is the one that a deployment uploads for arm64', () => {
  const assembly = process.env.TEST_ASSEMBLY ?? '';
  const { names, fileOf } = assetsIn(assembly);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(serviceOperations), 'manage', 'publish-changes']));
  for (const name of names) {
    expect(fileOf(name)).toMatch(/\/asset\.[0-9a-f]{64}\/index\.js$/);
    expect(readFileSync(fileOf(name), 'utf8')).toBe(readFileSync(join(assembly, 'bundles', name, 'index.js'), 'utf8'));
  }
});

test.each([
  ['arm64', ['function.cache', 'index.js', 'package.json'], 'has more than its source: function.cache'],
  ['x86_64', ['index.js', 'package.json'], 'The stack has no function get-access on arm64'],
])('an asset on %s of the files %s is not measured', (architecture, files, message) => {
  expect(() => assetsIn(assemblyWith(architecture, files)).fileOf('get-access')).toThrow(message);
});

function assemblyWith(architecture: string, files: readonly string[]): string {
  const assembly = mkdtempSync(join(folder, 'cdk-'));
  mkdirSync(join(assembly, 'asset.0a'));
  for (const file of files) writeFileSync(join(assembly, 'asset.0a', file), '');
  const Properties = {
    Description: 'auth-service: get-access',
    Architectures: [architecture],
    Runtime: 'nodejs24.x',
    Code: { S3Key: '0a.zip' },
  };
  const template = { Resources: { GetAccess: { Type: 'AWS::Lambda::Function', Properties } } };
  writeFileSync(join(assembly, 'AuthService.template.json'), JSON.stringify(template));
  return assembly;
}
