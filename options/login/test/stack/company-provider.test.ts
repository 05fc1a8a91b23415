import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../../../lib/settings/settings.ts';
import {
  onlyResource,
  resourcesOf,
  synthesizeTemplate,
  type Template,
} from '../../../../test/stack/synthesized-stack.ts';
import { contextOf } from '../../../../test/support/stack-context.ts';

const clientSecretArn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:auth-service-login-company-1A2B3C';
const company = { name: 'Example', domains: ['example.com', 'example.org'] };
const openId = { ...company, issuer: 'https://login.example.com/tenant', clientId: 'people', clientSecretArn };
const saml = { ...company, metadataUrl: 'https://login.example.com/metadata' };
const emailAttribute = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress';

describe('the provider in the setting login', () => {
  const read = (provider: unknown) => readLogin({ provider });
  const readLogin = (login: unknown) => {
    const root = new RootConstruct();
    const context = contextOf({ stage: 'prod', login });
    for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
    return readSettings(root.node);
  };

  test('is an OpenID provider or one of SAML, as an object or as text', () => {
    const on = (loginProvider?: object) => ({ login: 'on', loginProvider });
    expect(read(openId)).toMatchObject(on(openId));
    expect(readLogin(JSON.stringify({ provider: openId }))).toMatchObject(on(openId));
    expect(read(saml)).toMatchObject(on({ ...saml, emailAttribute }));
    expect(read({ ...saml, emailAttribute: 'mail' })).toMatchObject(on({ ...saml, emailAttribute: 'mail' }));
    expect(readLogin({})).toMatchObject(on());
    expect(readLogin(true)).toMatchObject(on());
    expect(readLogin('')).toMatchObject({ login: 'off', loginProvider: undefined });
  });

  test.each([
    [{ ...openId, name: 'Google' }, 'name: Expected a name that Cognito does not use itself'],
    [{ ...openId, name: 'my_company' }, 'name: Expected a letter'],
    [{ ...openId, domains: [] }, 'domains: Expected at least one domain'],
    [{ ...openId, domains: ['Example.com'] }, 'domains.0: Expected the part of e-mail addresses after the @'],
    [{ ...openId, domains: ['*.example.com'] }, 'domains.0: Expected the part of e-mail addresses after the @'],
    [{ ...openId, issuer: 'http://login.example.com' }, 'issuer: Expected an HTTPS URL'],
    [{ ...openId, clientSecret: 'secret' }, 'clientSecret: '],
    [{ ...openId, clientSecretArn: 'secret' }, 'clientSecretArn: Expected the ARN of a secret'],
    [{ ...openId, metadataUrl: saml.metadataUrl }, 'issuer: '],
    [{ ...saml, metadataUrl: 'https://user:pass@login.example.com/' }, 'metadataUrl: Expected an HTTPS URL'],
  ])('refuses %j', (given, reason) => {
    expect(() => read(given)).toThrow(reason);
  });

  test("refuses a secret that is not the stage's, by its name, and what is no object", () => {
    const other = clientSecretArn.replace('auth-service-login', 'payroll');
    expect(() => read({ ...openId, clientSecretArn: other })).toThrow('must begin with auth-service-login-');
    expect(() => readLogin('{')).toThrow('The setting login must be on or off');
    expect(() => readLogin('yes')).toThrow('The setting login must be on or off');
    expect(() => readLogin({ providers: openId })).toThrow('providers: ');
  });
});

const synthesize = (provider: object) => synthesizeTemplate({ stage: 'prod', login: JSON.stringify({ provider }) });
const peoplePool = (template: Template) =>
  [...resourcesOf(template, 'AWS::Cognito::UserPool')].find(([id]) => id.startsWith('Login'))?.[1].Properties;

describe('the stack with a provider of a company', () => {
  test('has the secret only as a reference that CloudFormation resolves', async () => {
    const template = await synthesize(openId);
    const [, { Properties }] = onlyResource(template, 'AWS::Cognito::UserPoolIdentityProvider');
    expect(Properties).toMatchObject({
      ProviderName: 'Example',
      ProviderType: 'OIDC',
      ProviderDetails: {
        client_id: 'people',
        client_secret: `{{resolve:secretsmanager:${clientSecretArn}:SecretString:::}}`,
        oidc_issuer: 'https://login.example.com/tenant',
        authorize_scopes: 'openid email',
      },
    });
    const [one] = [...resourcesOf(template, 'AWS::Lambda::Function').values()].filter(
      ({ Properties: { Environment } }) => JSON.stringify(Environment).includes('resolve:secretsmanager'),
    );
    expect(one).toBeUndefined();
  });

  test.each([
    ['OIDC', openId, { subject: 'sub', email: 'email', verified: 'email_verified' }],
    ['SAML', saml, { email: emailAttribute }],
  ])('takes from %s nothing that replaces an attribute of the account', async (ProviderType, given, claims) => {
    const [, { Properties }] = onlyResource(await synthesize(given), 'AWS::Cognito::UserPoolIdentityProvider');
    const AttributeMapping = Object.fromEntries(
      Object.entries(claims).map(([name, claim]) => [`custom:provider_${name}`, claim]),
    );
    expect(Properties).toMatchObject({ ProviderType });
    expect(Properties.AttributeMapping).toEqual(AttributeMapping);
  });

  test('has attributes that can all be changed, because Cognito links no others, and calls the function before each sign-up', async () => {
    const pool = peoplePool(await synthesize(saml));
    const own = Object.values(pool?.Schema as { Name: string; Mutable: boolean }[]).filter(({ Name }) =>
      /^(user|provider)_/.test(Name),
    );
    expect(own.map(({ Name, Mutable }) => [Name, Mutable])).toEqual(
      ['user_id', 'user_created_at', 'provider_subject', 'provider_email', 'provider_verified'].map((name) => [
        name,
        true,
      ]),
    );
    expect(pool?.LambdaConfig).toHaveProperty('PreSignUp');
    expect(pool?.AdminCreateUserConfig).toMatchObject({ AllowAdminCreateUserOnly: true });
  });

  test('without one has no such function', async () => {
    const template = await synthesizeTemplate({ stage: 'prod', login: 'on' });
    expect(peoplePool(template)?.LambdaConfig).not.toHaveProperty('PreSignUp');
    expect(JSON.stringify(template)).not.toContain('pre-sign-up');
  });
});
