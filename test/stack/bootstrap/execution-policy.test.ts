import { describe, expect, test } from '@jest/globals';
import { type ExecutionScope, executionStatements } from '../../../lib/bootstrap/execution-policy.ts';
import { boundaryArn, namesOfStage } from '../../../lib/bootstrap/permissions-boundary.ts';
import { fillIn } from '../../../lib/bootstrap/policy-document.ts';
import { resourceActions } from '../../../lib/bootstrap/resource-actions.ts';
import { stages } from '../../../lib/settings/stages.ts';
import type { RequestContext } from '../../../local/iam/authorization.ts';
import { decide } from '../../../local/iam/policy-decision.ts';
import { compilePolicy } from '../../../local/iam/statements.ts';
import { everyTemplate } from './every-template.ts';

const templates = await everyTemplate();
const kinds = new Set(
  [...templates.values()].flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type)),
);
const account = '111122223333';
const values = { 'AWS::Partition': 'aws', 'AWS::Region': 'eu-west-1', 'AWS::AccountId': account, Qualifier: 'authsvc' };
const ofProd: ExecutionScope = { names: namesOfStage(stages.prod), hasReplicas: false };
const statements = executionStatements(ofProd);

/** Leaves the decision about keys to the policies of roles. */
const keyPolicy = compilePolicy('resource', {
  place: 'key',
  json: {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: { AWS: account } }],
  },
});

function decision(action: string, resource: string, context: RequestContext = {}, scope = ofProd) {
  const Statement = fillIn(executionStatements(scope), values);
  const identity = compilePolicy('identity', { place: 'execution', json: { Version: '2012-10-17', Statement } });
  const caller = `arn:aws:iam::${account}:role/cdk-authsvc-cfn-exec-role`;
  return decide({ action, resource, context }, caller, { identity, resource: keyPolicy });
}

const role = (name: string) => `arn:aws:iam::${account}:role/${name}`;
const own = role('AuthService-prod-ServiceApiGetAccessRole-1A2B3C');
const boundary = { 'iam:PermissionsBoundary': fillIn(boundaryArn, values) };

describe('the kinds of resources', () => {
  test('every kind in the templates has its actions, and no kind is listed that no template has', () => {
    expect(Object.keys(resourceActions).sort()).toEqual([...kinds].sort());
  });

  test('the policies have the actions of these kinds, and otherwise only what is named here', () => {
    const listed = Object.values(resourceActions).flatMap((services) =>
      Object.entries(services).flatMap(([service, names]) => names.map((name) => `${service}:${name}`)),
    );
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);
    expect([...new Set(allowed)].sort()).toEqual([...new Set([...listed, 'ssm:GetParameters'])].sort());
  });

  test('no service is in the policies that no template needs', () => {
    const services = new Set(statements.flatMap(({ Action }) => Action.map((action) => action.split(':')[0])));
    const needed = new Set([...kinds].flatMap((kind) => Object.keys(resourceActions[kind] ?? {})));
    expect([...services].filter((service) => !needed.has(service ?? ''))).toEqual([]);
  });

  test.each(Object.entries(resourceActions))('%s can be created and deleted', (_, services) => {
    const names = Object.values(services).flat();
    const creates = /^(?:Create|Put|Publish|Add|Set|Modify|Subscribe|POST|Invoke)/;
    expect(names.filter((name) => creates.test(name))).not.toEqual([]);
  });
});

describe('a role', () => {
  test.each(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary', 'iam:UpdateAssumeRolePolicy'])(
    '%s takes the permissions boundary',
    (action) => {
      expect(decision(action, own, boundary)).toBe('allowed');
      expect(decision(action, own)).toBe('implicitly denied');
      const other = { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/AdministratorAccess' };
      expect(decision(action, own, other)).toBe('implicitly denied');
    },
  );

  test('of another stage or application cannot be changed, created or passed', () => {
    for (const name of ['AuthService-staging-GetAccess', 'Admin']) {
      expect(decision('iam:CreateRole', role(name), boundary)).toBe('implicitly denied');
      expect(decision('iam:PutRolePolicy', role(name), boundary)).toBe('implicitly denied');
      expect(decision('iam:PassRole', role(name), { 'iam:PassedToService': 'lambda.amazonaws.com' })).toBe(
        'implicitly denied',
      );
    }
  });

  test('can be passed only to the services of the stacks', () => {
    expect(decision('iam:PassRole', own, { 'iam:PassedToService': 'lambda.amazonaws.com' })).toBe('allowed');
    expect(decision('iam:PassRole', own, { 'iam:PassedToService': 'ec2.amazonaws.com' })).toBe('implicitly denied');
  });

  test("can get no policy of AWS but that of the backups' jobs", () => {
    const attach = (name: string) =>
      decision('iam:AttachRolePolicy', own, { ...boundary, 'iam:PolicyARN': `arn:aws:iam::aws:policy/${name}` });
    expect(attach('service-role/AWSBackupServiceRolePolicyForBackup')).toBe('allowed');
    expect(attach('AdministratorAccess')).toBe('implicitly denied');
  });

  test('never loses its boundary', () => {
    expect(decision('iam:DeleteRolePermissionsBoundary', own, boundary)).toBe('explicitly denied');
  });
});

test.each(['CreatePolicyVersion', 'SetDefaultPolicyVersion', 'DeletePolicyVersion', 'DeletePolicy'])(
  'the boundary and the execution policies cannot be changed: %s',
  (action) => {
    for (const name of ['boundary', 'execution-1']) {
      const arn = `arn:aws:iam::${account}:policy/cdk-authsvc-${name}-${account}-eu-west-1`;
      expect(decision(`iam:${action}`, arn)).toBe('explicitly denied');
    }
  },
);

test.each(['PutRolePolicy', 'AttachRolePolicy', 'UpdateAssumeRolePolicy', 'PassRole'])(
  'the roles of the bootstrap cannot be changed: %s',
  (action) => {
    expect(decision(`iam:${action}`, role('cdk-authsvc-cfn-exec-role'), boundary)).toBe('explicitly denied');
  },
);

const table = `arn:aws:dynamodb:eu-west-1:${account}:table/AuthService-prod-Items`;

test.each([
  ['dynamodb:GetItem', table],
  ['dynamodb:Scan', table],
  ['dynamodb:DeleteTable', table.replace('prod', 'staging')],
  ['dynamodb:UpdateTable', `arn:aws:dynamodb:eu-west-1:${account}:table/Orders`],
  ['kms:GenerateMac', `arn:aws:kms:eu-west-1:${account}:key/1`],
  ['lambda:InvokeFunction', `arn:aws:lambda:eu-west-1:${account}:function:AuthService-prod-ManageApi`],
  ['lambda:UpdateFunctionCode', `arn:aws:lambda:eu-west-1:${account}:function:AuthService-staging-ManageApi`],
  ['cognito-idp:AdminCreateUser', '*'],
  ['s3:GetObject', 'arn:aws:s3:::payroll/salaries.csv'],
  ['secretsmanager:GetSecretValue', `arn:aws:secretsmanager:eu-west-1:${account}:secret:payroll-1A2B3C`],
  ['ec2:RunInstances', '*'],
  ['iam:CreateUser', `arn:aws:iam::${account}:user/mallory`],
  ['sts:AssumeRole', role('Admin')],
])('a deployment cannot %s on %s', (action, resource) => {
  expect(decision(action, resource)).toBe('implicitly denied');
});

const inRegion = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${account}:${resource}`;

describe('a deployment deletes', () => {
  test.each([
    ['cloudwatch:DeleteAlarms', inRegion('cloudwatch', 'alarm:auth-service-errors-1'), 'alarm:billing-errors'],
    [
      'cloudwatch:DeleteDashboards',
      `arn:aws:cloudwatch::${account}:dashboard/auth-service-eu-west-1`,
      'dashboard/billing',
    ],
    ['events:DeleteRule', inRegion('events', 'rule/AuthService-prod-EachMinute-1A'), 'rule/billing-nightly'],
    [
      'events:RemoveTargets',
      inRegion('events', 'rule/auth-service/AuthService-prod-Log-1A'),
      'rule/auth-service/billing',
    ],
    ['events:DeleteEventBus', inRegion('events', 'event-bus/auth-service'), 'event-bus/default'],
    ['events:DeleteArchive', inRegion('events', 'archive/AuthService-prod-Archive1A'), 'archive/billing'],
    ['logs:DeleteLogGroup', inRegion('logs', 'log-group:AuthService-prod-ServiceApiLog-1A:*'), 'log-group:billing:*'],
    [
      'codedeploy:DeleteApplication',
      inRegion('codedeploy', 'application:AuthService-prod-Release-1A'),
      'application:billing',
    ],
    ['backup:DeleteBackupVault', inRegion('backup', 'backup-vault:auth-service-1a2b3c4d5e6f'), 'backup-vault:billing'],
    [
      'cloudfront:DeleteFunction',
      `arn:aws:cloudfront::${account}:function/AuthService-prod-eu-west-1`,
      'function/billing',
    ],
  ])('by the name of the stage: %s', (action, arn, other) => {
    expect(decision(action, arn)).toBe('allowed');
    expect(decision(action, arn.split(':').slice(0, 5).concat(other).join(':'))).toBe('implicitly denied');
  });

  test.each([
    ['kms:ScheduleKeyDeletion', inRegion('kms', 'key/mrk-1')],
    ['cognito-idp:DeleteUserPool', inRegion('cognito-idp', 'userpool/eu-west-1_1A2B3C')],
    ['cloudfront:DeleteDistribution', `arn:aws:cloudfront::${account}:distribution/E1A2B3C`],
    ['backup:DeleteBackupPlan', inRegion('backup', 'backup-plan:1a2b')],
  ])('by the tag of the stage: %s', (action, arn) => {
    const tagged = (service: string) => decision(action, arn, { 'aws:ResourceTag/service': service });
    expect(tagged('auth-service')).toBe('allowed');
    expect([decision(action, arn), tagged('auth-service-staging'), tagged('billing')]).toEqual(
      Array(3).fill('implicitly denied'),
    );
  });

  test('nothing else of any name, but what has neither a name of the stage nor a tag', () => {
    const deletes = /:(?:Delete|DELETE|Remove(?!Tags)|Disable|Schedule)/;
    const wide = statements.filter(
      ({ Effect, Resource, Condition }) => Effect === 'Allow' && Resource.includes('*') && !Condition,
    );
    expect(wide.flatMap(({ Action }) => Action.filter((action) => deletes.test(action))).toSorted()).toEqual([
      'cloudfront:DeleteOriginAccessControl',
      'cloudfront:DeleteResponseHeadersPolicy',
      'kms:DisableKeyRotation',
      'logs:DeleteLogDelivery',
      'logs:DeleteQueryDefinition',
    ]);
  });

  test('every kind of name that the stacks have begins as the deletions require', () => {
    const named = [...templates].flatMap(([name, { Resources }]) =>
      Object.values(Resources).flatMap(({ Type, Properties }) => {
        const given =
          Properties[{ 'AWS::CloudWatch::Alarm': 'AlarmName', 'AWS::Events::EventBus': 'Name' }[Type] ?? ''];
        return given === undefined ? [] : [[name, String(given)]];
      }),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, given = '']) => !/^auth-service(?:$|-)/.test(given))).toEqual([]);
  });
});

/** What CloudFormation reads of a resource that a stack adopts, and changes when it then deploys: its tags and its settings. */
const adopted: Readonly<Record<string, readonly string[]>> = {
  [table]: [
    'DescribeTable',
    'DescribeContinuousBackups',
    'DescribeTimeToLive',
    'ListTagsOfResource',
    'TagResource',
  ].map((name) => `dynamodb:${name}`),
  [`arn:aws:kms:eu-west-1:${account}:key/mrk-1`]: [
    'DescribeKey',
    'GetKeyPolicy',
    'GetKeyRotationStatus',
    'ListResourceTags',
    'TagResource',
    'PutKeyPolicy',
  ].map((name) => `kms:${name}`),
  [`arn:aws:cognito-idp:eu-west-1:${account}:userpool/eu-west-1_1A2B3C`]: [
    'DescribeUserPool',
    'GetUserPoolMfaConfig',
    'TagResource',
    'UpdateUserPool',
  ].map((name) => `cognito-idp:${name}`),
};

test.each(Object.entries(adopted))('%s, which a deleted stack retained, can be adopted', (arn, actions) => {
  expect(actions.filter((action) => decision(action, arn) !== 'allowed')).toEqual([]);
});

test('a table with replicas needs to be copied', () => {
  expect(decision('dynamodb:Scan', table, {}, { ...ofProd, hasReplicas: true })).toBe('allowed');
});
