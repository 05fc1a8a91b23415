import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { manageOperations } from '#shared/contract/operations.ts';
import type { HttpHandler } from '#shared/http/http-event.ts';
import { describeService } from '../support/describe-service.ts';
import { manageClient } from '../support/manage-client.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let handler: HttpHandler;
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  ({ handler } = await import('../../functions/manage.ts'));
  sdk = await watchServiceTable();
});
beforeEach(() => {
  sdk.requests.length = 0;
});

const userArn = 'arn:aws:iam::000000000000:user/local';
const sub = '5d1f9a3c-admin';
const admin = { userArn, accountId: '000000000000', userId: 'AIDALOCAL', accessKey: 'AKIALOCAL' };
const iss = () => service.login.issuer;
const scope = 'openid email auth-service/manage';
const jti = '7d4d0a51-token';
const jwtOf = (claims: object) => ({
  claims: { sub, email: 'root@example.com', ...claims },
  scopes: ['auth-service/manage'],
});
/** Returns the header with the token of these claims, as if an authorizer had verified it. */
const bearerOf = (claims: object) => {
  const [header, payload] = [{ alg: 'RS256' }, { sub, email: 'root@example.com', ...claims }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `Bearer ${header}.${payload}.c2lnbmF0dXJl`;
};
const identity = { iam: admin, jwt: jwtOf({ scope }) };
const context = { getRemainingTimeInMillis: () => 20_000 } as Context;

interface UnauthorizedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: unknown;
  /** Members of the request context, which only an entry point can write. */
  readonly context?: object;
  /** Further members of the event. */
  readonly event?: object;
}

/** Builds the event that an entry point would send if it did not authorize the request. */
function eventOf(request: UnauthorizedRequest): APIGatewayProxyEventV2 {
  const { method = 'PUT', path = '/api/manage/users/ada/status', headers = {}, query = '' } = request;
  const { body = { status: 'inactive' } } = request;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: { host: 'localhost', ...(body !== null && { 'content-type': 'application/json' }), ...headers },
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' },
      requestId: 'anonymous',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
      ...request.context,
    },
    ...(body !== null && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
    ...request.event,
  };
}

async function expectRefused(request: UnauthorizedRequest): Promise<void> {
  const { statusCode, headers, body } = await handler(eventOf(request), context);
  expect([statusCode, headers?.['content-type']]).toEqual([401, 'application/problem+json']);
  expect(JSON.parse(body ?? '')).toEqual({
    type: '/docs/errors#signature_missing',
    title: errorCatalogue.signature_missing.title,
    status: 401,
    detail: expect.stringMatching(/./),
    code: 'signature_missing',
    requestId: 'anonymous',
  });
  expect(sdk.requests).toEqual([]);
}

const claimingHeaders: Record<string, string> = {
  authorization: `AWS4-HMAC-SHA256 Credential=AKIALOCAL/20261120/local/lambda/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
  'x-amz-date': '20261120T191411Z',
  'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
  'x-amz-security-token': 'token',
  'x-amz-user-arn': userArn,
  'x-amzn-iam-user-arn': userArn,
  'x-amzn-requestid': 'anonymous',
  'x-amzn-trace-id': 'Root=1-00000000-000000000000000000000000',
  'x-amzn-oidc-identity': sub,
  'x-amzn-oidc-data': 'e30.e30.e30',
  'x-amzn-oidc-accesstoken': 'e30.e30.e30',
  'x-amzn-lambda-authorizer': JSON.stringify(identity),
  'x-amzn-request-context': JSON.stringify({ authorizer: identity }),
  'x-apigateway-event': JSON.stringify({ requestContext: { authorizer: identity } }),
  'x-apigateway-context': JSON.stringify({ authorizer: identity }),
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-user': sub,
  'x-forwarded-email': 'root@example.com',
  'x-forwarded-proto': 'https',
  'x-real-ip': '127.0.0.1',
  'x-original-url': '/api/manage/users',
  'x-http-method-override': 'GET',
  'x-user': sub,
  'x-operator': userArn,
  'x-remote-user': sub,
  'remote-user': sub,
  'x-scopes': 'auth-service/manage',
  requestcontext: JSON.stringify({ authorizer: identity }),
  requestContext: JSON.stringify({ authorizer: identity }),
  authorizer: JSON.stringify(identity),
  cookie: `sub=${sub}; userArn=${userArn}`,
  forwarded: 'for=127.0.0.1;proto=https',
};

describe('an event that no entry point authorized is refused, and neither reads nor writes:', () => {
  test('an event that an entry point authorized reads the table', async () => {
    expect((await manage('iam', 'GET', '/users/ada')).status).toBe(200);
    expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  const read = { method: 'GET', path: '/api/manage/users/ada', body: null };

  test.each([
    ['scope', () => ({ iss: iss(), scope })],
    ['only scope', () => ({ iss: iss(), scope: 'auth-service/manage' })],
    ['scp, as API Gateway writes a list', () => ({ iss: iss(), scp: '[openid auth-service/manage]' })],
  ])('an event with a token of the issuer and the scope reads the table: %s', async (_, claims) => {
    const headers = { authorization: bearerOf(claims()) };
    const event = eventOf({ ...read, headers, context: { authorizer: { jwt: jwtOf(claims()) } } });
    expect((await handler(event, context)).statusCode).toBe(200);
    expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test.each([
    ['of another issuer', () => ({ iss: 'https://login.example.org', scope })],
    ['of an issuer with the right prefix', () => ({ iss: `${iss()}/`, scope })],
    ['without an issuer', () => ({ scope })],
    ['without a scope', () => ({ iss: iss() })],
    ['with other scopes', () => ({ iss: iss(), scope: 'openid email auth-service/read' })],
    ['with a scope that has the right prefix', () => ({ iss: iss(), scope: 'auth-service/manage-nothing' })],
    ['with a scope that has the right suffix', () => ({ iss: iss(), scope: 'not-auth-service/manage' })],
    ['with the scope in capitals', () => ({ iss: iss(), scope: 'AUTH-SERVICE/MANAGE' })],
    ['with a number for a scope', () => ({ iss: iss(), scope: 1 })],
    ['with only the scope of the gateway', () => ({ iss: iss(), scope: '' })],
    ['whose subject is an IAM ARN', () => ({ sub: userArn })],
  ])('an event is refused with a token %s, although the route accepts it', async (_, claims) => {
    const headers = { authorization: bearerOf(claims()) };
    await expectRefused({ headers, context: { authorizer: { jwt: jwtOf(claims()) } } });
  });

  const asAdmin = { 'cognito:groups': ['admin'] };
  test.each([
    ['no token', () => undefined],
    ['an empty token', () => 'Bearer '],
    ["another subject's token", () => bearerOf({ iss: iss(), scope, ...asAdmin, sub: 'somebody-else' })],
    ["another issuer's token", () => bearerOf({ scope, ...asAdmin, iss: 'https://login.example.org' })],
    ['an older token', () => bearerOf({ iss: iss(), scope, ...asAdmin, jti: 'one-before' })],
    [
      'the token and a second one',
      () => `${bearerOf({ iss: iss(), jti })},${bearerOf({ iss: iss(), jti, ...asAdmin })}`,
    ],
    ['a payload that is not an object', () => 'Bearer e30.bnVsbA.c2ln'],
    ['a payload that is not JSON', () => 'Bearer e30.YWRtaW4.c2ln'],
  ])('an event is refused if its header contains %s next to the verified claims', async (_, header) => {
    const authorization = header();
    const headers = authorization === undefined ? {} : { authorization };
    await expectRefused({ headers, context: { authorizer: { jwt: jwtOf({ iss: iss(), scope, jti }) } } });
  });

  test('an event that IAM authorized gets no role from a token in its header', async () => {
    const headers = { authorization: bearerOf({ iss: iss(), scope, 'cognito:groups': ['viewer'] }) };
    const event = eventOf({ headers, context: { authorizer: { iam: admin } } });
    expect((await handler(event, context)).statusCode).toBe(200);
  });

  test.each(Object.values(manageOperations))(
    'an event without authorization is refused at $method $path, whatever its headers claim',
    async ({ method, path }) => {
      await expectRefused({ method, path: path.replace(/\{\w+\}/g, 'ada'), headers: claimingHeaders });
    },
  );

  test.each(Object.entries(claimingHeaders))(
    'an event without authorization is refused, whatever its header %s contains',
    async (name, value) => {
      await expectRefused({ headers: { [name]: value } });
    },
  );

  test.each([
    ['a bearer token', 'Bearer e30.e30.e30'],
    ['a token without a signature', `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ['a name and a password', `Basic ${Buffer.from('root:root').toString('base64')}`],
    ['a signature by another AWS scheme', 'AWS4-ECDSA-P256-SHA256 Credential=a, SignedHeaders=b, Signature=c'],
  ])('an event is refused if its Authorization is %s', async (_, authorization) => {
    await expectRefused({ headers: { authorization } });
  });

  test.each([
    ['its body', { body: { requestContext: { authorizer: identity }, authorizer: identity, ...identity } }],
    ['the prototype in its body', { body: JSON.parse(`{"__proto__":{"authorizer":${JSON.stringify(identity)}}}`) }],
    ['its query', { query: `requestContext=${encodeURIComponent(JSON.stringify({ authorizer: identity }))}` }],
    [
      'single parameters of its query',
      { query: `requestContext.authorizer.iam.userArn=${encodeURIComponent(userArn)}` },
    ],
    ['a signature in its query', { query: 'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a&X-Amz-Signature=b' }],
    ['the event next to its context', { event: { authorizer: identity, ...identity } }],
    ['the parameters of its path', { event: { pathParameters: { ...admin, authorizer: JSON.stringify(identity) } } }],
    ['its stage variables', { event: { stageVariables: { userArn, sub } } }],
    [
      'the operator that an earlier middleware would have added',
      { event: { operator: { kind: 'operator', via: 'iam', role: 'admin', id: userArn } } },
    ],
  ] as [string, UnauthorizedRequest][])(
    'an event without authorization is refused, even if an operator is named in %s',
    async (_, request) => {
      await expectRefused(request);
    },
  );

  test.each([
    ['no authorizer', {}],
    ['an authorizer that is null', { authorizer: null }],
    ['an empty authorizer', { authorizer: {} }],
    ['IAM that is null', { authorizer: { iam: null } }],
    ['IAM without an ARN', { authorizer: { iam: { ...admin, userArn: undefined } } }],
    ['IAM with an empty ARN', { authorizer: { iam: { ...admin, userArn: '' } } }],
    ['IAM with a list for an ARN', { authorizer: { iam: { ...admin, userArn: [userArn] } } }],
    ['IAM with an object for an ARN', { authorizer: { iam: { ...admin, userArn: { toString: userArn } } } }],
    ['a JWT without claims', { authorizer: { jwt: { scopes: ['auth-service/manage'] } } }],
    ['a JWT with claims that are null', { authorizer: { jwt: { claims: null } } }],
    ['a JWT without a subject', { authorizer: { jwt: { claims: { email: 'root@example.com', client_id: 'x' } } } }],
    ['a JWT with an empty subject', { authorizer: { jwt: { claims: { sub: '' } } } }],
    ['a JWT with a number for a subject', { authorizer: { jwt: { claims: { sub: 1 } } } }],
    ['a Lambda authorizer', { authorizer: { lambda: { userArn, sub, claims: { sub } } } }],
    ['an authorizer of a REST API', { authorizer: { principalId: sub, claims: { sub } } }],
    ['an authorizer in JSON', { authorizer: JSON.stringify(identity) }],
    ['the identity of a REST API', { identity: { userArn, caller: userArn, user: userArn } }],
    ['a client certificate', { authentication: { clientCert: { subjectDN: `CN=${userArn}` } } }],
    [
      'the identity in another place',
      { iam: admin, jwt: identity.jwt, http: { ...eventOf({}).requestContext.http, ...identity } },
    ],
  ])('an event is refused if its request context contains %s', async (_, requestContext) => {
    await expectRefused({ context: requestContext });
  });

  test.each([
    ['for an unknown path', { path: '/nothing' }],
    ['with a body that is not JSON', { event: { body: '{' } }],
    ['with a body over 16 KB', { event: { body: ' '.repeat(20_000) } }],
    ['with a body of another type', { headers: { 'content-type': 'text/plain' } }],
  ] as [string, UnauthorizedRequest][])(
    'an event without authorization %s gets 401 without details of its error',
    async (_, request) => {
      await expectRefused(request);
    },
  );

  test.each([
    ['nothing', {}],
    ['a payload of format 1.0', { version: '1.0', httpMethod: 'DELETE', path: '/api/manage/users/ada', headers: {} }],
    ['an event of another service', { Records: [{ eventSource: 'aws:sqs', body: '{}' }], operator: admin }],
  ])('the function neither reads nor writes when it is invoked with %s', async (_, event) => {
    const outcome = await handler(event as never, context).catch(() => undefined);
    expect([401, undefined]).toContain(outcome?.statusCode);
    expect(sdk.requests).toEqual([]);
  });
});
