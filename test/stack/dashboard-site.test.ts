import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { bearerEndpoints, publicPaths } from '../../lib/options/endpoint-sets.ts';
import { everyEndpoint } from '../support/service-endpoints.ts';
import {
  builtDashboard as dashboard,
  functionsOf,
  onlyResource,
  resourcesOf,
  synthesizeAssembly,
  synthesizeTemplate,
  type Template,
  templateIn,
} from './synthesized-stack.ts';

const foreign = { oidcIssuer: 'https://login.example.com/tenant/', oidcAudience: 'auth-service' };
const ownDomain = {
  dashboardDomain: 'auth.example.com',
  dashboardCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
};

const assembly = await synthesizeAssembly({ dashboard, publicAuthorities: 'proxy.example.com' });
const template = templateIn(assembly);
const elsewhere = await synthesizeTemplate({ dashboard, oidcClientId: 'dashboard', ...foreign, ...ownDomain });
const [bucketId, bucket] = onlyResource(template, 'AWS::S3::Bucket');
const [distributionId, distribution] = onlyResource(template, 'AWS::CloudFront::Distribution');
const domainName = { 'Fn::GetAtt': [distributionId, 'DomainName'] };

interface DistributionConfig {
  readonly DefaultCacheBehavior: Readonly<Record<string, unknown>>;
  readonly CacheBehaviors: readonly Readonly<Record<string, unknown>>[];
  readonly Origins: readonly Readonly<Record<string, unknown>>[];
}

function configOf({ Properties }: { Properties: Readonly<Record<string, unknown>> }): DistributionConfig {
  return Properties.DistributionConfig as DistributionConfig;
}

test('the files of the dashboard are in a private, encrypted bucket that is retained when the stack is deleted', () => {
  expect(bucket).toMatchObject({
    Properties: {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: expect.anything(),
    },
    DeletionPolicy: 'Retain',
  });
});

test('the files of the dashboard can be read only by this distribution, and only with TLS', () => {
  const [, policy] = onlyResource(template, 'AWS::S3::BucketPolicy');
  const { Statement } = policy.Properties.PolicyDocument as { Statement: Record<string, unknown>[] };
  expect(Statement).toEqual([
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    expect.objectContaining({
      Effect: 'Allow',
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
    }),
  ]);
  expect(JSON.stringify(Statement[1]?.Condition)).toContain(distributionId);
});

test('the files of the dashboard are cached by browsers for a year if their names are hashed, and revalidated otherwise; scripts and styles are in Brotli', () => {
  const deployments = [...resourcesOf(template, 'Custom::CDKBucketDeployment').values()];
  expect(deployments.map(({ Properties }) => Properties)).toEqual([
    expect.objectContaining({
      DestinationBucketName: { Ref: bucketId },
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'br' },
      Prune: false,
    }),
    expect.objectContaining({
      DestinationBucketName: { Ref: bucketId },
      Exclude: ['*'],
      Include: ['assets/*'],
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
      Prune: false,
    }),
    expect.objectContaining({ Exclude: ['assets/*'], SystemMetadata: { 'cache-control': 'no-cache' }, Prune: false }),
  ]);
});

test('the distribution supports HTTP/2 and 3, and serves the files only over HTTPS', () => {
  expect(configOf(distribution)).toMatchObject({
    Enabled: true,
    HttpVersion: 'http2and3',
    DefaultRootObject: 'index.html',
    DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', AllowedMethods: ['GET', 'HEAD'] },
  });
  expect(configOf(distribution)).not.toHaveProperty('CustomErrorResponses');
});

test('the distribution forwards everything below /api/ to the HTTP API, uncached, without the host and only over HTTPS', () => {
  const { CacheBehaviors, Origins } = configOf(distribution);
  const [api, ...others] = CacheBehaviors;
  expect(others).toEqual([]);
  expect(api).toMatchObject({
    PathPattern: '/api/*',
    AllowedMethods: expect.arrayContaining(['GET', 'PUT', 'POST', 'DELETE']),
    // AWS's own policies: CachingDisabled, AllViewerExceptHostHeader.
    CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    ViewerProtocolPolicy: 'https-only',
  });
  expect(api).not.toHaveProperty('FunctionAssociations');
  const [httpApiId] = onlyResource(template, 'AWS::ApiGatewayV2::Api');
  const origin = Origins.find(({ Id }) => Id === api?.TargetOriginId);
  expect(JSON.stringify(origin?.DomainName)).toContain(httpApiId);
  expect(origin).toMatchObject({ CustomOriginConfig: { OriginProtocolPolicy: 'https-only' } });
});

test('the output DashboardDomainTarget is the target for the CNAME record of a custom domain', () => {
  expect(elsewhere.Outputs.DashboardDomainTarget?.Value).toEqual({
    'Fn::GetAtt': [onlyResource(elsewhere, 'AWS::CloudFront::Distribution')[0], 'DomainName'],
  });
  expect(template.Outputs).not.toHaveProperty('DashboardDomainTarget');
});

test('the distribution with a custom domain requires TLS 1.2 or later', () => {
  const [, own] = onlyResource(elsewhere, 'AWS::CloudFront::Distribution');
  expect(configOf(own)).toMatchObject({
    Aliases: ['auth.example.com'],
    ViewerCertificate: {
      AcmCertificateArn: ownDomain.dashboardCertificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
      SslSupportMethod: 'sni-only',
    },
  });
});

test('clients of the Service API may sign the name of the distribution, in addition to the names in the settings', () => {
  const authorities = everyEndpoint.map(({ name }) => authoritiesOf(template, name));
  expect(authorities).toEqual(authorities.map(() => ({ 'Fn::Join': ['', [domainName, ',proxy.example.com']] })));
  expect(JSON.stringify(authoritiesOf(elsewhere, 'get-access'))).toMatch(/"auth\.example\.com,",\{"Fn::GetAtt"/);
  expect(authoritiesOf(template, 'manage')).toBeUndefined();
});

function authoritiesOf(from: Template, name: string): unknown {
  const environment = functionsOf(from).get(name)?.Properties.Environment as
    | { readonly Variables: Readonly<Record<string, unknown>> }
    | undefined;
  return environment?.Variables.PUBLIC_AUTHORITIES;
}

const [, routing] = onlyResource(template, 'AWS::CloudFront::Function');

/** What the function makes of a request: the request for a file, or the response to the viewer. */
function handle(uri: string): { readonly uri?: string; readonly statusCode?: number } {
  const handler = runInNewContext(`${routing.Properties.FunctionCode}; handler`);
  return handler({ request: { uri } });
}

function routed(uri: string): string | undefined {
  return handle(uri).uri;
}

const bearerPaths = bearerEndpoints.flatMap(({ routes }) => routes.map(({ path }) => path));
const apiPaths = [...bearerPaths, ...publicPaths.map(({ path }) => path)];
const apiFolders = [...new Set(apiPaths.map((path) => `/${path.split('/')[1]}`))];

// A proxy takes any 2xx for "may enter", so a page here would let everybody in who asks at the wrong host.
test.each([
  ...apiPaths,
  ...apiPaths.flatMap((path) => [`${path}.html`, `/${path}`, path.toUpperCase()]),
  ...apiFolders.flatMap((folder) => [folder, `${folder}/`, `${folder}/more`]),
])('the path %s of the API is 404 at the host of the dashboard', (uri) => {
  expect(handle(uri)).toEqual({ statusCode: 404, statusDescription: 'Not Found' });
});

test.each([
  '/',
  '/users',
  '/users/ada',
  '/users/ada@example.com',
  '/users/a.b/history',
  '/applications/billing.v2',
  '/users/access',
  '/applications/scim',
  '/accessories',
  '/connections/hooks',
])('the path %s shows the page of the dashboard', (uri) => {
  expect(routed(uri)).toBe('/index.html');
});

test.each(['/index.html', '/config.json', '/favicon.svg', '/assets/index-1.js', '/assets/nothing'])(
  'the path %s is a file of the dashboard',
  (uri) => {
    expect(routed(uri)).toBe(uri);
  },
);

test.each([
  ['/docs', '/docs.html'],
  ['/docs/errors', '/docs/errors.html'],
  ['/docs/openapi.json', '/docs/openapi.json'],
  ['/docs/swagger-ui.css', '/docs/swagger-ui.css'],
])('the path %s is the deployed file %s of the documents', (uri, file) => {
  expect(routed(uri)).toBe(file);
  expect(globSync(`asset.*${file}`, { cwd: assembly })).toHaveLength(1);
});

test("the documents are also at the API's own address, because the type of a problem is relative to it", () => {
  const routes = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()].map(({ Properties }) => Properties);
  expect(routes).toContainEqual(expect.objectContaining({ RouteKey: 'GET /docs/{proxy+}', AuthorizationType: 'NONE' }));
  const [integration] = [...resourcesOf(template, 'AWS::ApiGatewayV2::Integration').values()].filter(
    ({ Properties }) => Properties.IntegrationType === 'HTTP_PROXY',
  );
  expect(integration?.Properties).toMatchObject({
    IntegrationMethod: 'GET',
    IntegrationUri: { 'Fn::Join': ['', ['https://', domainName, '/docs/{proxy}']] },
  });
});

const headersOf = (from: Template) => {
  const [, policy] = onlyResource(from, 'AWS::CloudFront::ResponseHeadersPolicy');
  return policy.Properties.ResponseHeadersPolicyConfig as Record<string, Record<string, unknown>>;
};
const policyOf = (from: Template) =>
  JSON.stringify(headersOf(from).SecurityHeadersConfig?.ContentSecurityPolicy ?? null);

test("the response headers allow nothing inline but the page's own script and style, and nothing from other origins", () => {
  // printf 'document.title = 1;' | openssl dgst -sha256 -binary | base64; the style's text has a line break at both ends.
  const [script, style] = [
    'sha256-b9HtH2gd9MVkIvI/rdk6j6qa034Lrp+zsPS6oNA07JM=',
    'sha256-4RRUD5P8pi3dilN8FafkfA2ROlYT5BPKNR5JNLIy68o=',
  ];
  expect(policyOf(template)).toContain(
    `default-src 'none'; script-src 'self' '${script}'; style-src 'self' '${style}'; img-src`,
  );
  expect(policyOf(template)).toContain("frame-ancestors 'none'");
  expect(policyOf(template)).not.toMatch(/unsafe|\*/);
});

test("the response headers allow requests to the API and the login, the user pool's or another provider's", () => {
  const [loginDomainId] = onlyResource(template, 'AWS::Cognito::UserPoolDomain');
  expect(policyOf(template)).toContain("connect-src 'self' https://cognito-idp.");
  expect(policyOf(template)).toContain(loginDomainId);
  expect(policyOf(elsewhere)).toContain("connect-src 'self' https://login.example.com;");
});

test('the response headers require TLS for two years and the declared types, and forbid frames and referrers', () => {
  expect(headersOf(template)).toMatchObject({
    SecurityHeadersConfig: {
      StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true, Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
    },
  });
  expect(JSON.stringify(headersOf(template).CustomHeadersConfig)).toContain('camera=()');
});

test('the login at the user pool may redirect to the distribution and to the addresses in the settings', () => {
  const [, client] = onlyResource(template, 'AWS::Cognito::UserPoolClient');
  const urls = ['http://localhost:3000/', { 'Fn::Join': ['', ['https://', domainName, '/']] }];
  expect(client.Properties).toMatchObject({ CallbackURLs: urls, LogoutURLs: urls });
});

test('the stack writes the login and the address of the API into config.json', () => {
  const markers = (from: Template) =>
    [...resourcesOf(from, 'Custom::CDKBucketDeployment').values()].map(({ Properties }) => Properties.SourceMarkers);
  const [clientId] = onlyResource(template, 'AWS::Cognito::UserPoolClient');
  const [poolId] = onlyResource(template, 'AWS::Cognito::UserPool');
  expect(JSON.stringify(markers(template))).toContain(`{"Ref":"${clientId}"}`);
  expect(JSON.stringify(markers(template))).toContain(`{"Fn::GetAtt":["${poolId}","ProviderURL"]}`);
  // The API's own address: the distribution forwards only paths below /api.
  const [apiId] = onlyResource(template, 'AWS::ApiGatewayV2::Api');
  expect(JSON.stringify(markers(template))).toContain(`{"Ref":"${apiId}"}`);
});

test('without a built dashboard there is no site, and the stack warns about it', async () => {
  const unbuilt = await synthesizeAssembly({ dashboard: join(dashboard, 'nothing') });
  expect(resourcesOf(templateIn(unbuilt), 'AWS::CloudFront::Distribution').size).toBe(0);
  expect(readFileSync(join(unbuilt, 'AuthService-dev.metadata.json'), 'utf8')).toContain('has not been built');
});

test.each(['staging', 'prod'])(
  '%s is not synthesized without a built dashboard, unless the settings allow it',
  async (stage) => {
    const unbuilt = synthesizeTemplate({ stage, dashboard: join(dashboard, 'nothing') });
    await expect(unbuilt).rejects.toThrow('has no index.html. To deploy without a dashboard, set dashboard=none');
    const without = await synthesizeTemplate({ stage, dashboard: 'none' });
    expect(resourcesOf(without, 'AWS::CloudFront::Distribution').size).toBe(0);
  },
);
