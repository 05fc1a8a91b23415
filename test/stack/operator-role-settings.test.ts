import { expect, test } from '@jest/globals';
import { readOperatorRoles } from '../../lib/settings/operator-role-settings.ts';
import { onlyResource, resourcesOf, synthesizeTemplate } from './synthesized-stack.ts';

const provider = { oidcIssuer: 'https://login.example.com', oidcAudience: 'auth-service' };
const groups = { 'Help desk': 'support:billing', '6f1d-admins': 'admin' };
const named = 'arn:aws:sts::111122223333:assumed-role/BreakGlass/*';
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
  const iamRoles = { [named]: 'admin', [pattern]: role };
  expect(readContext({ iamRoles }).arns).toEqual(iamRoles);
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

test.each([
  ['everyone is support', { '*': 'support' }],
  ['everyone is admin', { '*': 'admin' }],
  ['the admin is limited', { [named]: 'admin:billing' }],
  ['the admin is in any account', { 'arn:aws:sts::*:assumed-role/Admin': 'admin' }],
  ['the name of the admin is a pattern', { 'arn:aws:sts::111122223333:assumed-role/Admin*': 'admin' }],
  ['every user in a path is admin', { 'arn:aws:iam::111122223333:user/desk/*': 'admin' }],
  ['every federated user is admin', { 'arn:aws:sts::111122223333:federated-user/*': 'admin' }],
  ['only others are named', { 'arn:aws:sts::111122223333:assumed-role/Desk/*': 'support' }],
])('iamRoles must name an admin: %s', (_, iamRoles) => {
  expect(() => readContext({ iamRoles })).toThrow('must name one admin by an ARN without *');
});

test.each([named, 'arn:aws:sts::111122223333:assumed-role/Admin', 'arn:aws:iam::111122223333:user/edith'])(
  'the admin %s is named',
  (arn) => {
    const iamRoles = { '*': 'support', [arn]: 'admin' };
    expect(readContext({ iamRoles }).arns).toEqual(iamRoles);
  },
);

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

test('the stack rejects iamRoles that name no admin', async () => {
  await expect(synthesizeTemplate({ iamRoles: '{"*":"viewer"}' })).rejects.toThrow('must name one admin');
});

test.each([
  [{}, 'WARNING: every identity that may invoke the function URL is an admin. Set iamRoles to limit that'],
  [
    { iamRoles: JSON.stringify({ [named]: 'admin' }) },
    'As iamRoles says; an identity that matches no pattern is a viewer',
  ],
])('a deployment prints what IAM identities may do: %j', async (context, expected) => {
  const { Outputs } = await synthesizeTemplate(context);
  expect(Outputs.IamOperators?.Value).toBe(expected);
});
