import { expect, test } from '@jest/globals';
import { manageScope } from '#shared/contract/operation.ts';
import { builtDashboard, onlyResource, synthesizeTemplate } from './synthesized-stack.ts';

const urls = ['https://auth.example.com/', 'https://admin.example.com/'];
const template = await synthesizeTemplate({
  stage: 'prod',
  dashboardUrls: urls.join(),
});
const [poolId, pool] = onlyResource(template, 'AWS::Cognito::UserPool');
const [clientId, client] = onlyResource(template, 'AWS::Cognito::UserPoolClient');
const [scopesId, scopes] = onlyResource(template, 'AWS::Cognito::UserPoolResourceServer');
const [, domain] = onlyResource(template, 'AWS::Cognito::UserPoolDomain');

test('the user pool contains only users invited by an administrator, by email address', () => {
  expect(pool.Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    UsernameAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: false },
  });
});

test('the user pool requires strong passwords, and invitations expire after three days', () => {
  expect(pool.Properties.Policies).toEqual({
    PasswordPolicy: {
      MinimumLength: 12,
      RequireLowercase: true,
      RequireUppercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
      TemporaryPasswordValidityDays: 3,
    },
  });
});

test('the user pool requires an authenticator app', () => {
  expect(pool.Properties).toMatchObject({ MfaConfiguration: 'ON', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
});

test('the user pool accepts a new email address only after verification', () => {
  expect(pool.Properties).toMatchObject({
    AutoVerifiedAttributes: ['email'],
    UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
  });
});

test('the user pool has deletion protection, and is retained when the stack is deleted', () => {
  expect(pool).toMatchObject({
    Properties: { DeletionProtection: 'ACTIVE' },
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
  });
});

test('the user pool runs no code and sends no text messages', () => {
  expect(pool.Properties).not.toHaveProperty('LambdaConfig');
  expect(pool.Properties).not.toHaveProperty('SmsConfiguration');
});

test('the scope is exactly that of the Management API', () => {
  const { Identifier, Scopes, UserPoolId } = scopes.Properties;
  expect(UserPoolId).toEqual({ Ref: poolId });
  expect((Scopes as { ScopeName: string }[]).map(({ ScopeName }) => `${Identifier}/${ScopeName}`)).toEqual([
    manageScope,
  ]);
});

test("the dashboard's client has no secret, and allows only the code grant", () => {
  expect(client.Properties).toMatchObject({
    GenerateSecret: false,
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
  });
});

test("the dashboard's client may request the scope, which is created before it, but no permission on the operator's own record", () => {
  expect(client.Properties.AllowedOAuthScopes).toEqual(['openid', 'email', manageScope]);
  expect([client.DependsOn].flat()).toContain(scopesId);
});

test("the dashboard's client allows no password authentication through the API", () => {
  expect(client.Properties.ExplicitAuthFlows).toEqual(['ALLOW_USER_SRP_AUTH']);
});

test("the dashboard's client gets access tokens for 15 minutes, and single-use refresh tokens for 12 hours", () => {
  expect(client.Properties).toMatchObject({
    AccessTokenValidity: 15,
    IdTokenValidity: 15,
    RefreshTokenValidity: 12 * 60,
    TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
    RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
    EnableTokenRevocation: true,
  });
});

test("the dashboard's client does not reveal whether an operator exists", () => {
  expect(client.Properties.PreventUserExistenceErrors).toBe('ENABLED');
});

test("the dashboard's client redirects only to the dashboards", () => {
  expect(client.Properties).toMatchObject({ CallbackURLs: urls, LogoutURLs: urls });
});

test.each(['staging', 'prod'])("the login of %s has no address on an operator's machine", async (stage) => {
  const [, { Properties }] = onlyResource(
    await synthesizeTemplate({ stage, dashboard: builtDashboard }),
    'AWS::Cognito::UserPoolClient',
  );
  expect(Properties.CallbackURLs).toHaveLength(1);
  expect(JSON.stringify(Properties)).not.toContain('localhost');
});

test('without a dashboard there is no redirect address and therefore no code grant, which Cognito would reject', async () => {
  const [, { Properties }] = onlyResource(
    await synthesizeTemplate({ stage: 'prod', dashboard: 'none' }),
    'AWS::Cognito::UserPoolClient',
  );
  expect(Properties).toMatchObject({ AllowedOAuthFlowsUserPoolClient: false });
  for (const name of ['AllowedOAuthFlows', 'CallbackURLs', 'LogoutURLs']) expect(Properties).not.toHaveProperty(name);
});

test("the login pages are Cognito's newer ones, in its own style", () => {
  const [, style] = onlyResource(template, 'AWS::Cognito::ManagedLoginBranding');
  expect(domain.Properties).toMatchObject({ ManagedLoginVersion: 2 });
  expect(style.Properties).toEqual({
    UserPoolId: { Ref: poolId },
    ClientId: { Ref: clientId },
    UseCognitoProvidedValues: true,
  });
});

test("the login pages have a name with the end of the stack's UUID, which no other stack has", async () => {
  const [, { Properties }] = onlyResource(await synthesizeTemplate({ stage: 'prod' }), 'AWS::Cognito::UserPoolDomain');
  const [separator, [prefix, ending]] = Object(Properties.Domain)['Fn::Join'];
  expect(separator + prefix).toBe('auth-service-');
  const uuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
  expect(ending).toEqual({ 'Fn::Select': [4, { 'Fn::Split': ['-', uuid] }] });
});
