import { expect, test } from '@jest/globals';
import { stages } from '../../lib/settings/stages.ts';
import { type NamedDeployment, namesOf, unknownNamesOf } from './explicit-names.ts';
import { type Context, builtDashboard as dashboard, synthesizeTemplate } from './synthesized-stack.ts';

const everywhere = {
  dashboard,
  alarmEmail: 'on-call@example.com',
  webhooks: 'standard,set',
  headsBucket: 'authservice-backupvault-heads',
};
const standby = {
  stage: 'prod',
  region: 'eu-west-1',
  tableStreamArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/AuthService-prod-Items/stream/2026-11-20T19:14:11.123',
  rootKeys: ['k1', 'h1', 'c1', 'w1']
    .map((version) => `prod/${version}=arn:aws:kms:eu-central-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab`)
    .join(),
};

const backupVaultArn = (region: string) => `arn:aws:backup:${region}:222233334444:backup-vault:Copies`;

/** Everything that one account can contain: all stages in one Region, and two of them in a second one. */
const deployments = await Promise.all([
  ...Object.keys(stages).map((stage) => deploy('eu-central-1', { stage })),
  deploy('eu-west-1', standby),
  deploy('eu-west-1', { stage: 'dev' }),
]);

test('no name is used twice by the stages and Regions of one account', () => {
  const names = deployments.flatMap(namesOf);
  const keys = names.map(({ scope, type, name }) => `${type} ${name} in ${scope}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  expect(new Set(names.map(({ type }) => type)).size).toBeGreaterThanOrEqual(8);
});

test('each stage has its own stack', () => {
  const stackNames = Object.values(stages).map(({ stackName }) => stackName);
  expect(new Set(stackNames).size).toBe(stackNames.length);
});

test('every named resource type is listed with the scope in which the name is unique', () => {
  expect([...new Set(deployments.flatMap(unknownNamesOf))]).toEqual([]);
});

async function deploy(region: string, context: Context): Promise<NamedDeployment> {
  const { stackName } = stages[context.stage as keyof typeof stages];
  return {
    region,
    stackName,
    template: await synthesizeTemplate({ ...everywhere, backupVaultArn: backupVaultArn(region), ...context }),
  };
}
