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

test('the user pool holds only whom an administrator invites, by email address', () => {
  expect(pool.Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    UsernameAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: false },
  });
});

test('the user pool takes strong passwords, and an invitation for three days', () => {
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

test('the user pool counts a new email address only once it is verified', () => {
  expect(pool.Properties).toMatchObject({
    AutoVerifiedAttributes: ['email'],
    UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
  });
});

test('the user pool cannot be deleted by mistake, and stays when the stack goes', () => {
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

test('the scope is that of the Management API, to the letter', () => {
  const { Identifier, Scopes, UserPoolId } = scopes.Properties;
  expect(UserPoolId).toEqual({ Ref: poolId });
  expect((Scopes as { ScopeName: string }[]).map(({ ScopeName }) => `${Identifier}/${ScopeName}`)).toEqual([
    manageScope,
  ]);
});

test("the dashboard's client has no secret, and takes the code grant alone", () => {
  expect(client.Properties).toMatchObject({
    GenerateSecret: false,
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
  });
});

test("the dashboard's client may ask for the scope, which exists before it, and for no right over the operator's own record", () => {
  expect(client.Properties.AllowedOAuthScopes).toEqual(['openid', 'email', manageScope]);
  expect(client).toMatchObject({ DependsOn: [scopesId] });
});

test("the dashboard's client lets no password pass through the API", () => {
  expect(client.Properties.ExplicitAuthFlows).toEqual(['ALLOW_USER_SRP_AUTH']);
});

test("the dashboard's client gets access tokens for 15 minutes, and refresh tokens for 12 hours, each good for one use", () => {
  expect(client.Properties).toMatchObject({
    AccessTokenValidity: 15,
    IdTokenValidity: 15,
    RefreshTokenValidity: 12 * 60,
    TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
    RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
    EnableTokenRevocation: true,
  });
});

test("the dashboard's client does not tell whether an operator exists", () => {
  expect(client.Properties.PreventUserExistenceErrors).toBe('ENABLED');
});

test("the dashboard's client returns to the dashboards, and nowhere else", () => {
  expect(client.Properties).toMatchObject({ CallbackURLs: urls, LogoutURLs: urls });
});

test.each(['staging', 'prod'])("the login of %s has no address on an operator's own machine", async (stage) => {
  const [, { Properties }] = onlyResource(
    await synthesizeTemplate({ stage, dashboard: builtDashboard }),
    'AWS::Cognito::UserPoolClient',
  );
  expect(Properties.CallbackURLs).toHaveLength(1);
  expect(JSON.stringify(Properties)).not.toContain('localhost');
});

test('without a dashboard there is no place to return to, and so no code grant, which Cognito would refuse', async () => {
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
