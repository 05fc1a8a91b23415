import { describe, expect, test } from '@jest/globals';
import { endpointSets } from '../../lib/options/endpoint-sets.ts';
import { rootPurposes } from '../../lib/options/option-roots.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';
import { statementsOf } from './role-permissions.ts';
import { functionsOf, referredId, resourcesOf, rootKeyOf, synthesizeTemplate } from './synthesized-stack.ts';

const everything = { stage: 'prod', webhooks: 'standard', endpoints: Object.keys(endpointSets).join(',') };
const template = await synthesizeTemplate(everything);
const functions = functionsOf(template);
const arnOf = (version: string, from = template) => ({ 'Fn::GetAtt': [rootKeyOf(from, version)[0], 'Arn'] });

const writers = ['set-access', 'assign-role', 'revoke-role', 'manage', 'issue-canary-key'];
const ownWebhooks = ['set-own-webhook', 'delete-own-webhook', 'rotate-own-webhook-secret'];
const directories = ['scim-users', 'scim-groups'];
const evaluating = [
  'evaluate-access',
  'evaluate-accesses',
  'authorize-request',
  'answer-okta-hook',
  'answer-hydra-hook',
];
/** Who derives from the roots of each purpose: each further one is one more by which they could leak. */
const users: Readonly<Record<string, readonly string[]>> = {
  k: [...everyEndpoint.map(({ name }) => name), 'list-own-webhooks', ...ownWebhooks, 'manage', 'issue-canary-key'],
  h: [
    ...writers,
    ...ownWebhooks,
    ...directories,
    'list-changes',
    'publish-changes',
    'deliver-webhook',
    'wake-webhooks',
  ],
  c: [...evaluating, ...directories, 'manage'],
  w: ['set-own-webhook', 'rotate-own-webhook-secret', 'manage', 'deliver-webhook'],
};

describe.each([...rootPurposes])('the root key of the purpose %s', (purpose) => {
  const [keyId, key] = rootKeyOf(template, `${purpose}1`);
  const { Statement: statements } = key.Properties.KeyPolicy as { Statement: { Sid: string }[] };
  const statement = (sid: string) => statements.find(({ Sid }) => Sid === sid);

  test('can only generate HMACs', () => {
    expect(key.Properties).toMatchObject({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
  });

  test('is retained when the stack is deleted', () => {
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('cannot be deleted or disabled', () => {
    expect(statement('DenyRemoval')).toEqual({
      Sid: 'DenyRemoval',
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'],
      Resource: '*',
    });
  });

  test('can be used only by the roles of the functions that derive from it', () => {
    const allowed = Object(statement('DenyUseOutsideFunctions'));
    expect(allowed).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['kms:CreateGrant', 'kms:GenerateMac', 'kms:VerifyMac'],
    });
    const roles: unknown[] = allowed.Condition.ArnNotEquals['aws:PrincipalArn'];
    const names = [...functions].flatMap(([name, { Properties }]) =>
      roles.some((role) => referredId(role) === referredId(Properties.Role)) ? name : [],
    );
    expect(names.toSorted()).toEqual(users[purpose]?.toSorted());
    expect(roles).toHaveLength(names.length);
  });

  test('is in the policies and the environment of these functions, and of no others', () => {
    const arn = { 'Fn::GetAtt': [keyId, 'Arn'] };
    const using = [...functions.keys()].filter((name) =>
      statementsOf(template, name).some(
        ({ Effect, Action, Resource }) =>
          Effect === 'Allow' && Action === 'kms:GenerateMac' && JSON.stringify(Resource) === JSON.stringify(arn),
      ),
    );
    const naming = [...functions].filter(([, fn]) => rootsOf(fn).includes(`${purpose}1=`)).map(([name]) => name);
    expect([using.toSorted(), naming.toSorted()]).toEqual([users[purpose]?.toSorted(), users[purpose]?.toSorted()]);
  });

  test("is administered by the stack's account, which may change its policy", () => {
    expect(statements).toHaveLength(4);
    expect(statement('AllowAdministration')).toMatchObject({ Effect: 'Allow', Action: 'kms:*' });
    expect(JSON.stringify(statement('AllowAdministration'))).toContain('":root"');
  });

  test('can be copied to other Regions later, but only to named ones', () => {
    expect(key.Properties.MultiRegion).toBe(true);
    expect(statement('DenyOtherReplicas')).toEqual({
      Sid: 'DenyOtherReplicas',
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 'kms:ReplicateKey',
      Resource: '*',
    });
  });

  test('is the same in a stack without options, so that switching one off and on again changes no secret', async () => {
    const without = await synthesizeTemplate({ stage: 'prod' });
    const [sameId, { Properties }] = rootKeyOf(without, `${purpose}1`);
    expect([sameId, { ...Properties, KeyPolicy: undefined }]).toEqual([
      keyId,
      { ...key.Properties, KeyPolicy: undefined },
    ]);
  });
});

test.each(Object.values(users).flat())(
  'every root key is denied to the role of %s outside that function, by name and not by a pattern',
  (name) => {
    const fn = functions.get(name);
    const [id = ''] = [...resourcesOf(template, 'AWS::Lambda::Function')]
      .filter(([, other]) => other === fn)
      .map(([functionId]) => functionId);
    const arn = { 'Fn::GetAtt': [id, 'Arn'] };
    const denied = statementsOf(template, name).filter(({ Effect }) => Effect === 'Deny');
    expect(denied).toEqual([
      {
        Effect: 'Deny',
        Action: 'kms:GenerateMac',
        // Every version of the key, even one that is only granted.
        Resource: '*',
        Condition: {
          // The policy is attached to the roles of other functions too.
          ArnEquals: { 'aws:PrincipalArn': { 'Fn::GetAtt': [referredId(fn?.Properties.Role), 'Arn'] } },
          // A negated operator also matches if the key is absent, outside any function.
          ArnNotEquals: { 'lambda:SourceFunctionArn': [arn, { 'Fn::Join': ['', [arn, ':*']] }] },
        },
      },
    ]);
  },
);

test('a policy that binds roles to their functions only denies, and fits into the 6,144 characters of a managed policy', () => {
  const shared = [...resourcesOf(template, 'AWS::IAM::ManagedPolicy').values()].filter(({ Properties }) =>
    JSON.stringify(Properties.PolicyDocument).includes('lambda:SourceFunctionArn'),
  );
  expect(shared.length).toBeGreaterThan(0);
  for (const { Properties } of shared) {
    const { Statement: denials } = Properties.PolicyDocument as { Statement: { Effect: string }[] };
    expect(new Set(denials.map(({ Effect }) => Effect))).toEqual(new Set(['Deny']));
    expect(Properties.Roles).toHaveLength(denials.length);
    expect(denials.length).toBeLessThanOrEqual(12);
  }
});

test('the root keys are referenced by ARN, never by an alias', () => {
  expect(rootKeysOf(template)).toEqual({ 'Fn::Join': ['', ['k1=', arnOf('k1')]] });
  expect(resourcesOf(template, 'AWS::KMS::Alias').size).toBe(0);
});

const both = await synthesizeTemplate({ ...everything, rootKeys: 'k1,k2' });

test('a second version of a root key does not change the first', () => {
  expect(rootKeyOf(both, 'k1')).toEqual(rootKeyOf(template, 'k1'));
});

test('a second version of a root key is a separate key, protected like the first', () => {
  const [, first] = rootKeyOf(both, 'k1');
  const [, second] = rootKeyOf(both, 'k2');
  expect(second.Properties.KeyPolicy).toEqual(first.Properties.KeyPolicy);
  expect(second).toMatchObject({
    DeletionPolicy: 'Retain',
    Properties: { Description: expect.stringMatching(/k2$/) },
  });
});

test('a second version of a root key comes last for the functions, because new API keys are derived from the last', () => {
  const [one, two] = [arnOf('k1', both), arnOf('k2', both)];
  expect(rootKeysOf(both)).toEqual({ 'Fn::Join': ['', ['k1=', one, ',k2=', two]] });
  const outputs = ['k1', 'k2', 'h1', 'c1', 'w1'].map((version) => [`prod/${version}=`, arnOf(version, both)]);
  const text = outputs.flatMap(([name, arn], at) => [at === 0 ? name : `,${name}`, arn]);
  expect(both.Outputs.RootKeys?.Value).toEqual({ 'Fn::Join': ['', text] });
  const [grant] = statementsOf(both, 'get-access').filter(({ Action }) => Action === 'kms:GenerateMac');
  expect(grant?.Resource).toEqual([one, two]);
});

test('roots of API keys that serve every purpose are for every function that has a root, beside its own', async () => {
  const shared = await synthesizeTemplate({ ...everything, rootKeys: 'shared' });
  const own = functionsOf(shared);
  expect(rootsOf(own.get('deliver-webhook'))).toMatch(/k1=.*h1=.*w1=/);
  expect(rootsOf(own.get('evaluate-access'))).toMatch(/k1=.*c1=/);
  expect(rootsOf(own.get('scim-discovery'))).toBe('');
  const [grant] = statementsOf(shared, 'evaluate-access').filter(({ Action }) => Action === 'kms:GenerateMac');
  expect(grant?.Resource).toEqual(arnOf('k1', shared));
});

function rootKeysOf(from: typeof template): unknown {
  return Object(functionsOf(from).get('get-access')?.Properties.Environment).Variables.ROOT_KEYS;
}

/** What a function's environment has of `ROOT_KEYS`; empty if nothing. */
function rootsOf(fn: ReturnType<(typeof functions)['get']>): string {
  return JSON.stringify(Object(fn?.Properties.Environment).Variables?.ROOT_KEYS ?? '').replace(/^""$/, '');
}
