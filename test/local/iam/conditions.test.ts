import { describe, expect, test } from '@jest/globals';
import type { ConditionKey, RequestContext } from '../../../local/iam/authorization.ts';
import { compileConditions } from '../../../local/iam/conditions.ts';

const role = 'arn:aws:iam::111122223333:role/Reader';
const keys = 'dynamodb:LeadingKeys';

function isMet(operator: string, [key, values]: readonly [ConditionKey, unknown], context: RequestContext): boolean {
  return compileConditions({ [operator]: { [key]: values } }, 'Policy')(context);
}

describe('a condition on one value (IAM user guide, "Condition operators")', () => {
  const select = (operator: string, values: unknown, value?: string) =>
    isMet(operator, ['dynamodb:Select', values], { 'dynamodb:Select': value });

  test.each([
    ['StringEquals', 'COUNT', 'COUNT', true],
    ['StringEquals', 'COUNT', 'count', false],
    ['StringEquals', ['A', 'COUNT'], 'COUNT', true],
    ['StringEquals', 'C*', 'COUNT', false],
    ['StringNotEquals', 'COUNT', 'A', true],
    ['StringNotEquals', ['A', 'COUNT'], 'COUNT', false],
    ['StringLike', 'C*', 'COUNT', true],
    ['StringLike', 'C????', 'COUNT', true],
    ['StringLike', 'C???', 'COUNT', false],
    ['StringLike', 'OUN', 'COUNT', false],
    ['StringLike', 'C.*', 'COUNT', false],
    ['StringNotLike', 'C*', 'COUNT', false],
    ['StringNotLike', 'D*', 'COUNT', true],
  ])('%s %j is met by a request with %s: %s', (operator, values, value, expected) => {
    expect(select(operator, values, value)).toBe(expected);
  });

  test.each([
    ['StringEquals', false],
    ['StringLike', false],
    ['StringNotEquals', true],
    ['StringNotLike', true],
    ['StringEqualsIfExists', true],
    ['StringLikeIfExists', true],
    ['StringNotEqualsIfExists', true],
  ])('%s is met by a request without the key: %s', (operator, expected) => {
    expect(select(operator, 'COUNT')).toBe(expected);
    expect(select(operator, 'COUNT', '')).toBe(expected);
  });

  test('IfExists changes nothing for a request with the key', () => {
    expect(select('StringEqualsIfExists', 'COUNT', 'COUNT')).toBe(true);
    expect(select('StringEqualsIfExists', 'COUNT', 'OTHER')).toBe(false);
  });

  test.each(['ArnEquals', 'ArnLike'])('%s compares each part of an ARN, with wildcards', (operator) => {
    const arn = (pattern: string, value = role) =>
      isMet(operator, ['aws:PrincipalArn', pattern], { 'aws:PrincipalArn': value });
    expect(arn(role)).toBe(true);
    expect(arn('arn:aws:iam::*:role/Read??')).toBe(true);
    expect(arn('arn:aws:iam::*:role/R*r')).toBe(true);
    expect(arn('arn:aws:iam::444455556666:role/*')).toBe(false);
    expect(arn('arn:aws:iam::*')).toBe(false);
    expect(arn('*')).toBe(false);
    expect(arn('arn:aws:lambda:*:*:function:a:live', 'arn:aws:lambda:eu-west-1:1:function:a:live')).toBe(true);
    expect(arn('arn:aws:lambda:*:*:function:a', 'arn:aws:lambda:eu-west-1:1:function:a:live')).toBe(false);
  });

  test.each(['ArnNotEquals', 'ArnNotLike'])('%s is met by any other ARN and by a request without one', (operator) => {
    const arn = (value?: string) =>
      isMet(operator, ['lambda:SourceFunctionArn', ['arn:aws:lambda:eu-west-1:1:function:a', role]], {
        'lambda:SourceFunctionArn': value,
      });
    expect(arn('arn:aws:lambda:eu-west-1:1:function:a')).toBe(false);
    expect(arn(role)).toBe(false);
    expect(arn('arn:aws:lambda:eu-west-1:1:function:b')).toBe(true);
    expect(arn()).toBe(true);
  });

  test.each(['true', true])('Bool %j is met only by true', (value) => {
    const bool = (given?: string) => isMet('Bool', ['aws:SecureTransport', value], { 'aws:SecureTransport': given });
    expect([bool('true'), bool('false'), bool()]).toEqual([true, false, false]);
  });

  test('Null tells whether the key is absent', () => {
    expect(isMet('Null', [keys, 'true'], {})).toBe(true);
    expect(isMet('Null', [keys, true], { [keys]: ['a'] })).toBe(false);
    expect(isMet('Null', [keys, 'false'], { [keys]: ['a'] })).toBe(true);
    expect(isMet('Null', [keys, 'false'], { [keys]: [] })).toBe(false);
    expect(isMet('Null', [keys, 'false'], { [keys]: [''] })).toBe(false);
  });
});

describe('a condition on several values (IAM user guide, "Set operators for multivalued context keys")', () => {
  const leading = (operator: string, values: unknown, given?: readonly string[]) =>
    isMet(operator, [keys, values], { [keys]: given });

  test.each([
    ['ForAllValues:StringLike', ['USER#*'], ['USER#ada', 'USER#alan'], true],
    ['ForAllValues:StringLike', ['USER#*'], ['USER#ada', 'APP#crm'], false],
    ['ForAllValues:StringLike', ['USER#*', 'APP#*'], ['USER#ada', 'APP#crm'], true],
    ['ForAllValues:StringEquals', ['a', 'b'], ['a', 'b', 'c'], false],
    ['ForAllValues:StringNotEquals', ['a'], ['b', 'c'], true],
    ['ForAllValues:StringNotEquals', ['a'], ['a', 'c'], false],
    ['ForAnyValue:StringLike', ['USER#*'], ['USER#ada', 'APP#crm'], true],
    ['ForAnyValue:StringLike', ['USER#*'], ['APP#crm'], false],
    ['ForAnyValue:StringNotLike', ['USER#*'], ['USER#ada', 'APP#crm'], true],
    ['ForAnyValue:StringNotLike', ['USER#*'], ['USER#ada'], false],
  ])('%s %j is met by a request with %j: %s', (operator, values, given, expected) => {
    expect(leading(operator, values, given)).toBe(expected);
  });

  test.each([undefined, [], ['']])('ForAllValues is met by a request with %j, ForAnyValue is not', (given) => {
    expect(leading('ForAllValues:StringLike', ['USER#*'], given)).toBe(true);
    expect(leading('ForAllValues:StringEqualsIfExists', ['USER#*'], given)).toBe(true);
    expect(leading('ForAnyValue:StringLike', ['USER#*'], given)).toBe(false);
    expect(leading('ForAnyValue:StringNotLike', ['USER#*'], given)).toBe(false);
  });
});

test('all operators and keys of a block must be met', () => {
  const condition = compileConditions(
    {
      StringEquals: { 'dynamodb:Select': 'COUNT', 'kms:MacAlgorithm': 'HMAC_SHA_256' },
      Bool: { 'aws:SecureTransport': 'true' },
    },
    'Policy',
  );
  const all = { 'dynamodb:Select': 'COUNT', 'kms:MacAlgorithm': 'HMAC_SHA_256', 'aws:SecureTransport': 'true' };
  expect(condition(all)).toBe(true);
  for (const key of Object.keys(all)) expect(condition({ ...all, [key]: undefined })).toBe(false);
});

test.each([
  ['NumericEquals', 'dynamodb:Select', '1', /condition operator NumericEquals, which the policy Policy/],
  ['StringEqualsIgnoreCase', 'dynamodb:Select', 'a', /condition operator StringEqualsIgnoreCase/],
  ['ForSomeValues:StringEquals', 'dynamodb:Select', 'a', /condition operator ForSomeValues:StringEquals/],
  ['ForAnyValue:StringLikeIfExists', keys, 'USER#*', /ForAnyValue:StringLikeIfExists/],
  ['NullIfExists', 'dynamodb:Select', 'true', /condition operator NullIfExists/],
  ['toString', 'dynamodb:Select', 'a', /condition operator toString/],
  ['StringEquals', 'aws:SourceIp', 'a', /condition key aws:SourceIp/],
  ['StringEquals', 'constructor', 'a', /condition key constructor/],
  ['StringLike', keys, 'a', /StringLike of dynamodb:LeadingKeys without ForAllValues/],
  ['StringEquals', 'dynamodb:Select', `\${aws:username}`, /policy variable in \$\{aws:username\}/],
  ['StringEquals', 'dynamodb:Select', [1], /condition value of the type number/],
  ['Null', keys, 'maybe', /Null of dynamodb:LeadingKeys/],
])('%s of %s with %j causes an error', (operator, key, values, message) => {
  expect(() => compileConditions({ [operator]: { [key]: values } }, 'Policy')).toThrow(message);
});
