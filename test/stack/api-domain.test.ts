import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { functionsOf, onlyResource, synthesizeTemplate } from './synthesized-stack.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const domain = { stage: 'prod', apiDomain: 'api.example.com', apiCertificateArn: certificateArn };
const dashboard = mkdtempSync(join(tmpdir(), 'auth-service-'));
mkdirSync(join(dashboard, 'assets'));
writeFileSync(join(dashboard, 'index.html'), '<!doctype html>');
writeFileSync(join(dashboard, 'assets/index.js'), '');
afterAll(() => rmSync(dashboard, { recursive: true }));

const template = synthesizeTemplate(domain);
const [apiId, api] = onlyResource(template, 'AWS::ApiGatewayV2::Api');
const [nameId, name] = onlyResource(template, 'AWS::ApiGatewayV2::DomainName');

describe('a domain of the API', () => {
  test('is regional, with its certificate, and speaks TLS 1.2 and above', () => {
    expect(name.Properties).toEqual({
      DomainName: 'api.example.com',
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
  });

  test('leads to the whole API', () => {
    const [, mapping] = onlyResource(template, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mapping.Properties).toMatchObject({ ApiId: { Ref: apiId }, DomainName: { Ref: nameId } });
    expect(mapping.Properties).not.toHaveProperty('ApiMappingKey');
  });

  test('is what the outputs name, with where its DNS record has to point', () => {
    expect(template.findOutputs('*')).toMatchObject({
      ApiUrl: { Value: 'https://api.example.com/' },
      ApiDomainTarget: { Value: { 'Fn::GetAtt': [nameId, 'RegionalDomainName'] } },
      ApiDomainZone: { Value: { 'Fn::GetAtt': [nameId, 'RegionalHostedZoneId'] } },
    });
  });

  test('may be signed also where a proxy passes on requests to another name', () => {
    const proxied = synthesizeTemplate({ ...domain, publicAuthorities: 'auth.example.com' });
    for (const { name: endpoint } of Object.values(serviceRoutes)) {
      expect(authoritiesOf(template, endpoint)).toBe('api.example.com');
      expect(authoritiesOf(proxied, endpoint)).toBe('api.example.com,auth.example.com');
    }
  });

  test("leaves API Gateway's own name open, on which callers may still rely, unless the context closes it", () => {
    expect(api.Properties.DisableExecuteApiEndpoint).toBe(false);
    const [, closed] = onlyResource(synthesizeTemplate({ ...domain, executeApi: 'off' }), 'AWS::ApiGatewayV2::Api');
    expect(closed.Properties.DisableExecuteApiEndpoint).toBe(true);
  });

  test("is where the dashboard's distribution finds the API when no other name is left", () => {
    expect(apiOriginOf({ executeApi: 'off' })).toBe('api.example.com');
    expect(JSON.stringify(apiOriginOf({ executeApi: 'on' }))).toContain('ApiEndpoint');
  });
});

test('without one there is none', () => {
  synthesizeTemplate({ stage: 'prod' }).resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
});

function authoritiesOf(from: typeof template, endpoint: string): unknown {
  return Object(functionsOf(from).get(endpoint)?.Properties.Environment).Variables.PUBLIC_AUTHORITIES;
}

function apiOriginOf(context: Record<string, string>): unknown {
  const [, distribution] = onlyResource(
    synthesizeTemplate({ ...domain, dashboard, ...context }),
    'AWS::CloudFront::Distribution',
  );
  const { Origins } = Object(distribution.Properties.DistributionConfig);
  return Origins.find(({ CustomOriginConfig }: { CustomOriginConfig?: unknown }) => CustomOriginConfig).DomainName;
}
