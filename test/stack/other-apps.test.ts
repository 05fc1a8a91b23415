import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { savedQueries } from '../../lib/monitoring/saved-queries.ts';
import type { Template } from './synthesized-stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'auth-service-apps-'));
afterAll(() => rmSync(scratch, { recursive: true }));

test('the role watch is synthesized for its stage, without a finding of the AwsSolutions rules', async () => {
  const { Resources } = await synthesize('role-watch', 'RoleWatch', { stage: 'staging' });
  expect(JSON.stringify(Resources)).toContain('AuthService-staging-');
});

test('the vault of the second account is synthesized without a finding of the AwsSolutions rules', async () => {
  const { Outputs } = await synthesize('backup-vault', 'BackupVault', { sourceAccount: '111122223333' });
  expect(Outputs).toHaveProperty('VaultArn');
});

test('the saved queries are synthesized for their stage, under the name of its service', async () => {
  const { Resources } = await synthesize('log-queries', 'SavedQueries', { stage: 'staging' });
  const queries = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Logs::QueryDefinition');
  expect(queries.map(({ Properties }) => Properties.Name)).toEqual(
    Object.keys(savedQueries).map((name) => `auth-service-staging/${name}`),
  );
  for (const { Properties } of queries)
    expect(Properties.QueryString).toMatch(/^filter message = "request".*\n\| stats /);
});

test.each([{}, { sourceAccount: '1' }, { sourceAccount: '111122223333', lock: 'none' }])(
  'no vault is synthesized with %j',
  async (context: Record<string, string>) => {
    await expect(synthesize('backup-vault', 'BackupVault', context)).rejects.toThrow(/-c sourceAccount=|lock must be/);
  },
);

async function synthesize(app: string, stack: string, context: Record<string, string>): Promise<Template> {
  const outdir = mkdtempSync(join(scratch, 'out-'));
  // In this mode the CDK throws its findings.
  const given = JSON.stringify({ ...context, '@aws-cdk/core:appMode': 'inmemory' });
  const env = { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: given, CDK_VALIDATION: 'true' };
  await run(process.execPath, [join(root, 'bin', `${app}.ts`)], { cwd: root, env });
  return JSON.parse(readFileSync(join(outdir, `${stack}.template.json`), 'utf8'));
}
