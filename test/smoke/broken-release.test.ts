import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { brokenDescription } from '../../smoke/prove/broken-version.ts';
import { synthesizeTemplate } from '../stack/synthesized-stack.ts';
import { bareEnvironment } from '../support/environments.ts';
import { contextOf } from '../support/stack-context.ts';

const root = join(import.meta.dirname, '../..');

test('the release that must fail is a new version of get-access, which throws, and the service of before else', async () => {
  const context = { release: 'canary', dashboard: 'none' };
  const [sound, broken] = await Promise.all([synthesizeTemplate(context), synthesizeBroken(context)]);
  const changed = Object.entries(broken.Resources)
    .filter(([id, resource]) => JSON.stringify(resource) !== JSON.stringify(sound.Resources[id]))
    .map(([id]) => id.replace(/[0-9A-F]{8}.*$/, ''));
  expect(changed.toSorted()).toEqual([
    // The alias, and the policy and the list of the check of releases: they name the version.
    'ReleaseCheckAnswer',
    'ReleaseCheckVersions',
    'ServiceApiGetAccessFunction',
    'ServiceApiGetAccessFunctionCurrentVersion',
    'ServiceApiGetAccessLive',
  ]);
  const [fn] = Object.values(broken.Resources).filter(
    ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties?.Description === brokenDescription,
  );
  const exported: { handler?: () => Promise<unknown> } = {};
  new Function('exports', String(Object(fn?.Properties?.Code).ZipFile))(exported);
  await expect(exported.handler?.()).rejects.toThrow('broken by npm run prove');
});

type Template = Awaited<ReturnType<typeof synthesizeTemplate>>;

async function synthesizeBroken(context: Readonly<Record<string, string>>): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-broken-'));
  try {
    const env = { ...bareEnvironment, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(contextOf(context)) };
    const args = ['--disable-warning=ExperimentalWarning', join(root, 'smoke/prove/broken-app.ts')];
    await promisify(execFile)(process.execPath, args, { cwd: root, env });
    return JSON.parse(readFileSync(join(folder, 'AuthService-dev.template.json'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
