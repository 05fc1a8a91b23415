import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { LocalError } from '../../local/local-error.ts';
import { readStack } from '../../local/read-stack.ts';
import { openTemplate } from '../../local/template-resources.ts';
import { readUserPools } from '../../local/user-pools.ts';
import { writeAssembly } from './write-assembly.ts';

const names = { tableName: 'items' };
const poolWith = (LambdaArn: unknown, LambdaVersion = 'V2_0') => ({
  Type: 'AWS::Cognito::UserPool',
  Properties: { LambdaConfig: { PreTokenGenerationConfig: { LambdaArn, LambdaVersion } } },
});
const people = poolWith({ 'Fn::GetAtt': ['Decide', 'Arn'] });
const resources = {
  Operators: { Type: 'AWS::Cognito::UserPool', Properties: {} },
  People: people,
  OperatorsClient: { Type: 'AWS::Cognito::UserPoolClient', Properties: { UserPoolId: { Ref: 'Operators' } } },
  PeopleClient: { Type: 'AWS::Cognito::UserPoolClient', Properties: { UserPoolId: { Ref: 'People' } } },
  Decide: { Type: 'AWS::Lambda::Function', Properties: {} },
};

function resolve(value: unknown): unknown {
  const Resources = { ...resources, Any: { Type: 'Any', Properties: { value } } };
  return openTemplate({ Resources }, names).read('Any', v.object({ value: v.unknown() })).value;
}

describe('of two user pools', () => {
  test.each([
    [{ Ref: 'People' }, 'local_People'],
    [{ Ref: 'Operators' }, 'local_Operators'],
    [{ 'Fn::GetAtt': ['People', 'Arn'] }, 'arn:aws:cognito-idp:local:000000000000:userpool/local_People'],
    [{ 'Fn::GetAtt': ['Operators', 'Arn'] }, 'arn:aws:cognito-idp:local:000000000000:userpool/local_Operators'],
    [{ 'Fn::GetAtt': ['People', 'ProviderName'] }, 'cognito-idp.local.amazonaws.com/local_People'],
    [{ 'Fn::GetAtt': ['People', 'ProviderURL'] }, 'https://cognito-idp.local.amazonaws.com/local_People'],
    // The development login replaces this one.
    [{ 'Fn::GetAtt': ['Operators', 'ProviderURL'] }, 'https://cognito-idp.local.amazonaws.com/local'],
    [{ Ref: 'PeopleClient' }, 'peopleclient'],
    [{ Ref: 'OperatorsClient' }, 'dashboard'],
  ])('%j is %s', (reference, expected) => {
    expect(resolve(reference)).toBe(expected);
  });

  test('an attribute that Cognito does not have is not supported', () => {
    expect(() => resolve({ 'Fn::GetAtt': ['People', 'Name'] })).toThrow('does not support Fn::GetAtt People.Name');
  });

  test('the one with a trigger is read, with its function', () => {
    expect(readUserPools(openTemplate({ Resources: resources }, names))).toEqual([
      {
        id: 'local_People',
        issuer: 'https://cognito-idp.local.amazonaws.com/local_People',
        triggerFunctionId: 'Decide',
      },
    ]);
  });
});

test.each([
  ['another version of its events', poolWith({ 'Fn::GetAtt': ['Decide', 'Arn'] }, 'V1_0')],
  ['a function elsewhere', poolWith('arn:aws:s3:::bucket')],
])('a trigger with %s is not supported', (_, pool) => {
  const template = openTemplate({ Resources: { ...resources, People: pool } }, names);
  expect(() => readUserPools(template)).toThrow(LocalError);
});

test('the function of a trigger is one of the functions that run, also behind an alias', async () => {
  const Alias = { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Endpoint0' }, Name: 'live' } };
  const assembly = await writeAssembly(
    { 'GET /a': '' },
    { Endpoint0Route: { Type: 'AWS::CDK::Metadata' }, Alias, People: poolWith({ Ref: 'Alias' }) },
  );
  const { functions, userPools } = readStack(assembly, names);
  expect(userPools.map(({ triggerFunctionId }) => triggerFunctionId)).toEqual(['Endpoint0']);
  expect(functions.map(({ logicalId }) => logicalId).sort()).toEqual(['Endpoint0', 'Manage']);
});
