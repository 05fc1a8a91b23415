import { describe, expect, test } from '@jest/globals';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { functionsOf, onlyResource, referredId, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const template = await synthesizeTemplate({
  stage: 'prod',
  publicAuthorities: 'auth.example.com',
  changeRetentionDays: '30',
});
const functions = functionsOf(template);
const tracedTemplate = await synthesizeTemplate({ stage: 'prod', tracing: 'on' });
const tracedFunctions = functionsOf(tracedTemplate);
const logGroups = resourcesOf(template, 'AWS::Logs::LogGroup');

test('there is one function per route of the Service API, and one each for unknown routes, management, the two stream readers, the canary, issuing its key, checking releases and guarding the data', () => {
  expect([...functions.keys()]).toEqual([
    ...everyEndpoint.map(({ name }) => name),
    'refuse-unknown-route',
    'manage',
    'publish-changes',
    'number-changes',
    'issue-canary-key',
    'run-canary',
    'check-release',
    'guard-data',
  ]);
});

describe.each([...functions])('%s', (name, { Properties }) => {
  const logging = Properties.LoggingConfig as Record<string, unknown>;

  test('every function runs on Node.js 24 and arm64', () => {
    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
  });

  test('every function has 1024 MB, except those for which nobody waits in a request', () => {
    expect(Properties.MemorySize).toBe({ 'run-canary': 512, 'check-release': 512, 'guard-data': 256 }[name] ?? 1024);
  });

  test('every function that serves requests times out before API Gateway does, and before a role name can be reused', () => {
    expect(Properties.Timeout).toBe(
      {
        manage: 29,
        'publish-changes': 60,
        'number-changes': 60,
        'run-canary': 50,
        'check-release': 600,
        'guard-data': 60,
      }[name] ?? 12,
    );
  });

  test('every function is traced if the stage is, which prod is not', () => {
    expect(Properties.TracingConfig).toBeUndefined();
    expect(tracedFunctions.get(name)?.Properties.TracingConfig).toEqual({ Mode: 'Active' });
  });

  test('every function is traced only once its role may send traces', () => {
    // An inline policy is created with its role, which the function names.
    const role = tracedTemplate.Resources[referredId(tracedFunctions.get(name)?.Properties.Role) ?? ''];
    expect(JSON.stringify(role?.Properties.Policies)).toContain('xray:PutTraceSegments');
  });

  test('every function logs JSON to a log group with a retention of three months', () => {
    expect(logging).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'WARN' });
    const logGroupId = referredId(logging.LogGroup) ?? '';
    expect(logGroups.get(logGroupId)).toMatchObject({ Properties: { RetentionInDays: 90 }, DeletionPolicy: 'Delete' });
  });
});

test('no two functions share a role, and only those of the Service API share a log group', () => {
  const roles = [...functions.values()].map(({ Properties }) => referredId(Properties.Role));
  const logs = [...functions].map(([name, { Properties }]) => [
    name,
    referredId(Object(Properties.LoggingConfig).LogGroup),
  ]);
  expect(new Set(roles).size).toBe(functions.size);
  const shared = logs.filter(([, id]) => logs.filter(([, other]) => other === id).length > 1);
  expect(new Set(shared.map(([, id]) => id)).size).toBe(1);
  expect(shared.map(([name]) => name)).toEqual([...everyEndpoint.map(({ name }) => name), 'refuse-unknown-route']);
});

const [tableId] = onlyResource(template, 'AWS::DynamoDB::GlobalTable');
const powertools = { POWERTOOLS_SERVICE_NAME: 'auth-service', POWERTOOLS_METRICS_NAMESPACE: 'AuthService' };
const variablesOf = (name: string) => Object(functions.get(name)?.Properties.Environment).Variables;

test.each(everyEndpoint.filter(({ writes }) => writes))(
  'the environment of the writing function $name is complete',
  ({ name }) => {
    expect(variablesOf(name)).toEqual({
      ...powertools,
      TABLE_NAME: { Ref: tableId },
      ROOT_KEYS: expect.anything(),
      PUBLIC_AUTHORITIES: 'auth.example.com',
      CHANGE_RETENTION_DAYS: '30',
    });
  },
);

test('only get-access receives KEY_STATE_CACHE_SECONDS, if set', async () => {
  const kept = functionsOf(await synthesizeTemplate({ keyStateCacheSeconds: '10' }));
  const telling = [...kept].filter(([, { Properties }]) => JSON.stringify(Properties).includes('KEY_STATE_CACHE'));
  expect(telling.map(([name]) => name)).toEqual(['get-access']);
  expect(telling[0]?.[1].Properties.Environment).toMatchObject({ Variables: { KEY_STATE_CACHE_SECONDS: '10' } });
});

test('only functions that change accesses and users receive REQUIRE_REASON, if set', async () => {
  const demanding = functionsOf(await synthesizeTemplate({ requireReason: 'operators' }));
  const told = [...demanding].filter(([, { Properties }]) => JSON.stringify(Properties).includes('REQUIRE_REASON'));
  expect(told.map(([name]) => name).sort()).toEqual(['assign-role', 'manage', 'revoke-role', 'set-access']);
});

test('the environment of manage is complete, without authorities, because it verifies no signatures', () => {
  expect(variablesOf('manage')).toEqual({
    ...powertools,
    TABLE_NAME: { Ref: tableId },
    ROOT_KEYS: expect.anything(),
    CHANGE_RETENTION_DAYS: '30',
    OPERATOR_ISSUER: { 'Fn::GetAtt': [onlyResource(template, 'AWS::Cognito::UserPool')[0], 'ProviderURL'] },
    OPERATOR_ROLES: '{"token":{"claim":"cognito:groups"},"arns":{}}',
  });
});

test('the environment of get-access has no retention of changes, because it makes none', () => {
  expect(Object.keys(variablesOf('get-access')).sort()).toEqual([
    'POWERTOOLS_METRICS_NAMESPACE',
    'POWERTOOLS_SERVICE_NAME',
    'PUBLIC_AUTHORITIES',
    'ROOT_KEYS',
    'TABLE_NAME',
  ]);
});

test('the environment of publish-changes has only the bus and the root keys, that of number-changes only the table and how long changes are kept', () => {
  const [busId] = onlyResource(template, 'AWS::Events::EventBus');
  expect(variablesOf('publish-changes')).toEqual({
    ...powertools,
    EVENT_BUS_NAME: { Ref: busId },
    ROOT_KEYS: expect.anything(),
  });
  expect(variablesOf('number-changes')).toEqual({
    ...powertools,
    TABLE_NAME: { Ref: tableId },
    CHANGE_RETENTION_DAYS: '30',
  });
});

test('the environment of the function for unknown routes has only the name in logs and metrics', () => {
  expect(variablesOf('refuse-unknown-route')).toEqual(powertools);
});

test('concurrency is reserved only for the functions that the setting names', async () => {
  const reserved = functionsOf(await synthesizeTemplate({ reservedConcurrency: '{"get-access":200,"manage":20}' }));
  const numbers = [...reserved].map(([name, { Properties }]) => [name, Properties.ReservedConcurrentExecutions]);
  expect(Object.fromEntries(numbers)).toMatchObject({ 'get-access': 200, manage: 20, 'set-access': undefined });
  expect(numbers.filter(([, number]) => number !== undefined)).toHaveLength(2);
  for (const { Properties } of functions.values())
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
});

test('concurrency cannot be reserved for an unknown function', async () => {
  const misspelt = synthesizeTemplate({ reservedConcurrency: '{"getaccess":200}' });
  await expect(misspelt).rejects.toThrow('names getaccess, which is not a function. The functions are get-access, ');
});
