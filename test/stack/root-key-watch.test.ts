import { expect, test } from '@jest/globals';
import { matchesPattern } from './event-pattern.ts';
import {
  onlyResource,
  resourcesOf,
  rootKeyOf,
  synthesizeSmallStack,
  synthesizeTemplate,
  type Template,
} from './synthesized-stack.ts';

const template = await synthesizeTemplate({ stage: 'prod' });
const roleWatch = await synthesizeSmallStack('role-watch', { alarmEmail: 'on-call@example.com' });
const watching = roleWatch.template;
const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/mrk-1';
const fn = 'AuthService-prod-ServiceApiGetAccessFunction59-abc';
const role = 'AuthService-prod-ServiceApiGetAccessRole91-xyz';
const roleArn = `arn:aws:iam::111122223333:role/${role}`;

test.each([
  ['PutKeyPolicy of a root key', call('kms', 'PutKeyPolicy', {}, { resources: [{ ARN: keyArn }] })],
  ['a copy of a root key', call('kms', 'ReplicateKey', {}, { resources: [{ ARN: keyArn }] })],
  ['a grant on a root key', call('kms', 'CreateGrant', {}, { resources: [{ ARN: keyArn }] })],
  ['its policy through CloudFormation', { ...call('kms', 'PutKeyPolicy', {}, { resources: [{ ARN: keyArn }] }, true) }],
  ['new code by name', call('lambda', 'UpdateFunctionCode20150331v2', { functionName: fn })],
  [
    'new code by ARN',
    call('lambda', 'UpdateFunctionCode20150331v2', { functionName: `arn:aws:lambda:eu-central-1:1:function:${fn}` }),
  ],
  ['a layer or a variable', call('lambda', 'UpdateFunctionConfiguration20150331v2', { functionName: fn })],
  ['a new caller', call('lambda', 'AddPermission20150331v2', { functionName: fn })],
  ['a new function with a role', call('lambda', 'CreateFunction20150331', { functionName: 'mine', role: roleArn })],
  [
    'a role for an existing function',
    call('lambda', 'UpdateFunctionConfiguration20150331v2', { functionName: 'mine', role: roleArn }),
  ],
])('the topic is notified of %s', (_, event) => {
  expect(matchingRules(template, event)).toBeGreaterThan(0);
});

test.each([
  ['a deployment of code', call('lambda', 'UpdateFunctionCode20150331v2', { functionName: fn }, {}, true)],
  ['a deployment of a new function', call('lambda', 'CreateFunction20150331', { role: roleArn }, {}, true)],
  ["others' functions", call('lambda', 'UpdateFunctionCode20150331v2', { functionName: 'mine' })],
  ['functions of another stage', call('lambda', 'UpdateFunctionCode20150331v2', { functionName: 'AuthService-dev-a' })],
  ['another key', call('kms', 'PutKeyPolicy', {}, { resources: [{ ARN: `${keyArn}2` }] })],
  ['the use of a key', call('kms', 'GenerateMac', {}, { resources: [{ ARN: keyArn }] })],
])('the topic is not notified of %s', (_, event) => {
  expect(matchingRules(template, event)).toBe(0);
});

test.each([
  'UpdateAssumeRolePolicy',
  'PutRolePolicy',
  'DeleteRolePolicy',
  'AttachRolePolicy',
  'DetachRolePolicy',
  'PutRolePermissionsBoundary',
  'DeleteRolePermissionsBoundary',
])("%s of a function's role is noticed in us-east-1, unless CloudFormation does it", (eventName) => {
  expect(roleWatch.region).toBe('us-east-1');
  expect(matchingRules(watching, call('iam', eventName, { roleName: role }))).toBe(1);
  expect(matchingRules(watching, call('iam', eventName, { roleName: role }, {}, true))).toBe(0);
  expect(matchingRules(watching, call('iam', eventName, { roleName: 'another' }))).toBe(0);
});

test.each(['CreatePolicyVersion', 'SetDefaultPolicyVersion', 'DeletePolicy'])(
  '%s of a policy that binds roles to their functions is noticed in us-east-1, unless CloudFormation does it',
  (eventName) => {
    const policyArn = 'arn:aws:iam::111122223333:policy/AuthService-prod-RootKeyOnlyInTheirFunctions1-1A2B3C4D5E6F';
    expect(matchingRules(watching, call('iam', eventName, { policyArn }))).toBe(1);
    expect(matchingRules(watching, call('iam', eventName, { policyArn }, {}, true))).toBe(0);
    expect(
      matchingRules(watching, call('iam', eventName, { policyArn: `${policyArn}`.replace('-prod-', '-dev-') })),
    ).toBe(0);
  },
);

test('every rule notifies the topic of who, when and from where, with a link', () => {
  for (const stack of [template, watching]) {
    const [topicId] = onlyResource(stack, 'AWS::SNS::Topic');
    for (const { Properties } of watchRules(stack)) {
      const [target, ...others] = Properties.Targets as { Arn: unknown; InputTransformer: { InputTemplate: string } }[];
      expect([target?.Arn, others]).toEqual([{ Ref: topicId }, []]);
      expect(target?.InputTransformer.InputTemplate).toMatch(/eventName.*userIdentity-arn.*sourceIPAddress.*eventTime/);
      expect(target?.InputTransformer.InputTemplate).toContain('docs/operate/runbook.md#access-to-the-root-keys');
    }
    const [, { Properties }] = onlyResource(stack, 'AWS::SNS::TopicPolicy');
    expect(JSON.stringify(Properties)).toContain('"Service":"events.amazonaws.com"');
  }
  const [, subscription] = onlyResource(watching, 'AWS::SNS::Subscription');
  expect(subscription.Properties).toMatchObject({ Endpoint: 'on-call@example.com' });
});

function call(service: string, eventName: string, requestParameters: object, detail = {}, byCloudFormation = false) {
  const sourceIPAddress = byCloudFormation ? 'cloudformation.amazonaws.com' : '192.0.2.7';
  return {
    source: `aws.${service}`,
    'detail-type': 'AWS API Call via CloudTrail',
    detail: { eventName, sourceIPAddress, requestParameters, ...detail },
  };
}

function watchRules(stack: Template) {
  return [...resourcesOf(stack, 'AWS::Events::Rule').values()].filter(({ Properties }) =>
    JSON.stringify(Properties.EventPattern ?? '').includes('CloudTrail'),
  );
}

function matchingRules(stack: Template, event: object): number {
  return watchRules(stack).filter(({ Properties }) => matchesPattern(resolved(Properties.EventPattern), event)).length;
}

/** Resolves the pattern as deployed into the account of the examples. */
function resolved(pattern: unknown): unknown {
  const arnOf = (version: string) => JSON.stringify({ 'Fn::GetAtt': [rootKeyOf(template, version)[0], 'Arn'] });
  const text = JSON.stringify(pattern)
    .replaceAll(arnOf('w1'), JSON.stringify(keyArn))
    .replaceAll(arnOf('k1'), JSON.stringify(`${keyArn}-k1`))
    .replaceAll(arnOf('h1'), JSON.stringify(`${keyArn}-h1`))
    .replaceAll(arnOf('c1'), JSON.stringify(`${keyArn}-c1`))
    .replaceAll('{"Ref":"AWS::Partition"}', '"aws"')
    .replaceAll('{"Ref":"AWS::AccountId"}', '"111122223333"');
  return JSON.parse(text, (_, value) => value?.['Fn::Join']?.[1].join('') ?? value);
}
