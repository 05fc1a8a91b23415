import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { type TokenEvent, tokenTrigger } from '../../client/cognito.ts';
import { AuthServiceClient } from '../../client/index.ts';
import { manageClient } from '../support/manage-client.ts';
import { needing } from '../support/needing.ts';
import { startCognitoLocal } from '../support/start-cognito-local.ts';
import { startSources, type TestService } from '../support/start-service.ts';

/* The trigger behind cognito-local, which sends the events of V1 and issues the tokens. */

const password = 'Correct-horse-1';
let service: TestService;
let lambda: Server;
let cognito: Awaited<ReturnType<typeof startCognitoLocal>>;
let url: string;
const manage = manageClient(() => service);

/** Calls Cognito's API, which cognito-local does not authenticate. */
async function call(action: string, body: object) {
  const headers = {
    'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
    'content-type': 'application/x-amz-json-1.1',
    authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/local/cognito-idp/aws4_request',
  };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: the answers of a foreign API
  return { status: answer.status, body: (await answer.json()) as any };
}

/** The part of Lambda's Invoke that a trigger needs. */
function serveFunction(handler: (event: TokenEvent) => Promise<unknown>): Server {
  return createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    try {
      response.end(JSON.stringify(await handler(JSON.parse(text))));
    } catch (error) {
      response.setHeader('x-amz-function-error', 'Unhandled');
      response.end(JSON.stringify({ errorMessage: (error as Error).message }));
    }
  });
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
let clients: { readonly billing: string; readonly wiki: string };
let pool: string;

beforeAll(async () => {
  service = await startSources();
  const wikiKey = await service.issueKey('wiki', ['access:read']);
  const sourceOf = (key: object) => new AuthServiceClient({ baseUrl: service.url, ...(key as typeof wikiKey) });
  let handler: ReturnType<typeof tokenTrigger> | undefined;
  lambda = serveFunction((event) => handler?.(event) ?? Promise.reject(new Error('Not ready')));
  lambda.listen(0, '127.0.0.1');
  await once(lambda, 'listening');
  const config = {
    LambdaClient: {
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      endpoint: `http://127.0.0.1:${portOf(lambda)}`,
      region: 'local',
    },
    TriggerFunctions: { PreTokenGeneration: 'tokens' },
    UserPoolDefaults: { UsernameAttributes: [] },
  };
  cognito = await startCognitoLocal(config);
  url = cognito.url;
  pool = (await call('CreateUserPool', { PoolName: 'people' })).body.UserPool.Id;
  clients = { billing: await newClient('billing'), wiki: await newClient('wiki') };
  handler = tokenTrigger({
    applications: {
      [clients.billing]: { source: sourceOf(service.billingKey) },
      [clients.wiki]: { source: sourceOf(wikiKey) },
    },
    userId: ({ userName }) => userName,
  });
  await addUser('carol');
});
afterAll(async () => {
  cognito?.stop();
  lambda?.close();
  await service?.stop();
});

async function newClient(ClientName: string): Promise<string> {
  const { body } = await call('CreateUserPoolClient', { UserPoolId: pool, ClientName });
  return body.UserPoolClient.ClientId;
}

/** Creates a person at Cognito and in the service. */
async function addUser(userId: string): Promise<void> {
  const user = { UserPoolId: pool, Username: userId };
  await call('AdminCreateUser', { ...user, TemporaryPassword: password, MessageAction: 'SUPPRESS' });
  await call('AdminSetUserPassword', { ...user, Password: password, Permanent: true });
  await operate('PUT', `/users/${userId}`, {});
}

async function operate(method: string, path: string, body: object): Promise<void> {
  const { status } = await manage('iam', method, path, { body });
  expect([path, status < 300]).toEqual([path, true]);
}

const login = (ClientId: string) =>
  call('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId,
    AuthParameters: { USERNAME: 'carol', PASSWORD: password },
  });
const refresh = (ClientId: string, token: string) =>
  call('InitiateAuth', { AuthFlow: 'REFRESH_TOKEN_AUTH', ClientId, AuthParameters: { REFRESH_TOKEN: token } });
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const denied = { status: 400, body: { message: expect.stringContaining('You have no access to this application.') } };

needing('cognito-local').test(
  'a login gets tokens with the roles; blocked in one application, only there; inactive, nowhere, also at a refresh',
  async () => {
    await operate('PUT', '/users/carol/roles/billing/editor', {});
    const first = await login(clients.billing);
    const { IdToken, RefreshToken } = first.body.AuthenticationResult;
    expect(claimsOf(IdToken)).toMatchObject({ 'cognito:username': 'carol', roles: 'editor' });
    expect((await refresh(clients.billing, RefreshToken)).status).toBe(200);

    await operate('PUT', '/users/carol/access/billing', { status: 'disabled', reason: null, until: null });
    expect(await login(clients.billing)).toMatchObject(denied);
    expect(await refresh(clients.billing, RefreshToken)).toMatchObject(denied);
    const elsewhere = await login(clients.wiki);
    expect(claimsOf(elsewhere.body.AuthenticationResult.IdToken)).toMatchObject({ roles: '' });

    await operate('PUT', '/users/carol/status', { status: 'inactive', reason: null });
    expect(await login(clients.wiki)).toMatchObject(denied);
    expect(await refresh(clients.wiki, elsewhere.body.AuthenticationResult.RefreshToken)).toMatchObject(denied);
  },
);
