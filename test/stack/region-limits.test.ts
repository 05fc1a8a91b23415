import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { regionLimits } from '../../lib/settings/region-limits.ts';
import { type Context, synthesizeAssembly, synthesizeTemplate } from './synthesized-stack.ts';

const usual = { region: 'eu-central-1', accountConcurrency: 1000, createsUserPool: true };

test.each([
  [usual, []],
  [{ ...usual, region: undefined }, []],
  [{ ...usual, region: 'eu-central-2' }, [/no Lambda function URLs in eu-central-2.*the setting region/]],
  [{ ...usual, region: 'ap-southeast-5' }, [/no Lambda function URLs/]],
  [{ ...usual, region: 'mx-central-1' }, [/no Cognito user pools in mx-central-1.*oidcIssuer and oidcAudience/]],
  [{ ...usual, region: 'mx-central-1', createsUserPool: false }, []],
  [{ ...usual, region: 'cn-north-1' }, [/cn-north-1 is outside of the partition aws.*dashboard=none and oidcIssuer/]],
  [{ ...usual, region: 'us-gov-west-1' }, [/us-gov-west-1 is outside/]],
  [{ ...usual, accountConcurrency: 10 }, [/only 10 functions.*--quota-code L-B99A9384/]],
])('%j: synthesis says %j', (place, expected) => {
  const limits = regionLimits(place);
  expect(limits).toHaveLength(expected.length);
  for (const [at, message] of expected.entries()) expect(limits[at]).toMatch(message);
});

test('synthesis warns of the limits of its Region and account', async () => {
  const folder = await synthesizeAssembly({ region: 'il-central-1', 'auth-service:account-concurrency': '10' });
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.includes('template'));
  const metadata = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  expect(metadata.join()).toMatch(/no Lambda function URLs in il-central-1/);
  expect(metadata.join()).toMatch(/may run only 10 functions/);
});

test('a Region without user pools matters only to a stack that creates one', async () => {
  const warnings = async (context: Context) => {
    const folder = await synthesizeAssembly({ region: 'mx-central-1', ...context });
    const files = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.includes('template'));
    return (await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))).join();
  };
  expect(await warnings({})).toContain('no Cognito user pools in mx-central-1');
  const ownLogin = { oidcIssuer: 'https://login.example.com/', oidcAudience: 'auth-service' };
  expect(await warnings(ownLogin)).not.toContain('no Cognito user pools');
});

test('every ARN of the stack is of the partition that it is deployed to', async () => {
  const template = await synthesizeTemplate({
    stage: 'prod',
    backupVaultArn: 'arn:aws:backup:eu-central-1:222233334444:backup-vault:copies',
  });
  const literal = JSON.stringify(template).replaceAll(
    'arn:aws:backup:eu-central-1:222233334444:backup-vault:copies',
    '',
  );
  expect(literal).not.toContain('arn:aws:');
});
