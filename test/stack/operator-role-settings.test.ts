import { expect, test } from '@jest/globals';
import { readOperatorRoles } from '../../lib/settings/operator-role-settings.ts';
import { onlyResource, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const provider = { oidcIssuer: 'https://login.example.com', oidcAudience: 'auth-service' };
const groups = { 'Help desk': 'support:billing', '6f1d-admins': 'admin' };
const readContext = (context: Record<string, unknown>) =>
  readOperatorRoles({ stage: 'dev', region: undefined, ...context });

test('by default tokens have the groups of the user pool, and IAM callers are admins', () => {
  expect(readContext({})).toEqual({ token: { claim: 'cognito:groups' }, arns: {} });
});

test('tokens of another provider make viewers, unless a claim and a map of its values are given', () => {
  expect(readContext(provider).token).toEqual({});
  for (const oidcRoles of [groups, JSON.stringify(groups)]) {
    expect(readContext({ ...provider, oidcRoleClaim: 'groups', oidcRoles }).token).toEqual({ claim: 'groups', groups });
  }
});

test.each([
  ['*', 'viewer'],
  ['arn:aws:iam::111122223333:user/edith', 'support'],
  ['arn:aws:iam::111122223333:user/desk/*', 'support:billing'],
  ['arn:aws-us-gov:iam::111122223333:root', 'admin'],
  ['arn:*:sts::*:assumed-role/Support*', 'support'],
  ['arn:aws:sts::111122223333:assumed-role/AWSReservedSSO_Support_*/*', 'support'],
  ['arn:aws:sts::111122223333:federated-user/*', 'viewer'],
])('iamRoles accepts the pattern %s', (pattern, role) => {
  expect(readContext({ iamRoles: { [pattern]: role } }).arns).toEqual({ [pattern]: role });
});

test.each([
  'edith',
  'arn:aws:iam::111122223333:role/Support',
  'arn:aws:sts::111122223333:assumed-role/Support/edith',
  'arn:aws:sts::111122223333:assumed-role/*/admin',
  'arn:aws:sts::111122223333:federated-user/edith',
  'arn:aws:iam::1111:user/edith',
  '*admin',
  'arn:aws:iam::111122223333:user/',
])('iamRoles rejects the pattern %s, which matches no one or a name that the caller chooses', (pattern) => {
  expect(() => readContext({ iamRoles: { [pattern]: 'support' } })).toThrow(`has the invalid pattern ${pattern}`);
});

test.each([
  ['{', 'no JSON'],
  ['[]', 'a list'],
  ['{}', 'an empty object'],
  ['{"*":"root"}', 'an unknown role'],
  ['{"*":"Viewer"}', 'a role in capitals'],
  ['{"*":"support:"}', 'a role for no application'],
  ['{"*":"support:Billing"}', 'a role for an invalid application id'],
  ['{"*":["viewer"]}', 'a list of roles'],
])('iamRoles rejects %s, which is %s', (iamRoles) => {
  expect(() => readContext({ iamRoles })).toThrow('iamRoles must be a JSON object');
});

test('the claim and its map require each other and another provider', () => {
  expect(() => readContext({ ...provider, oidcRoleClaim: 'groups' })).toThrow('belong together');
  expect(() => readContext({ ...provider, oidcRoles: groups })).toThrow('belong together');
  expect(() => readContext({ oidcRoleClaim: 'groups', oidcRoles: groups })).toThrow('are allowed only with oidcIssuer');
});

test('the maps can have 2,000 characters together', () => {
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`group-${n}-${'x'.repeat(40)}`, 'admin']));
  expect(() => readContext({ ...provider, oidcRoleClaim: 'groups', oidcRoles: long })).toThrow(
    'at most 2000 characters',
  );
});

const everybody = { '*': 'support' };
const inOneAccount = {
  'arn:aws:iam::111122223333:*': 'viewer',
  'arn:aws:sts::111122223333:assumed-role/*': 'support',
};
test.each([
  ['everyone is support by IAM, and tokens have no roles', { ...provider, iamRoles: everybody }],
  ['everyone in an account has another role', { ...provider, iamRoles: inOneAccount }],
  ['the only admin is limited', { ...provider, iamRoles: { '*': 'admin:billing' } }],
  [
    'no group is admin',
    { ...provider, iamRoles: everybody, oidcRoleClaim: 'groups', oidcRoles: { desk: 'support', b: 'admin:billing' } },
  ],
])('a deployment without an admin is rejected: %s', (_, context) => {
  expect(() => readContext(context)).toThrow('There would be no admin');
});

test.each([
  ['a group is', { ...provider, iamRoles: everybody, oidcRoleClaim: 'groups', oidcRoles: groups }],
  ['the group of the user pool is', { iamRoles: everybody }],
  ['a pattern is', { ...provider, iamRoles: { ...everybody, 'arn:aws:sts::*:assumed-role/Admin': 'admin' } }],
  [
    'an identity that matches no pattern is',
    { ...provider, iamRoles: { 'arn:aws:sts::*:assumed-role/Desk': 'support' } },
  ],
  ['the users of the account are', { ...provider, iamRoles: { 'arn:aws:sts::*:assumed-role/*': 'support' } }],
])('a deployment in which %s admin is accepted', (_, context) => {
  expect(readContext(context).arns).toBeDefined();
});

test('the user pool has a group for each role, the strongest first', async () => {
  const template = await synthesizeTemplate({});
  const [poolId] = onlyResource(template, 'AWS::Cognito::UserPool');
  const properties = [...resourcesOf(template, 'AWS::Cognito::UserPoolGroup').values()].map(
    (group) => group.Properties,
  );
  expect(properties.map(({ GroupName, Precedence, UserPoolId }) => [GroupName, Precedence, UserPoolId])).toEqual([
    ['admin', 0, { Ref: poolId }],
    ['support', 1, { Ref: poolId }],
    ['viewer', 2, { Ref: poolId }],
  ]);
});

test('only the management function knows how operators get their roles', async () => {
  const template = await synthesizeTemplate({
    ...provider,
    oidcRoleClaim: 'groups',
    oidcRoles: JSON.stringify(groups),
  });
  const told = [...resourcesOf(template, 'AWS::Lambda::Function').values()].flatMap(({ Properties }) => {
    const { Variables = {} } = Object(Properties.Environment);
    return Variables.OPERATOR_ROLES ?? [];
  });
  expect(told.map((text) => JSON.parse(String(text)))).toEqual([{ token: { claim: 'groups', groups }, arns: {} }]);
});

test('the stack rejects a deployment without an admin', async () => {
  await expect(synthesizeTemplate({ ...provider, iamRoles: '{"*":"viewer"}' })).rejects.toThrow(
    'There would be no admin',
  );
});
