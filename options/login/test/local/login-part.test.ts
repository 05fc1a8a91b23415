import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '#local/dynamodb-process.ts';
import { findFreePort } from '#local/listen.ts';
import { createLocalManagement } from '#local/local-management.ts';
import type { ExampleAddition } from '#local/local-part.ts';
import { readCommand, usage } from '#local/read-command.ts';
import { type RunningStack, runStack } from '#local/run-stack.ts';
import { locationOf, openBrowser } from '#test/local/log-in.ts';
import { makeFolder, manageRouteKey, writeAssembly } from '#test/local/write-assembly.ts';
import { createManageClient } from '#test/support/ask-manage.ts';
import { callerOf } from './start-people-login.ts';

let dynamodb: DynamodbProcess;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
});
afterAll(() => dynamodb.stop());

/** Decides by the user's nickname, which the tests change. */
const trigger = `exports.handler = async (event) => {
  if (event.request.userAttributes.nickname === 'blocked') throw new Error('no access');
  const generation = { claimsToAddOrOverride: { user_id: event.userName, roles: ['viewer'] } };
  event.response.claimsAndScopeOverrideDetails = { idTokenGeneration: generation, accessTokenGeneration: generation };
  return event;
};`;

/** Answers the operations of the example, and calls Cognito as the stack's functions do, with node:http and a signature. */
const manage = `
const http = require('node:http');
const call = (action, input) => new Promise((resolve, reject) => {
  const headers = {
    'x-amz-target': 'AWSCognitoIdentityProviderService.' + action,
    authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/local/cognito-idp/aws4_request, SignedHeaders=host, Signature=0',
  };
  const request = http.request(process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER, { method: 'POST', headers });
  request.once('error', reject).once('response', async (response) => {
    let text = '';
    for await (const chunk of response) text += chunk;
    resolve(JSON.parse(text));
  }).end(JSON.stringify({ UserPoolId: process.env.POOL_ID, ...input }));
});
const clients = new Map();
exports.handler = async ({ rawPath, body }) => {
  if (rawPath.endsWith('/account')) return { state: 'none' };
  const [, userId] = /^\\/api\\/manage\\/users\\/([^/]+)\\/invitation$/.exec(rawPath) ?? [];
  if (rawPath.endsWith('/issuer')) return { issuer: process.env.POOL_ISSUER };
  if (rawPath.endsWith('/denied')) return await call('AdminDeleteUser', { Username: 'ada' });
  if (userId !== undefined) return await call('AdminCreateUser', { Username: decodeURIComponent(userId), MessageAction: 'SUPPRESS',
    UserAttributes: [{ Name: 'name', Value: 'Ada <3' }] });
  if (body === undefined) return { clientId: clients.get(rawPath) ?? null };
  const { redirectUris, logoutUris } = JSON.parse(body);
  const { UserPoolClient } = await call('CreateUserPoolClient', {
    ClientName: 'billing', CallbackURLs: redirectUris, LogoutURLs: logoutUris, AllowedOAuthFlows: ['code'],
    AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthScopes: ['openid', 'email', 'profile'],
    RefreshTokenRotation: { Feature: 'ENABLED' } });
  clients.set(rawPath, UserPoolClient.ClientId);
  return { clientId: null };
};`;

const poolArn = { 'Fn::GetAtt': ['People', 'Arn'] };
const allowed = ['cognito-idp:AdminCreateUser', 'cognito-idp:CreateUserPoolClient'];
const more = {
  People: {
    Type: 'AWS::Cognito::UserPool',
    Properties: {
      LambdaConfig: {
        PreTokenGenerationConfig: { LambdaArn: { 'Fn::GetAtt': ['Endpoint0', 'Arn'] }, LambdaVersion: 'V2_0' },
      },
    },
  },
  ManagePolicy: {
    Type: 'AWS::IAM::Policy',
    Properties: {
      Roles: [{ Ref: 'ManageRole' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: allowed, Resource: poolArn }],
      },
    },
  },
};

async function start(tableName: string, options: Partial<Parameters<typeof runStack>[0]> = {}): Promise<RunningStack> {
  const variables = { POOL_ID: { Ref: 'People' }, POOL_ISSUER: { 'Fn::GetAtt': ['People', 'ProviderURL'] } };
  const assembly = await writeAssembly({ 'GET /decide': trigger, [manageRouteKey]: manage }, more, variables);
  const root = Buffer.alloc(32, 7).toString('base64');
  return await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName, root, ...options });
}

async function addExample({ parts, manageUrl, accessKey }: RunningStack) {
  const manage = createLocalManagement(manageUrl, accessKey);
  const added = await parts[0]?.addExample?.({ manage, appId: 'billing', userIds: ['ada'] });
  const { login } = (added as ExampleAddition).members as {
    login: { issuer: string; clientId: string; appUrl: string };
  };
  return { ...login, lines: added?.lines.flat() };
}

const cognitoOf = ({ parts }: RunningStack) =>
  callerOf(parts[0]?.environment.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER ?? '');

describe('the local run of a stack with a user pool for people', () => {
  test('has an application to log in to, which a block ends at the next look at it', async () => {
    const stack = await start('login');
    const { appUrl, issuer, clientId, lines } = await addExample(stack);
    expect(clientId).toMatch(/^[a-z0-9]{26}$/);
    expect(lines).toEqual([
      'Login',
      `${issuer} (development login for people)`,
      'Example app',
      `${appUrl}: log in as Ada, block her in the dashboard, and reload`,
    ]);
    const browser = openBrowser();
    expect(await (await browser(appUrl)).text()).toContain('<button>Log in</button>');
    const enter = async () => {
      const page = locationOf(await browser(locationOf(await browser(`${appUrl}/login`, {}))));
      return await browser(locationOf(await browser(page, { person: 'ada' })));
    };
    expect(locationOf(await browser(locationOf(await enter()))).href).toBe(`${appUrl}/`);
    const html = await (await browser(appUrl)).text();
    expect(html).toContain('<dt>Name</dt><dd>Ada &#60;3</dd><dt>User ID</dt><dd>ada</dd><dt>Roles</dt><dd>viewer</dd>');
    const UserAttributes = [{ Name: 'nickname', Value: 'blocked' }];
    await cognitoOf(stack)('AdminUpdateUserAttributes', { Username: 'ada', UserAttributes });
    let answer = await browser(appUrl);
    // It looks again as soon as its tokens are older than some seconds.
    for (; answer.status === 200; answer = await browser(appUrl)) await pause(50);
    expect(answer.status).toBe(403);
    const refused = await answer.text();
    expect(refused).toContain('You no longer have access.');
    expect(refused).toContain('<button>Log in</button>');
    const again = locationOf(await browser(locationOf(await browser(`${appUrl}/login`, {}))));
    expect(await (await browser(again)).text()).toContain('Ada &#60;3 has no access to <strong>billing</strong>.');
    await stack.close();
    for (const closed of [appUrl, issuer]) await expect(fetch(closed)).rejects.toThrow();
  });

  test('gives the functions the local issuer in place of the pool, and lets them call only what their policies allow', async () => {
    const stack = await start('login-policies');
    const ask = createManageClient(stack.manageUrl, stack.accessKey);
    const { issuer } = await addExample(stack);
    expect((await ask('GET', '/issuer')).body).toEqual({ issuer });
    expect((await ask('GET', '/denied')).body).toMatchObject({
      __type: 'AccessDeniedException',
      Message: expect.stringContaining(
        'cognito-idp:AdminDeleteUser on resource: arn:aws:cognito-idp:local:000000000000:userpool/local_People',
      ),
    });
    expect((await cognitoOf(stack)('AdminGetUser', { Username: 'ada' })).status).toBe(200);
    await stack.close();
  });

  test('keeps the pool in its folder', async () => {
    const folder = await makeFolder();
    const first = await start('login-first', { folder });
    await addExample(first);
    await first.close();
    const second = await start('login-second', { folder });
    expect((await cognitoOf(second)('AdminGetUser', { Username: 'ada' })).status).toBe(200);
    await second.close();
  });

  test.each(['LOGIN_PORT', 'APP_PORT'])('reports that the port of %s is in use', async (variable) => {
    const other = await start(`login-${variable}`);
    const taken = Number(new URL(other.url).port);
    const starting = start(`login-taken-${variable}`, { partPorts: { [variable]: taken } });
    await expect(starting).rejects.toThrow(`Port ${taken} is in use: stop the other program, or choose another port`);
    await expect(starting).rejects.toThrow(`such as ${variable}=3100 npm start.`);
    await other.close();
  });
});

test('the local run of a stack without such a pool starts nothing and uses no port', async () => {
  const assembly = await writeAssembly({ 'GET /a': '' });
  const root = Buffer.alloc(32, 7).toString('base64');
  const port = await findFreePort();
  const partPorts = { LOGIN_PORT: port, APP_PORT: port };
  const stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'no-login', root, partPorts });
  expect(stack.parts).toEqual([]);
  expect(await findFreePort(port)).toBe(port);
  await stack.close();
});

test('its ports follow those of the core, and the help names them', () => {
  expect(readCommand([], {}).partPorts).toEqual({ LOGIN_PORT: 3003, APP_PORT: 3004 });
  expect(readCommand([], { PORT: '0' }).partPorts).toEqual({ LOGIN_PORT: 0, APP_PORT: 0 });
  expect(readCommand([], { PORT: '4000', APP_PORT: '5000' }).partPorts).toEqual({ LOGIN_PORT: 4003, APP_PORT: 5000 });
  expect(() => readCommand([], { LOGIN_PORT: 'x' })).toThrow('LOGIN_PORT must be a number from 0 to 65535, not "x".');
  expect(usage).toMatch(/^ {2}LOGIN_PORT {10}the port of the login for people \(default: PORT \+ 3\)$/m);
  expect(usage).toMatch(/^ {2}APP_PORT {12}the port of the example application .*\(default: PORT \+ 4\)$/m);
});
