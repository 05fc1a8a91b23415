import { describe, expect, test } from '@jest/globals';
import type { Authorization } from '../../../local/iam/authorization.ts';
import { decide } from '../../../local/iam/policy-decision.ts';
import { compilePolicy, type PolicyKind } from '../../../local/iam/statements.ts';

const role = 'arn:aws:iam::111122223333:role/Reader';
const table = 'arn:aws:dynamodb:eu-west-1:111122223333:table/items';
const key = 'arn:aws:kms:eu-west-1:111122223333:key/1';
const query: Authorization = { action: 'dynamodb:Query', resource: table, context: { 'dynamodb:Select': 'COUNT' } };
const allow = { Effect: 'Allow', Action: 'dynamodb:Query', Resource: table };

const compile = (kind: PolicyKind, json: object) => compilePolicy(kind, { place: 'Policy', json });
const policy = (...Statement: object[]) => compile('identity', { Version: '2012-10-17', Statement });
const resourcePolicy = (...Statement: object[]) => compile('resource', { Version: '2012-10-17', Statement });

describe('policies of a role (IAM user guide, "Policy evaluation logic")', () => {
  const decision = (statements: object[], authorization = query) =>
    decide(authorization, role, { identity: policy(...statements) });

  test('a request that no statement allows is denied', () => {
    expect(decision([])).toBe('implicitly denied');
    expect(decision([{ ...allow, Action: 'dynamodb:Scan' }])).toBe('implicitly denied');
    expect(decision([{ ...allow, Resource: `${table}2` }])).toBe('implicitly denied');
  });

  test('a request that one of several statements allows is allowed', () => {
    expect(decision([{ ...allow, Action: 'dynamodb:Scan' }, allow])).toBe('allowed');
  });

  test('a deny overrides an allow before or after it', () => {
    const deny = { ...allow, Effect: 'Deny' };
    expect(decision([allow, deny, allow])).toBe('explicitly denied');
    expect(decision([deny])).toBe('explicitly denied');
  });

  test('a statement whose conditions are not met neither allows nor denies', () => {
    const Condition = { StringNotEquals: { 'dynamodb:Select': 'COUNT' } };
    expect(decision([{ ...allow, Condition }])).toBe('implicitly denied');
    expect(decision([allow, { ...allow, Effect: 'Deny', Condition }])).toBe('allowed');
  });

  test.each([
    ['dynamodb:*', true],
    ['dynamodb:Qu?ry', true],
    ['DynamoDB:query', true],
    ['*', true],
    [['dynamodb:Scan', 'dynamodb:Query'], true],
    ['dynamodb:Quer', false],
    ['ynamodb:Query', false],
    ['dynamodb.Query', false],
  ])('the action %j matches a Query: %s', (Action, expected) => {
    expect(decision([{ ...allow, Action }]) === 'allowed').toBe(expected);
  });

  test.each([
    ['*', true],
    [`${table}*`, true],
    ['arn:aws:dynamodb:*:*:table/items', true],
    ['arn:aws:dynamodb:eu-*-1:111122223333:table/items', true],
    ['arn:aws:dynamodb:*', true],
    ['arn:aws:dynamodb:eu*1:table/items', false],
    ['arn:aws:dynamodb:eu-west-1:111122223333:table/item', false],
    [`${table}/index/gsi1`, false],
    [`${table.replace('items', 'ITEMS')}`, false],
    [[`${table}2`, table], true],
  ])('the resource %j matches the table: %s', (Resource, expected) => {
    expect(decision([{ ...allow, Resource }]) === 'allowed').toBe(expected);
  });

  test('an index is a separate resource from its table', () => {
    const ofIndex = { ...query, resource: `${table}/index/gsi1` };
    expect(decision([allow], ofIndex)).toBe('implicitly denied');
    expect(decision([{ ...allow, Resource: `${table}/index/*` }], ofIndex)).toBe('allowed');
  });
});

describe('policies of a resource', () => {
  const generate: Authorization = { action: 'kms:GenerateMac', resource: key, context: { 'aws:PrincipalArn': role } };
  const mayGenerate = policy({ Effect: 'Allow', Action: 'kms:GenerateMac', Resource: key });
  const account = { AWS: 'arn:aws:iam::111122223333:root' };
  const delegate = { Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: account };

  test("a role's policy grants access to a KMS key only if the key's policy says so", () => {
    expect(decide(generate, role, { identity: mayGenerate })).toBe('implicitly denied');
    expect(decide(generate, role, { identity: mayGenerate, resource: resourcePolicy(delegate) })).toBe('allowed');
    expect(decide(generate, role, { identity: [], resource: resourcePolicy(delegate) })).toBe('implicitly denied');
    const byId = resourcePolicy({ ...delegate, Principal: { AWS: '111122223333' } });
    expect(decide(generate, role, { identity: mayGenerate, resource: byId })).toBe('allowed');
    expect(decide(generate, role, { identity: [], resource: byId })).toBe('implicitly denied');
    const foreign = { ...delegate, Principal: { AWS: 'arn:aws:iam::444455556666:root' } };
    expect(decide(generate, role, { identity: mayGenerate, resource: resourcePolicy(foreign) })).toBe(
      'implicitly denied',
    );
  });

  test('a policy that names the role allows the request without an allow in the role', () => {
    const resource = resourcePolicy({ ...delegate, Principal: { AWS: role } });
    expect(decide(generate, role, { identity: [], resource })).toBe('allowed');
  });

  test('a deny for everyone except some principals denies all others', () => {
    const deny = (arns: string[]) => ({
      Effect: 'Deny',
      Action: 'kms:GenerateMac',
      Resource: '*',
      Principal: { AWS: '*' },
      Condition: { ArnNotEquals: { 'aws:PrincipalArn': arns } },
    });
    const decision = (...arns: string[]) =>
      decide(generate, role, { identity: mayGenerate, resource: resourcePolicy(delegate, deny(arns)) });
    expect(decision('arn:aws:iam::111122223333:role/Writer', role)).toBe('allowed');
    expect(decision('arn:aws:iam::111122223333:role/Writer')).toBe('explicitly denied');
  });

  test('a resource statement that names another principal neither allows nor denies', () => {
    const other = { AWS: 'arn:aws:iam::111122223333:role/Writer' };
    const resource = resourcePolicy(delegate, { ...delegate, Effect: 'Deny', Principal: other });
    expect(decide(generate, role, { identity: mayGenerate, resource })).toBe('allowed');
    const allowed = resourcePolicy({ ...delegate, Principal: other });
    expect(decide(generate, role, { identity: mayGenerate, resource: allowed })).toBe('implicitly denied');
  });

  test('a service is allowed only by a policy that names it', () => {
    const send: Authorization = { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:eu-west-1:1:dead', context: {} };
    const of = (service: string) =>
      resourcePolicy({ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*', Principal: { Service: service } });
    const decision = (service: string) => decide(send, 'events.amazonaws.com', { identity: [], resource: of(service) });
    expect(decision('events.amazonaws.com')).toBe('allowed');
    expect(decision('sns.amazonaws.com')).toBe('implicitly denied');
  });

  test.each(['*', { AWS: '*' }])('the principal %j matches everyone', (Principal) => {
    expect(decide(generate, role, { identity: [], resource: resourcePolicy({ ...delegate, Principal }) })).toBe(
      'allowed',
    );
  });
});

describe('a permissions boundary (IAM user guide, "Permissions boundaries for IAM entities")', () => {
  const decision = (boundary: object[], identity: object[] = [allow], resource: object[] = []) =>
    decide(query, role, {
      identity: policy(...identity),
      boundary: policy(...boundary),
      resource: resourcePolicy(...resource),
    });

  test('only what both the role and its boundary allow is allowed', () => {
    expect(decision([allow])).toBe('allowed');
    expect(decision([])).toBe('implicitly denied');
    expect(decision([{ ...allow, Action: 'dynamodb:Scan' }])).toBe('implicitly denied');
    expect(decision([{ ...allow, Resource: `${table}2` }])).toBe('implicitly denied');
    expect(decision([allow], [])).toBe('implicitly denied');
  });

  test('a deny of the boundary overrides every allow', () => {
    expect(decision([allow, { ...allow, Effect: 'Deny' }])).toBe('explicitly denied');
  });

  test('also limits what the policy of a resource allows the role', () => {
    const named = { ...allow, Principal: { AWS: role } };
    expect(decision([allow], [], [named])).toBe('allowed');
    expect(decision([], [], [named])).toBe('implicitly denied');
  });
});

test.each([
  [{ NotAction: 'dynamodb:Query' }, /NotAction/],
  [{ NotResource: table }, /NotResource/],
  [{ NotPrincipal: '*' }, /NotPrincipal/],
  [{ Principal: '*' }, /Principal/],
  [{ Effect: 'Maybe' }, /Effect/],
  [{ Resource: `${table}/\${aws:username}` }, /policy variable/],
  [{ Condition: { DateLessThan: { 'aws:CurrentTime': '2030' } } }, /DateLessThan|aws:CurrentTime/],
])('a statement with %j causes an error', (part, message) => {
  expect(() => policy({ ...allow, ...part })).toThrow(message);
});

test.each([undefined, { Federated: 'x' }, { CanonicalUser: 'x' }])(
  'a statement of a resource with the principal %j causes an error',
  (Principal) => {
    expect(() => resourcePolicy({ ...allow, ...(Principal && { Principal }) })).toThrow(/Principal/);
  },
);

test('a policy of version 2008-10-17, which has different rules, causes an error', () => {
  expect(() => compile('identity', { Version: '2008-10-17', Statement: [allow] })).toThrow(/Version/);
  expect(() => compile('identity', { Version: '2012-10-17', Id: 'x', Statement: [] })).toThrow(/Id/);
});
