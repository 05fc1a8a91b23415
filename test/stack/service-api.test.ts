import { expect, test } from '@jest/globals';
import { everyEndpoint, webhookEndpoints } from '../support/service-endpoints.ts';
import {
  builtDashboard,
  functionsOf,
  nameOf,
  onlyResource,
  referredId,
  resourcesOf,
  synthesizeTemplate,
} from './synthesized-stack.ts';

const limits = { throttleRate: '50', manageThrottleRate: '20' };
const template = await synthesizeTemplate(limits);
/** Includes the route of the documents, which invokes no function. */
const whole = await synthesizeTemplate({ ...limits, dashboard: builtDashboard });
const [, stage] = onlyResource(template, 'AWS::ApiGatewayV2::Stage');
const [apiId, api] = onlyResource(template, 'AWS::ApiGatewayV2::Api');
const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration');

test("the routes are the contract's, that of the public keys, $default and the Management API's, each with its function", () => {
  const expected = everyEndpoint.map(({ method, path, name }) => [`${method} ${path}`, name]);
  expect(new Map(routes())).toEqual(
    new Map([
      ...expected,
      ['GET /api/service/change-keys', 'list-changes'],
      ['$default', 'refuse-unknown-route'],
      ['ANY /api/manage/{proxy+}', 'manage'],
    ] as [string, string][]),
  );
});

test('the paths of discovery invoke a function without data, and unknown paths of SCIM one that verifies tokens', async () => {
  const scim = await synthesizeTemplate({ endpoints: 'scim' });
  const below = routes(scim).filter(([key]) => String(key).includes(' /scim/v2/'));
  expect(new Map(below)).toEqual(
    new Map([
      ...['ANY /scim/v2/Users', 'ANY /scim/v2/Users/{id}', 'POST /scim/v2/.search'].map((key) => [key, 'scim-users']),
      ...['ANY /scim/v2/Groups', 'ANY /scim/v2/Groups/{id}'].map((key) => [key, 'scim-groups']),
      ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/{id}', 'Schemas', 'Schemas/{id}'].map((path) => [
        `ANY /scim/v2/${path}`,
        'scim-discovery',
      ]),
      ['ANY /scim/v2/{proxy+}', 'scim-users'],
    ] as [string, string][]),
  );
  // API Gateway refuses a second route with the same key, so the resource of a route that is deployed cannot change.
  expect(routeResources(scim).get('ServiceApiScimDiscoveryRoute58A08D80')?.key).toBe('ANY /scim/v2/{proxy+}');
});

test('the setting webhooks adds the endpoints with which applications set up their own, with its formats', async () => {
  const hooked = await synthesizeTemplate({ webhooks: 'standard' });
  const without = functionsOf(template);
  const more = [...functionsOf(hooked).keys()].filter((name) => !without.has(name));
  expect(more).toEqual([...webhookEndpoints.map(({ name }) => name), 'deliver-webhook', 'wake-webhooks']);
  const { Variables } = Object(functionsOf(hooked).get('set-own-webhook')?.Properties.Environment);
  expect(Variables).toMatchObject({ WEBHOOK_FORMATS: 'standard' });
});

test('the routes deliver payload format 2.0', () => {
  for (const { Properties } of integrations.values()) {
    expect(Properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
  }
});

test('the routes of the Service API invoke their functions with one role, which may invoke nothing else', () => {
  const [, ...others] = new Set(
    [...integrations.values()].map(({ Properties }) => referredId(Properties.CredentialsArn)),
  );
  // That of the Management API has none.
  expect(others).toHaveLength(1);
  const ofService = [...integrations.values()].filter(({ Properties }) => Properties.CredentialsArn !== undefined);
  const role = resourcesOf(template, 'AWS::IAM::Role').get(
    referredId(ofService[0]?.Properties.CredentialsArn) ?? '',
  )?.Properties;
  expect(role).toMatchObject({
    AssumeRolePolicyDocument: { Statement: [{ Principal: { Service: 'apigateway.amazonaws.com' } }] },
  });
  const policies = Object(role).Policies as { PolicyDocument: { Statement: { Resource: unknown[] }[] } }[];
  const allowed = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  expect(allowed).toEqual([{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: expect.anything() }]);
  const Resource = allowed[0]?.Resource ?? [];
  const invoked = ofService.map(({ Properties }) => JSON.stringify(Properties.IntegrationUri));
  expect(Resource.map((arn) => JSON.stringify(arn)).sort()).toEqual(invoked.sort());
});

test('only the route of the Management API may invoke its function, and only for this API', () => {
  const [, { Properties }] = onlyResource(template, 'AWS::Lambda::Permission');
  expect(Properties).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
  expect(JSON.stringify(Properties.SourceArn)).toContain(`{"Ref":"${apiId}"}`);
});

test('the stage is $default of an HTTP API and deploys automatically', () => {
  expect(api.Properties.ProtocolType).toBe('HTTP');
  expect(stage.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true });
});

test('the stage throttles as the context says', () => {
  const { DefaultRouteSettings } = stage.Properties;
  expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 });
});

test("operators, /docs, the public keys and unknown paths have their own limits, separate from the Service API's", () => {
  const limited = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 };
  const [, { Properties }] = onlyResource(whole, 'AWS::ApiGatewayV2::Stage');
  expect(Properties.RouteSettings).toEqual({
    'ANY /api/manage/{proxy+}': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    'GET /docs/{proxy+}': limited,
    'GET /api/service/change-keys': limited,
    $default: limited,
  });
});

test('the stage is created after the routes that it limits, because API Gateway rejects limits of unknown routes', () => {
  const [, { Properties, DependsOn }] = onlyResource(whole, 'AWS::ApiGatewayV2::Stage');
  const limited = [...resourcesOf(whole, 'AWS::ApiGatewayV2::Route')].filter(
    ([, route]) => String(route.Properties.RouteKey) in Object(Properties.RouteSettings),
  );
  expect(limited).toHaveLength(4);
  expect(DependsOn).toEqual(expect.arrayContaining(limited.map(([id]) => id)));
});

const { DestinationArn, Format } = stage.Properties.AccessLogSettings as { DestinationArn: unknown; Format: string };

test('the access log has its own log group with a retention of a week in dev', () => {
  const id = referredId(DestinationArn) ?? '';
  expect(resourcesOf(template, 'AWS::Logs::LogGroup').get(id)?.Properties.RetentionInDays).toBe(7);
  expect(JSON.stringify([...functionsOf(template)])).not.toContain(id);
});

test('the access log has request, host, route, status, latencies, caller and errors, as JSON', () => {
  expect(JSON.parse(Format)).toEqual({
    requestId: '$context.requestId',
    host: '$context.domainName',
    time: '$context.requestTime',
    routeKey: '$context.routeKey',
    status: '$context.status',
    responseLatency: '$context.responseLatency',
    integrationLatency: '$context.integrationLatency',
    sourceIp: '$context.identity.sourceIp',
    error: '$context.error.message',
    authorizerError: '$context.authorizer.error',
    integrationError: '$context.integrationErrorMessage',
  });
});

test('the access log has no header and no path', () => {
  expect(Format).not.toMatch(/header|authorization|signature|path/i);
});

test('there is no access log in prod unless a setting enables it', async () => {
  const accessLogOf = async (context: Record<string, string>) =>
    onlyResource(await synthesizeTemplate(context), 'AWS::ApiGatewayV2::Stage')[1].Properties.AccessLogSettings;
  expect(await accessLogOf({ stage: 'prod' })).toBeUndefined();
  expect(await accessLogOf({ stage: 'prod', accessLog: 'on' })).toMatchObject({ Format });
});

test('the outputs contain the URL of the API, the name of the table and the root keys', () => {
  expect(Object.keys(template.Outputs)).toEqual(expect.arrayContaining(['ApiUrl', 'TableName', 'RootKeys']));
});

/** The key and the function of each route. */
function routes(of = template): [unknown, string | undefined][] {
  return [...routeResources(of)].map(([, { key, name }]) => [key, name]);
}

/** The routes by their logical ids. */
function routeResources(of: typeof template) {
  const entries = [...resourcesOf(of, 'AWS::ApiGatewayV2::Route')].map(([id, { Properties }]) => {
    const [, integrationId] = Object(Properties.Target)['Fn::Join'][1];
    return [id, { key: Properties.RouteKey, name: functionOf(of, referredId(integrationId)) }] as const;
  });
  return new Map(entries);
}

function functionOf(of: typeof template, integrationId = ''): string | undefined {
  const { IntegrationUri } = resourcesOf(of, 'AWS::ApiGatewayV2::Integration').get(integrationId)?.Properties ?? {};
  const fn = resourcesOf(of, 'AWS::Lambda::Function').get(referredId(IntegrationUri) ?? '');
  return fn && nameOf(fn);
}
