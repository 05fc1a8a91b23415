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

test('the routes may each invoke their own function, and only for this API', () => {
  const permissions = [...resourcesOf(template, 'AWS::Lambda::Permission').values()];
  expect(permissions).toHaveLength(integrations.size);
  for (const { Properties } of permissions) {
    expect(Properties).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
    expect(JSON.stringify(Properties.SourceArn)).toContain(`{"Ref":"${apiId}"}`);
  }
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

function routes(): [unknown, string | undefined][] {
  return [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()].map(({ Properties }) => {
    const [, integrationId] = Object(Properties.Target)['Fn::Join'][1];
    return [Properties.RouteKey, functionOf(referredId(integrationId))];
  });
}

function functionOf(integrationId = ''): string | undefined {
  const functionId = referredId(integrations.get(integrationId)?.Properties.IntegrationUri);
  const fn = resourcesOf(template, 'AWS::Lambda::Function').get(functionId ?? '');
  return fn && nameOf(fn);
}
