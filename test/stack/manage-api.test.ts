import { describe, expect, test } from '@jest/globals';
import { manageScope } from '#shared/contract/operation.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';
import {
  nameOf,
  onlyResource,
  referredId,
  resourcesOf,
  synthesizeTemplate,
  type Template,
  type TemplateResource,
} from './synthesized-stack.ts';

const oidc = { oidcIssuer: 'https://login.example.com/tenant/', oidcAudience: 'auth-service' };
const login = { dashboardUrls: 'https://auth.example.com/' };
const ownTemplate = await synthesizeTemplate(login);
const otherTemplate = await synthesizeTemplate(oidc);
const functions = resourcesOf(ownTemplate, 'AWS::Lambda::Function');
const managePath = '/api/manage/{proxy+}';

test('the function URL requires IAM, buffers responses and allows no other origin', () => {
  const [, { Properties }] = onlyResource(ownTemplate, 'AWS::Lambda::Url');
  const { TargetFunctionArn, ...others } = Properties;
  expect(others).toEqual({ AuthType: 'AWS_IAM', InvokeMode: 'BUFFERED' });
  expect(functionNamed(referredId(TargetFunctionArn))).toBe('manage');
});

test.each(['dev', 'prod'])(
  'the policy for callers of the function URL allows invoking the function only by that URL, in %s',
  async (stage) => {
    const template = await synthesizeTemplate({ stage });
    const [id, { Properties }] = callersPolicy(template);
    const invoked = [...resourcesOf(template, 'AWS::Lambda::Alias').keys()].filter((alias) => alias.includes('Manage'));
    const { Statement } = Properties.PolicyDocument as { Statement: Record<string, unknown>[] };
    expect(Statement.map(({ Action, Condition }) => [Action, Condition])).toEqual([
      ['lambda:InvokeFunctionUrl', { StringEquals: { 'lambda:FunctionUrlAuthType': 'AWS_IAM' } }],
      ['lambda:InvokeFunction', { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } }],
    ]);
    for (const { Resource } of Statement) {
      const [fn, ...aliases] = [Resource].flat().map(referredId);
      expect(nameOf(resourcesOf(template, 'AWS::Lambda::Function').get(fn ?? '') as TemplateResource)).toBe('manage');
      expect(aliases).toEqual(invoked);
    }
    expect(template.Outputs.ManageCallersPolicyArn?.Value).toEqual({ Ref: id });
  },
);

test('the stack does not attach the policy for callers of the function URL', () => {
  const [, { Properties }] = callersPolicy(ownTemplate);
  for (const kind of ['Roles', 'Users', 'Groups']) expect(Properties).not.toHaveProperty(kind);
});

test("only API Gateway may invoke a function by the function's own policy", () => {
  for (const { Properties } of resourcesOf(ownTemplate, 'AWS::Lambda::Permission').values()) {
    expect(Properties).toMatchObject({ Principal: 'apigateway.amazonaws.com', SourceArn: expect.anything() });
  }
});

test('the route of the HTTP API accepts every method and path of the Management API', () => {
  const [prefix] = managePath.split('{');
  for (const { path } of Object.values(manageOperations)) expect(path.startsWith(prefix ?? '')).toBe(true);
  expect(routesOf(ownTemplate).map(({ RouteKey }) => RouteKey)).toContain(`ANY ${managePath}`);
});

test('the route of the HTTP API invokes the same function, in payload format 2.0', () => {
  const route = routesOf(ownTemplate).find(({ RouteKey }) => RouteKey === `ANY ${managePath}`);
  const [, integrationId] = Object(route?.Target)['Fn::Join'][1];
  const integration = resourcesOf(ownTemplate, 'AWS::ApiGatewayV2::Integration').get(referredId(integrationId) ?? '');
  expect(integration?.Properties.PayloadFormatVersion).toBe('2.0');
  expect(functionNamed(referredId(integration?.Properties.IntegrationUri))).toBe('manage');
});

describe.each([
  ["the stack's user pool", ownTemplate],
  ['another OpenID provider', otherTemplate],
])('with %s', (_, template) => {
  const [authorizerId, authorizer] = onlyResource(template, 'AWS::ApiGatewayV2::Authorizer');

  test('the authorizer verifies the token in the header', () => {
    expect(authorizer.Properties).toMatchObject({
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
    });
  });

  test("only the Service API's routes, the keys of changes and $default are open, and all others require a token with the scope", () => {
    const routes = routesOf(template);
    const open = routes.filter(({ AuthorizationType = 'NONE' }) => AuthorizationType === 'NONE');
    const signed = everyEndpoint.map(({ method, path }) => `${method} ${path}`);
    expect(open.map(({ RouteKey }) => RouteKey).sort()).toEqual(
      [...signed, 'GET /api/service/change-keys', '$default'].sort(),
    );
    for (const route of routes.filter((candidate) => !open.includes(candidate))) {
      expect(route).toMatchObject({
        AuthorizationType: 'JWT',
        AuthorizerId: { Ref: authorizerId },
        AuthorizationScopes: [manageScope],
      });
    }
  });

  test('no open route has a path of the Management API', () => {
    const inside = routesOf(template).filter(({ RouteKey }) => String(RouteKey).includes('/api/manage'));
    expect(inside).toHaveLength(1);
    for (const { AuthorizationType } of inside) expect(AuthorizationType).toBe('JWT');
  });
});

test.each([
  ['the user pool', ownTemplate],
  ['another provider', otherTemplate],
])("the function requires the authorizer's issuer: %s", (_, template) => {
  const manage = [...resourcesOf(template, 'AWS::Lambda::Function').values()].find((one) => nameOf(one) === 'manage');
  const { Variables } = Object(manage?.Properties.Environment);
  expect(Variables.OPERATOR_ISSUER).toEqual(jwtConfigurationOf(template).Issuer);
});

test("the tokens are issued by the user pool to the dashboard's client", () => {
  const [poolId] = onlyResource(ownTemplate, 'AWS::Cognito::UserPool');
  const [clientId] = onlyResource(ownTemplate, 'AWS::Cognito::UserPoolClient');
  expect(jwtConfigurationOf(ownTemplate)).toEqual({
    Issuer: { 'Fn::GetAtt': [poolId, 'ProviderURL'] },
    Audience: [{ Ref: clientId }],
  });
});

test('the login pages lead back to the dashboard that the context gives', () => {
  const [, client] = onlyResource(ownTemplate, 'AWS::Cognito::UserPoolClient');
  expect(client.Properties.CallbackURLs).toEqual([login.dashboardUrls]);
});

test('the tokens are those of exactly the provider in the context', () => {
  expect(jwtConfigurationOf(otherTemplate)).toEqual({ Issuer: oidc.oidcIssuer, Audience: [oidc.oidcAudience] });
});

test('with another provider there are no Cognito resources', () => {
  const types = Object.values(otherTemplate.Resources).map(({ Type }) => String(Type));
  expect(types.filter((type) => type.startsWith('AWS::Cognito::'))).toEqual([]);
});

test("the outputs contain the function URL, the issuer and the dashboard's client", () => {
  const [urlId] = onlyResource(ownTemplate, 'AWS::Lambda::Url');
  const { Issuer, Audience } = jwtConfigurationOf(ownTemplate);
  expect(ownTemplate.Outputs).toMatchObject({
    ManageUrl: { Value: { 'Fn::GetAtt': [urlId, 'FunctionUrl'] } },
    OidcIssuer: { Value: Issuer },
    OidcClientId: { Value: Audience[0] },
  });
});

test('the outputs contain only the issuer of another provider', () => {
  const outputs = otherTemplate.Outputs;
  expect(outputs.OidcIssuer?.Value).toBe(oidc.oidcIssuer);
  expect(outputs).not.toHaveProperty('OidcClientId');
});

function routesOf(template: typeof ownTemplate): Readonly<Record<string, unknown>>[] {
  return [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()].map(({ Properties }) => Properties);
}

function jwtConfigurationOf(template: typeof ownTemplate) {
  const [, { Properties }] = onlyResource(template, 'AWS::ApiGatewayV2::Authorizer');
  return Properties.JwtConfiguration as { Issuer: unknown; Audience: unknown[] };
}

function functionNamed(logicalId = ''): string | undefined {
  const fn = functions.get(logicalId);
  return fn && nameOf(fn);
}

/** The only managed policy that no role has, with its logical id. */
function callersPolicy(stack: Template): [string, TemplateResource] {
  const [found, ...others] = [...resourcesOf(stack, 'AWS::IAM::ManagedPolicy')].filter(([id]) =>
    id.startsWith('ManageApi'),
  );
  if (found === undefined || others.length > 0) throw new Error('Not exactly one policy for callers');
  return found;
}
