import { expect, test } from '@jest/globals';
import { everyEndpoint } from '../support/service-endpoints.ts';
import {
  builtDashboard,
  functionsOf,
  onlyResource,
  resourcesOf,
  synthesizeTemplate,
  type Template,
} from './synthesized-stack.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const domain = { stage: 'prod', apiDomain: 'api.example.com', apiCertificateArn: certificateArn };

const template = await synthesizeTemplate(domain);
const proxied = await synthesizeTemplate({ ...domain, publicAuthorities: 'auth.example.com' });
const closedTemplate = await synthesizeTemplate({ ...domain, executeApi: 'off' });
const [apiId, api] = onlyResource(template, 'AWS::ApiGatewayV2::Api');
const [nameId, name] = onlyResource(template, 'AWS::ApiGatewayV2::DomainName');

test('a domain of the API is regional, with its certificate and TLS 1.2 or later', () => {
  expect(name.Properties).toMatchObject({
    DomainName: 'api.example.com',
    DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' }],
  });
});

test('a domain of the API serves the whole API', () => {
  const [, mapping] = onlyResource(template, 'AWS::ApiGatewayV2::ApiMapping');
  expect(mapping.Properties).toMatchObject({ ApiId: { Ref: apiId }, DomainName: { Ref: nameId } });
  expect(mapping.Properties).not.toHaveProperty('ApiMappingKey');
});

test('a domain of the API is in the outputs, with the target of its DNS record', () => {
  expect(template.Outputs).toMatchObject({
    ApiUrl: { Value: 'https://api.example.com/' },
    ApiDomainTarget: { Value: { 'Fn::GetAtt': [nameId, 'RegionalDomainName'] } },
    ApiDomainZone: { Value: { 'Fn::GetAtt': [nameId, 'RegionalHostedZoneId'] } },
  });
});

test('a domain of the API may be signed even if a proxy forwards requests to another name', () => {
  for (const { name: endpoint } of everyEndpoint) {
    expect(authoritiesOf(template, endpoint)).toBe('api.example.com');
    expect(authoritiesOf(proxied, endpoint)).toBe('api.example.com,auth.example.com');
  }
});

test("a domain of the API keeps API Gateway's default endpoint for existing callers, unless the context disables it", () => {
  expect(api.Properties.DisableExecuteApiEndpoint).toBe(false);
  const [, closed] = onlyResource(closedTemplate, 'AWS::ApiGatewayV2::Api');
  expect(closed.Properties.DisableExecuteApiEndpoint).toBe(true);
});

test("a domain of the API is the origin of the dashboard's distribution if the default endpoint is disabled", async () => {
  expect(await apiOriginOf({ executeApi: 'off' })).toBe('api.example.com');
  expect(JSON.stringify(await apiOriginOf({ executeApi: 'on' }))).toContain('ApiEndpoint');
});

test('without the setting there is no domain', async () => {
  const without = await synthesizeTemplate({ stage: 'prod' });
  expect(resourcesOf(without, 'AWS::ApiGatewayV2::DomainName').size).toBe(0);
});

function authoritiesOf(from: Template, endpoint: string): unknown {
  return Object(functionsOf(from).get(endpoint)?.Properties.Environment).Variables.PUBLIC_AUTHORITIES;
}

async function apiOriginOf(context: Record<string, string>): Promise<unknown> {
  const [, distribution] = onlyResource(
    await synthesizeTemplate({ ...domain, dashboard: builtDashboard, ...context }),
    'AWS::CloudFront::Distribution',
  );
  const { Origins } = Object(distribution.Properties.DistributionConfig);
  return Origins.find(({ CustomOriginConfig }: { CustomOriginConfig?: unknown }) => CustomOriginConfig).DomainName;
}
