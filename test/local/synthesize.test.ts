import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as endpoints from '#options/endpoints.ts';
import * as localParts from '#options/local.ts';
import { LocalError } from '../../local/local-error.ts';
import type { LocalPart } from '../../local/local-part.ts';
import { synthesize } from '../../local/synthesize.ts';
import { makeFolder } from './write-assembly.ts';

const evaluate = (source: string) => ['--input-type=module', '--eval', source];

test('runs the app into an empty folder', async () => {
  const folder = join(await makeFolder(), 'cdk.out');
  await mkdir(folder);
  await writeFile(join(folder, 'stale'), '');
  const app = `
    import { mkdirSync, writeFileSync, existsSync } from 'node:fs';
    const folder = process.env.CDK_OUTDIR;
    mkdirSync(folder);
    writeFileSync(folder + '/made', process.cwd());`;
  expect(await synthesize({ folder, command: evaluate(app) })).toBe(folder);
  expect(await readFile(join(folder, 'made'), 'utf8')).toBe(process.cwd());
  await expect(readFile(join(folder, 'stale'))).rejects.toThrow('ENOENT');
});

test("skips the CDK's template rules, which saves over a second", async () => {
  const folder = join(await makeFolder(), 'cdk.out');
  const app = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync(process.env.CDK_OUTDIR);
    writeFileSync(process.env.CDK_OUTDIR + '/validation', process.env.CDK_VALIDATION);`;
  await synthesize({ folder, command: evaluate(app) });
  expect(await readFile(join(folder, 'validation'), 'utf8')).toBe('false');
});

test('reports the output of the app, without a stack trace', async () => {
  const folder = join(await makeFolder(), 'cdk.out');
  const failing = synthesize({ folder, command: evaluate('throw new Error("The context value x must be a number")') });
  await expect(failing).rejects.toThrow(LocalError);
  const { message } = await failing.catch((error) => error);
  expect(message).toMatch(/^The synthesis failed/);
  expect(message).toContain('Error: The context value x must be a number');
  expect(message).not.toMatch(/^\s+at /m);
});

test('stops the app when it is aborted', async () => {
  const ending = new AbortController();
  const folder = join(await makeFolder(), 'cdk.out');
  const hanging = synthesize({ folder, command: evaluate('setInterval(() => {}, 1000)'), signal: ending.signal });
  ending.abort();
  await expect(hanging).rejects.toThrow('aborted');
});

test('omits the dashboard, has all endpoints and webhooks and what parts of the local run need, and keeps the other context of the environment', async () => {
  const folder = join(await makeFolder(), 'cdk.out');
  const app = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync(process.env.CDK_OUTDIR);
    writeFileSync(process.env.CDK_OUTDIR + '/context', process.env.CDK_CONTEXT_JSON);`;
  process.env.CDK_CONTEXT_JSON = '{"throttleRate":5}';
  await synthesize({ folder, command: evaluate(app) }).finally(() => delete process.env.CDK_CONTEXT_JSON);
  const parts: readonly LocalPart[] = Object.values(localParts);
  expect(JSON.parse(await readFile(join(folder, 'context'), 'utf8'))).toEqual({
    ...Object.assign({}, ...parts.map(({ settings }) => settings)),
    endpoints: Object.keys(endpoints).join(','),
    webhooks: 'standard,set',
    throttleRate: 5,
    dashboard: 'none',
  });
});
