import { relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { stages } from '../../lib/settings/stages.ts';
import { type FunctionModel, readStack, type StackModel } from '../../local/read-stack.ts';
import { conditionsOf } from './alarms/conditions.ts';
import { policiesOf } from './role-permissions.ts';
import {
  nameOf,
  onlyResource,
  referredId,
  resourcesOf,
  synthesizeAssembly,
  synthesizeTemplate,
  type TemplateResource,
} from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
/** The released functions; the canary and those of deployments are not part of them. */
const functions = new Map(
  [...resourcesOf(template, 'AWS::Lambda::Function')].filter(
    ([, fn]) => !/canary|check-release|guard-data/.test(nameOf(fn)),
  ),
);
const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
const groups = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup');

interface Group {
  readonly AlarmConfiguration: { readonly Alarms: readonly { readonly Name: { readonly Ref: string } }[] };
}

test('every function has an alias for the released version, and earlier versions are kept', () => {
  const functionIds = [...aliases.values()].map(({ Properties }) => referredId(Properties.FunctionName));
  expect(functionIds.sort()).toEqual([...functions.keys()].sort());
  for (const { Properties } of aliases.values()) {
    expect(Properties.Name).toBe('live');
    const version = resourcesOf(template, 'AWS::Lambda::Version').get(referredId(Properties.FunctionVersion) ?? '');
    expect(version).toMatchObject({
      Properties: { FunctionName: Properties.FunctionName },
      DeletionPolicy: 'RetainExceptOnCreate',
    });
  }
});

test('only the aliases named in the setting have provisioned concurrency', async () => {
  const kept = await synthesizeTemplate({ stage: 'prod', provisionedConcurrency: '{"get-access":5,"manage":1}' });
  const given = [...resourcesOf(kept, 'AWS::Lambda::Alias').values()].flatMap(({ Properties }) => {
    const fn = resourcesOf(kept, 'AWS::Lambda::Function').get(referredId(Properties.FunctionName) ?? '');
    const config = Properties.ProvisionedConcurrencyConfig;
    return config === undefined || fn === undefined ? [] : [[nameOf(fn), config]];
  });
  expect(Object.fromEntries(given)).toEqual({
    'get-access': { ProvisionedConcurrentExecutions: 5 },
    manage: { ProvisionedConcurrentExecutions: 1 },
  });
});

const isAlias = (value: unknown) => aliases.has(referredId(value) ?? '');

test('the routes invoke functions only by alias', () => {
  const integrations = [...resourcesOf(template, 'AWS::ApiGatewayV2::Integration').values()];
  // Two functions read the stream.
  expect(integrations).toHaveLength(functions.size - 2);
  for (const { Properties } of integrations) expect(isAlias(Properties.IntegrationUri)).toBe(true);
  const gateway = [...resourcesOf(template, 'AWS::IAM::Role')].find(([id]) => id.startsWith('ServiceApiGatewayRole'));
  const { Statement } = Object(gateway?.[1].Properties).Policies[0].PolicyDocument;
  expect(Statement[0].Resource).toHaveLength(integrations.length - 1);
  for (const arn of Statement[0].Resource) expect(JSON.stringify(arn)).toContain('":live"');
});

test('the function URL invokes its function only by alias', () => {
  const [, { Properties }] = onlyResource(template, 'AWS::Lambda::Url');
  expect(Properties.Qualifier).toBe('live');
});

test("the table's stream invokes functions only by alias", () => {
  const mappings = [...resourcesOf(template, 'AWS::Lambda::EventSourceMapping').values()];
  const readers = mappings.map(({ Properties }) => {
    const [, [unqualified, qualifier]] = Object(Properties.FunctionName)['Fn::Join'];
    expect(qualifier).toBe(':live');
    const [, alias] = [...aliases].find(([id]) => JSON.stringify(unqualified).includes(id)) ?? [];
    return alias && functionNameOf(alias);
  });
  expect(readers).toEqual(['publish-changes', 'number-changes']);
});

test('a release sends a tenth of the requests to the new version for five minutes, for each function', () => {
  const used = [...aliases.values()].map(({ UpdatePolicy }) => groupOf(UpdatePolicy));
  expect(new Set(used)).toEqual(new Set(groups.keys()));
  expect(groups.size).toBe(functions.size);
  for (const { Properties } of groups.values()) {
    expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
  }
});

test('a release is rolled back when an alarm goes off, or when it fails', () => {
  for (const [group, { Properties }] of groups) {
    expect(Properties).toMatchObject({
      AlarmConfiguration: { Enabled: true },
      AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
    });
    // CodeDeploy accepts at most ten alarms for a deployment group.
    const watched = alarmsOf(Properties as unknown as Group);
    expect(watched.length).toBeLessThanOrEqual(10);
    expect(watched.sort()).toEqual(
      [
        ...errorsWatchedFor(releasedBy(group)),
        'auth-service-root-key-failures',
        'auth-service-stream-age',
        'auth-service-canary-failures',
        ...latencyOf(releasedBy(group)),
      ].sort(),
    );
  }
});

test('a release is watched by alarms that can go off within those five minutes', () => {
  const all = [...groups.values()].flatMap(({ Properties }) => alarmsOf(Properties as unknown as Group));
  const names = [...new Set(all)];
  expect(names).toContain('auth-service-latency');
  const watching = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].filter((alarm) =>
    names.includes(String(alarm.Properties.AlarmName)),
  );
  expect(watching).toHaveLength(names.length);
  for (const alarm of watching) {
    expect(Math.max(...periodsOf(alarm.Properties))).toBe(60);
    expect(alarm.Properties.DatapointsToAlarm).toBeLessThanOrEqual(3);
  }
});

test('a release can ignore alarms if the context says so', async () => {
  const urgent = await synthesizeTemplate({ stage: 'prod', release: 'at-once' });
  for (const { Properties } of resourcesOf(urgent, 'AWS::CodeDeploy::DeploymentGroup').values()) {
    expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
    expect(JSON.stringify(Properties)).not.toContain('STOP_ON_ALARM');
  }
  expect([...resourcesOf(urgent, 'AWS::Lambda::Alias').keys()]).toEqual([...aliases.keys()]);
});

test('a release in staging works as in prod, and in dev is all at once', async () => {
  const dev = await synthesizeTemplate();
  expect(resourcesOf(await synthesizeTemplate({ stage: 'staging' }), 'AWS::Lambda::Alias').size).toBe(functions.size);
  const types = Object.values(dev.Resources).map(({ Type }) => String(Type));
  expect(types.filter((type) => /CodeDeploy|Lambda::(?:Alias|Version)/.test(type))).toEqual([]);
});

test('a release in dev works as in staging if the setting release is given', async () => {
  const dev = await synthesizeTemplate({ release: 'canary' });
  const configs = [...resourcesOf(dev, 'AWS::CodeDeploy::DeploymentGroup').values()].map(
    ({ Properties }) => Properties.DeploymentConfigName,
  );
  expect(configs).toEqual(Array(functions.size).fill('CodeDeployDefault.LambdaCanary10Percent5Minutes'));
  for (const { UpdatePolicy } of resourcesOf(dev, 'AWS::Lambda::Alias').values()) {
    expect(Object(UpdatePolicy).CodeDeployLambdaAliasUpdate).toHaveProperty('BeforeAllowTrafficHook');
  }
});

test('CodeDeploy may only update the aliases of these functions and read alarms', () => {
  const roleId = referredId([...groups.values()][0]?.Properties.ServiceRoleArn);
  expect(resourcesOf(template, 'AWS::IAM::Role').get(roleId ?? '')?.Properties).not.toHaveProperty('ManagedPolicyArns');
  const [checking, asking, turning, ...others] = policiesOf(template)
    .filter(({ Roles }) => JSON.stringify(Roles).includes(String(roleId)))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .sort((one, other) => [one.Action].flat().length - [other.Action].flat().length || (one.Sid ? 1 : -1));
  expect(others).toEqual([]);
  expect(checking).toEqual({
    Action: 'lambda:InvokeFunction',
    Effect: 'Allow',
    Resource: { 'Fn::GetAtt': [idOf('check-release'), 'Arn'] },
  });
  expect(turning?.Action).toEqual(['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias']);
  const turned = [turning?.Resource].flat().map(referredId);
  expect(turned.sort()).toEqual([...functions.keys(), ...aliases.keys()].sort());
  expect(asking).toEqual({ Sid: 'Alarms', Action: 'cloudwatch:DescribeAlarms', Effect: 'Allow', Resource: '*' });
});

test('every new version is checked before it receives requests, except in all-at-once releases', async () => {
  const hooks = (stack: typeof template) =>
    [...resourcesOf(stack, 'AWS::Lambda::Alias')].flatMap(([id, { UpdatePolicy }]) => {
      const { BeforeAllowTrafficHook: hook } = Object(UpdatePolicy).CodeDeployLambdaAliasUpdate;
      return hook === undefined ? [] : [[id, referredId(hook)]];
    });
  expect(hooks(template).sort()).toEqual([...aliases.keys()].map((id) => [id, idOf('check-release')]).sort());
  expect(hooks(await synthesizeTemplate({ stage: 'prod', release: 'at-once' }))).toEqual([]);
  expect(hooks(await synthesizeTemplate({ stage: 'prod', canary: 'off' }))).toEqual([]);
});

test('the check calls all new versions, and knows them and can report before the first alias asks for it', () => {
  const [parameterId, parameter] = onlyResource(template, 'AWS::SSM::Parameter');
  const { VERSIONS_PARAMETER } = Object(
    resourcesOf(template, 'AWS::Lambda::Function').get(idOf('check-release') ?? '')?.Properties.Environment,
  ).Variables;
  expect(VERSIONS_PARAMETER).toBe(parameter.Properties.Name);
  for (const { Properties, DependsOn } of aliases.values()) {
    expect(JSON.stringify(parameter.Properties.Value)).toContain(`{"Ref":"${referredId(Properties.FunctionVersion)}"}`);
    expect(
      [DependsOn]
        .flat()
        .filter((id) => String(id).startsWith('ReleaseCheck'))
        .sort(),
    ).toEqual([expect.stringContaining('ReleaseCheckAnswer'), idOf('check-release'), parameterId]);
  }
});

test('a change of the settings creates a new version, like a change of the code', async () => {
  const changed = await synthesizeTemplate({ stage: 'prod', publicAuthorities: 'auth.example.com' });
  const versionIn = (stack: typeof template) =>
    [...resourcesOf(stack, 'AWS::Lambda::Version').keys()].find((id) => id.includes('GetAccess'));
  expect(versionIn(changed)).toMatch(/./);
  expect(versionIn(changed)).not.toBe(versionIn(template));
});

const names = { tableName: 'local-table' };
const others = Object.keys(stages).filter((stage) => stage !== 'dev');

test.each(others)('the local run uses what is deployed to %s, with or without aliases', async (stage) => {
  const dev = await readStage('dev');
  expect(dev.routes.length).toBeGreaterThan(5);
  expect(await readStage(stage)).toEqual(dev);
});

/** Reads a stack as the local run does, without the intended differences between stages. */
async function readStage(stage: string): Promise<StackModel> {
  const assembly = await synthesizeAssembly({ stage, canary: 'off' });
  const stack = readStack(assembly, names);
  return { ...stack, functions: stack.functions.map((model) => withoutStage(model, assembly)) };
}

function withoutStage(model: FunctionModel, assembly: string): FunctionModel {
  const { POWERTOOLS_SERVICE_NAME, POWERTOOLS_METRICS_NAMESPACE, CHANGE_RETENTION_DAYS, ...environment } =
    model.environment;
  return { ...model, environment, codeFolder: relative(assembly, model.codeFolder) };
}

function idOf(name: string): string | undefined {
  return [...resourcesOf(template, 'AWS::Lambda::Function')].find(([, fn]) => nameOf(fn) === name)?.[0];
}

function functionNameOf({ Properties }: TemplateResource): string | undefined {
  const fn = functions.get(referredId(Properties.FunctionName) ?? '');
  return fn && nameOf(fn);
}

/** Returns the file name of the function that a deployment group releases. */
function releasedBy(group: string): string {
  const [, alias] = [...aliases].find(([, { UpdatePolicy }]) => groupOf(UpdatePolicy) === group) ?? [];
  const fn = functions.get(referredId(alias?.Properties.FunctionName) ?? '');
  return fn === undefined ? '' : nameOf(fn);
}

const conditions = conditionsOf(template);
const alarmOf = (condition: string) => `auth-service-${conditions.get(condition)?.alarm}`;

/** Each function is rolled back by the alarm of its own errors and by that of the stream readers. */
function errorsWatchedFor(name: string): string[] {
  const watched = [name, 'publish-changes', 'number-changes'];
  return [...new Set(watched.map((each) => alarmOf(`errors-${each}`)))];
}

/** Each function is rolled back by the alarm of its own latency, except three whose latency no client notices. */
function latencyOf(name: string): string[] {
  return ['refuse-unknown-route', 'publish-changes', 'number-changes'].includes(name)
    ? []
    : [alarmOf(`latency-${name}`)];
}

function groupOf(updatePolicy: unknown): string | undefined {
  return referredId(Object(updatePolicy).CodeDeployLambdaAliasUpdate?.DeploymentGroupName);
}

function alarmsOf({ AlarmConfiguration: { Alarms } }: Group): string[] {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
  return Alarms.map(({ Name }) => String(alarms.get(Name.Ref)?.Properties.AlarmName));
}

/** Returns the periods of the alarm's metric, or of the metrics in its expression. */
function periodsOf({ Period, Metrics = [] }: { readonly Period?: number; readonly Metrics?: readonly object[] }) {
  const within = Metrics.map((metric) => Number(Object(metric).MetricStat?.Period ?? 0));
  return [Number(Period ?? 0), ...within];
}
