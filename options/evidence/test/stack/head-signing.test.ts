import { describe, expect, test } from '@jest/globals';
import { alarmMinutes } from '#test/stack/alarms/alarm-evaluator.ts';
import { actionsOf, statementsOf } from '#test/stack/role-permissions.ts';
import {
  functionIdsOf,
  functionsOf,
  referredId,
  resourcesOf,
  synthesizeTemplate,
} from '#test/stack/synthesized-stack.ts';

const headsBucket = 'authservice-backupvault-heads';
const template = await synthesizeTemplate({ stage: 'prod', headsBucket });
const id = functionIdsOf(template).get('sign-heads') ?? '';
const fn = functionsOf(template).get('sign-heads')?.Properties ?? {};
const keys = [...resourcesOf(template, 'AWS::KMS::Key')];
const [keyId, key] = keys.find(([, { Properties }]) => Properties.KeyUsage === 'SIGN_VERIFY') ?? keys[0] ?? [];
const keyArn = { 'Fn::GetAtt': [keyId, 'Arn'] };

test('without its setting, nothing is signed and nothing of it costs anything', async () => {
  const without = await synthesizeTemplate({ stage: 'prod' });
  expect(JSON.stringify(without)).not.toMatch(/HeadSigning|HeadsSigned|HEADS_|sign-heads/);
  expect(resourcesOf(without, 'AWS::KMS::Key').size).toBe(keys.length - 1);
});

test('each day, after the nightly backup, a rule invokes the function with an empty event', () => {
  const rules = [...resourcesOf(template, 'AWS::Events::Rule')];
  const targets = (properties: Readonly<Record<string, unknown>>) => properties.Targets as { Arn: unknown }[];
  const daily = rules.filter(([, { Properties }]) => targets(Properties).some(({ Arn }) => referredId(Arn) === id));
  expect(daily.map(([, { Properties }]) => Properties)).toMatchObject([
    { ScheduleExpression: 'cron(0 2 * * ? *)', State: 'ENABLED', Targets: [{ Input: '{}' }] },
  ]);
  const permissions = [...resourcesOf(template, 'AWS::Lambda::Permission').values()].map(
    ({ Properties }) => Properties,
  );
  const own = permissions.filter(({ FunctionName }) => referredId(FunctionName) === id);
  expect(own.map(({ Principal, SourceArn }) => [Principal, referredId(SourceArn)])).toEqual([
    ['events.amazonaws.com', daily[0]?.[0]],
  ]);
});

test('the function has the time that Lambda allows at most, and is not part of releases', () => {
  expect(fn).toMatchObject({ Timeout: 900, MemorySize: 512 });
  const aliases = [...resourcesOf(template, 'AWS::Lambda::Alias').values()];
  expect(aliases.filter(({ Properties }) => referredId(Properties.FunctionName) === id)).toEqual([]);
});

describe('the key', () => {
  const statements = Object(key?.Properties.KeyPolicy).Statement as { Sid: string }[];
  const statement = (sid: string) => statements.find(({ Sid }) => Sid === sid);

  test('signs with P-256, and stays when the stack is deleted', () => {
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(key?.Properties).toMatchObject({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
    expect(template.Outputs.HeadsKeyArn?.Value).toEqual(keyArn);
    expect(JSON.stringify(fn.Environment)).toContain(JSON.stringify({ HEADS_KEY_ARN: keyArn }).slice(1, -1));
  });

  test('can be used only by the role of the function, and granted to nobody', () => {
    expect(statement('DenyUseOutsideFunctions')).toEqual({
      Sid: 'DenyUseOutsideFunctions',
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['kms:CreateGrant', 'kms:Sign'],
      Resource: '*',
      Condition: { ArnNotEquals: { 'aws:PrincipalArn': [fn.Role] } },
    });
  });

  test('cannot be deleted or disabled where data is kept, and is deleted with the stack elsewhere', async () => {
    expect(statement('DenyRemoval')).toMatchObject({ Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'] });
    const dev = [...resourcesOf(await synthesizeTemplate({ headsBucket }), 'AWS::KMS::Key').values()];
    const ofDev = dev.find(({ Properties }) => Properties.KeyUsage === 'SIGN_VERIFY');
    expect(ofDev).toMatchObject({ DeletionPolicy: 'Delete', Properties: { PendingWindowInDays: 7 } });
    expect(JSON.stringify(ofDev)).not.toContain('DenyRemoval');
  });

  test('notifies the topic when somebody changes its policy', () => {
    const watched = [...resourcesOf(template, 'AWS::Events::Rule').values()].filter(({ Properties }) =>
      JSON.stringify(Properties.EventPattern)?.includes('PutKeyPolicy'),
    );
    expect(watched.map(({ Properties }) => Object(Properties.EventPattern).detail.resources.ARN)).toEqual([
      keys.map(([other]) => ({ 'Fn::GetAtt': [other, 'Arn'] })),
    ]);
  });
});

describe('the role of the function', () => {
  const statements = statementsOf(template, 'sign-heads');
  const only = (action: string) => statements.filter(({ Effect, Action }) => Effect === 'Allow' && Action === action);

  test('allows reading heads, signing, adding objects, and continuing itself', () => {
    const always = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const own = ['dynamodb:Scan', 'kms:Sign', 'lambda:InvokeFunction', 's3:PutObject'];
    expect(actionsOf(statements)).toEqual([...always, ...own].sort());
    expect(only('lambda:InvokeFunction').map(({ Resource }) => referredId(Resource))).toEqual([id]);
  });

  test('reads no attribute but what a head has', () => {
    const attributes = [
      'chainHead',
      'updatedAt',
      'lastChangeId',
      'userId',
      'appId',
      'connectionId',
      'role',
      'pk',
      'sk',
    ];
    expect(only('dynamodb:Scan').map(({ Condition }) => Condition)).toEqual([
      {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
        Null: { 'dynamodb:Attributes': 'false' },
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
      },
    ]);
  });

  test('signs only texts, with one algorithm, and only inside the function', () => {
    expect(only('kms:Sign')).toMatchObject([
      {
        Resource: keyArn,
        Condition: { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256', 'kms:MessageType': 'RAW' } },
      },
    ]);
    const arn = { 'Fn::GetAtt': [id, 'Arn'] };
    expect(statements.filter(({ Effect }) => Effect === 'Deny')).toEqual([
      {
        Sid: 'OnlyInItsFunction',
        Effect: 'Deny',
        Action: 'kms:Sign',
        Resource: keyArn,
        Condition: { ArnNotEquals: { 'lambda:SourceFunctionArn': [arn, { 'Fn::Join': ['', [arn, ':*']] }] } },
      },
    ]);
  });

  test('adds objects to the bucket only if their names are free', () => {
    expect(only('s3:PutObject')).toMatchObject([{ Condition: { Null: { 's3:if-none-match': 'false' } } }]);
    expect(JSON.stringify(only('s3:PutObject')[0]?.Resource)).toContain(`:s3:::${headsBucket}/auth-service/*`);
  });
});

test('the alarm stays silent while a run ends each day, now and then hours late, and goes off on the second day without one', () => {
  const alarm = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].find(
    ({ Properties }) => Properties.AlarmName === 'auth-service-heads-unsigned',
  );
  const day = 1440;
  const lateOn = (minute: number) => (Math.floor(minute / day) === 2 ? 300 : 0);
  const ends = (minute: number) => (minute % day === 130 + lateOn(minute) ? 1 : undefined);
  const minutes = (source: (minute: number) => number | undefined) =>
    alarmMinutes(alarm?.Properties ?? {}, {
      source: (_: unknown, minute: number) => source(minute),
      minutes: 7 * day,
      fillsEmpty: true,
    }).filter((minute) => minute > 2 * day);
  expect(minutes(ends)).toEqual([]);
  const [first = 0] = minutes((minute) => (minute < 4 * day ? ends(minute) : undefined));
  expect(first).toBeGreaterThan(4 * day);
  expect(first).toBeLessThanOrEqual(5 * day + 360);
});
