import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StandInPool } from '#options/login/local/stand-in-pool.ts';
import { type StandInService, servePool } from '#options/login/local/stand-in-service.ts';
import { makeFolder } from '#test/local/write-assembly.ts';
import { callerOf, clientSettings, createClient, createPerson } from './start-people-login.ts';

const services: StandInService[] = [];
afterEach(async () => void (await Promise.all(services.splice(0).map((each) => each.close()))));

async function start(file?: string) {
  const signedOut: string[] = [];
  const pool = new StandInPool({ id: 'local_People', file, onSignOut: (sub) => signedOut.push(sub) });
  const service = await servePool(pool);
  services.push(service);
  return { pool, signedOut, url: service.url, call: callerOf(service.url) };
}

const errorOf = ({ status, body }: { status: number; body: { __type?: string; message?: unknown } }) => {
  expect(typeof body.message).toBe(body.__type === undefined ? 'undefined' : 'string');
  return [status, body.__type];
};
const attributesOf = (list: { Name: string; Value: string }[]) =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]));
const email = (Value: string) => [
  { Name: 'email', Value },
  { Name: 'email_verified', Value: 'true' },
];

describe('users', () => {
  test('are created with a sub of their own, enabled, and have to set a password', async () => {
    const stand = await start();
    const { status, body } = await createPerson(stand, 'auth0|123', 'Katarina');
    expect(status).toBe(200);
    expect(body.User).toMatchObject({ Username: 'auth0|123', Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD' });
    const { sub, ...attributes } = attributesOf(body.User.Attributes);
    expect(sub).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    expect(attributes).toEqual({ name: 'Katarina', email: 'auth0.123@example.com', email_verified: 'true' });
    const read = await stand.call('AdminGetUser', { Username: 'auth0|123' });
    const { Attributes, ...user } = body.User;
    expect(read.body).toEqual({ ...user, UserAttributes: Attributes });
    expect(Math.abs(read.body.UserCreateDate - Date.now() / 1000)).toBeLessThan(600);
  });

  test.each([
    ['a name that is taken', { Username: 'ada' }, 'UsernameExistsException'],
    ['a name in the form of an e-mail address', { Username: 'ada@example.com' }, 'InvalidParameterException'],
    ['a name with a space', { Username: 'a b' }, 'InvalidParameterException'],
    ['the sub', { Username: 'b', UserAttributes: [{ Name: 'sub', Value: 'x' }] }, 'InvalidParameterException'],
    [
      'a verified address of another user',
      { Username: 'b', UserAttributes: email('ADA@example.com') },
      'AliasExistsException',
    ],
    ['no address to send an invitation to', { Username: 'b', MessageAction: undefined }, 'InvalidParameterException'],
    ['an unknown member', { Username: 'b', Attributes: [] }, 'InvalidParameterException'],
    ['an invitation of nobody', { Username: 'b', MessageAction: 'RESEND' }, 'UserNotFoundException'],
  ])('are not created with %s', async (_, input, error) => {
    const stand = await start();
    await createPerson(stand, 'ada');
    expect(errorOf(await stand.call('AdminCreateUser', { MessageAction: 'SUPPRESS', ...input }))).toEqual([400, error]);
    expect([...stand.pool.users.keys()]).toEqual(['ada']);
  });

  test('are distinguished by upper and lower case', async () => {
    const { call } = await start();
    await call('AdminCreateUser', { Username: 'ada', MessageAction: 'SUPPRESS' });
    expect((await call('AdminCreateUser', { Username: 'Ada', MessageAction: 'SUPPRESS' })).status).toBe(200);
    expect(errorOf(await call('AdminGetUser', { Username: 'ADA' }))).toEqual([400, 'UserNotFoundException']);
  });

  test('take a forced address from the user who had it', async () => {
    const { call } = await start();
    await createPerson({ call }, 'ada');
    const UserAttributes = email('ada@example.com');
    const input = { Username: 'new', UserAttributes, ForceAliasCreation: true, MessageAction: 'SUPPRESS' };
    expect((await call('AdminCreateUser', input)).status).toBe(200);
    const { body } = await call('AdminGetUser', { Username: 'ada' });
    expect(attributesOf(body.UserAttributes).email_verified).toBe('false');
    expect((await call('AdminGetUser', { Username: 'ada@example.com' })).body.Username).toBe('new');
  });

  test('get an invitation again until they have followed it', async () => {
    const stand = await start();
    await createPerson(stand, 'ada');
    const input = { Username: 'ada', MessageAction: 'RESEND', DesiredDeliveryMediums: ['EMAIL'] };
    expect((await stand.call('AdminCreateUser', input)).body.User.Username).toBe('ada');
    Object.assign(stand.pool.users.get('ada') ?? {}, { UserStatus: 'CONFIRMED' });
    expect(errorOf(await stand.call('AdminCreateUser', input))).toEqual([400, 'UnsupportedUserStateException']);
  });

  test('get new attributes; a new address is not verified unless the call says so, and an empty value removes one', async () => {
    const stand = await start();
    await createPerson(stand, 'ada');
    const change = async (UserAttributes: object[]) => {
      const { status } = await stand.call('AdminUpdateUserAttributes', { Username: 'ada', UserAttributes });
      return [status, stand.pool.users.get('ada')?.attributes];
    };
    const named = { name: 'ada', email: 'new@example.com' };
    const address = { Name: 'email', Value: 'new@example.com' };
    expect(await change([address])).toEqual([200, { ...named, email_verified: 'false' }]);
    expect(await change(email('new@example.com'))).toEqual([200, { ...named, email_verified: 'true' }]);
    expect(await change([address])).toEqual([200, { ...named, email_verified: 'true' }]);
    const { name: _, ...unnamed } = named;
    expect(await change([{ Name: 'name', Value: '' }])).toEqual([200, { ...unnamed, email_verified: 'true' }]);
  });

  test('do not get the verified address of another user', async () => {
    const stand = await start();
    await createPerson(stand, 'ada');
    await createPerson(stand, 'bo');
    const input = { Username: 'bo', UserAttributes: email('ada@example.com') };
    expect(errorOf(await stand.call('AdminUpdateUserAttributes', input))).toEqual([400, 'AliasExistsException']);
    expect(stand.pool.users.get('bo')?.attributes.email).toBe('bo@example.com');
  });

  test('are disabled, enabled, signed out and deleted', async () => {
    const stand = await start();
    await createPerson(stand, 'ada');
    const sub = stand.pool.users.get('ada')?.sub;
    const Username = 'ada';
    expect((await stand.call('AdminDisableUser', { Username })).body).toEqual({});
    expect((await stand.call('AdminGetUser', { Username })).body.Enabled).toBe(false);
    await stand.call('AdminEnableUser', { Username });
    expect((await stand.call('AdminGetUser', { Username })).body.Enabled).toBe(true);
    expect((await stand.call('AdminUserGlobalSignOut', { Username })).body).toEqual({});
    expect(stand.signedOut).toEqual([sub]);
    await stand.call('AdminDeleteUser', { Username });
    expect(stand.signedOut).toEqual([sub, sub]);
    expect(stand.pool.users.size).toBe(0);
  });

  test.each([
    'AdminGetUser',
    'AdminDisableUser',
    'AdminEnableUser',
    'AdminUserGlobalSignOut',
    'AdminDeleteUser',
    'AdminUpdateUserAttributes',
  ])('who do not exist are a UserNotFoundException of %s', async (action) => {
    const { call } = await start();
    const input = action === 'AdminUpdateUserAttributes' ? { UserAttributes: [] } : {};
    expect(errorOf(await call(action, { Username: 'nobody', ...input }))).toEqual([400, 'UserNotFoundException']);
  });

  test('are listed in pages, and filtered by one attribute', async () => {
    const stand = await start();
    for (const name of ['ada', 'bo', 'cy', 'ab"c']) await createPerson(stand, name, `Person ${name}`);
    await stand.call('AdminDisableUser', { Username: 'bo' });
    const list = async (input: object) => {
      const { body } = await stand.call('ListUsers', input);
      return [body.Users.map((user: { Username: string }) => user.Username), body.PaginationToken];
    };
    const [first, token] = await list({ Limit: 3 });
    expect(first).toEqual(['ada', 'bo', 'cy']);
    expect(await list({ Limit: 3, PaginationToken: token })).toEqual([['ab"c'], undefined]);
    expect(await list({ Filter: 'username ^= "a"' })).toEqual([['ada', 'ab"c'], undefined]);
    expect(await list({ Filter: 'username = "ab\\"c"' })).toEqual([['ab"c'], undefined]);
    expect(await list({ Filter: 'email="cy@example.com"' })).toEqual([['cy'], undefined]);
    expect(await list({ Filter: 'status = "Disabled"' })).toEqual([['bo'], undefined]);
    for (const input of [{ Filter: 'custom:x = "1"' }, { Filter: 'email' }, { Limit: 61 }, { PaginationToken: 'x' }]) {
      expect(errorOf(await stand.call('ListUsers', input))).toEqual([400, 'InvalidParameterException']);
    }
    const { body } = await stand.call('ListUsers', { Limit: 1, AttributesToGet: ['name'] });
    expect(body.Users[0].Attributes).toEqual([{ Name: 'name', Value: 'Person ada' }]);
  });
});

describe('app clients', () => {
  test('are created with an id of 26 characters and the defaults of Cognito', async () => {
    const { call } = await start();
    const { body } = await call('CreateUserPoolClient', { ClientName: 'Billing' });
    expect(body.UserPoolClient).toMatchObject({
      ClientName: 'Billing',
      UserPoolId: 'local_People',
      ClientId: expect.stringMatching(/^[a-z0-9]{26}$/),
      RefreshTokenValidity: 30,
      AllowedOAuthFlowsUserPoolClient: false,
      EnableTokenRevocation: true,
    });
    expect(body.UserPoolClient).not.toHaveProperty('ClientSecret');
    const { ClientId } = body.UserPoolClient;
    expect((await call('DescribeUserPoolClient', { ClientId })).body).toEqual(body);
  });

  test('lose on an update what it does not name', async () => {
    const stand = await start();
    const { ClientId } = await createClient(stand);
    await stand.call('UpdateUserPoolClient', { ClientId, LogoutURLs: ['https://new.example/'] });
    const { body } = await stand.call('DescribeUserPoolClient', { ClientId });
    expect(body.UserPoolClient).toMatchObject({
      ClientName: 'Billing',
      LogoutURLs: ['https://new.example/'],
      CallbackURLs: [],
      AllowedOAuthFlows: [],
      AllowedOAuthFlowsUserPoolClient: false,
      TokenValidityUnits: {},
    });
    expect(body.UserPoolClient).not.toHaveProperty('AccessTokenValidity');
  });

  test.each([
    ['a name with other characters', { ClientName: 'R&D' }],
    ['an address with a fragment', { CallbackURLs: ['https://app.example/#a'] }],
    ['HTTP elsewhere than on this machine', { CallbackURLs: ['http://app.example/'] }],
    ['a relative address', { LogoutURLs: ['/'] }],
    ['a default address that is none of them', { DefaultRedirectURI: 'https://app.example/' }],
    ['the code flow without an address', { CallbackURLs: [] }],
    ['flows without scopes', { AllowedOAuthScopes: [] }],
    ['flows that it may not use', { AllowedOAuthFlowsUserPoolClient: false }],
    ['access tokens of less than 5 minutes', { AccessTokenValidity: 4 }],
    [
      'refresh tokens of less than an hour',
      { RefreshTokenValidity: 1, TokenValidityUnits: { RefreshToken: 'minutes' } },
    ],
    ['rotation together with the old way to refresh', { ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'] }],
    ['a short secret', { ClientSecret: 'short' }],
    ['a secret that is given and generated', { ClientSecret: 'x'.repeat(24), GenerateSecret: true }],
  ])('are not created with %s', async (_, input) => {
    const stand = await start();
    const answer = await stand.call('CreateUserPoolClient', { ...clientSettings, ...input });
    expect(errorOf(answer)).toEqual([400, 'InvalidParameterException']);
    expect(stand.pool.clients.size).toBe(0);
  });

  test('are at most a thousand', async () => {
    const { pool, call } = await start();
    await createClient({ call });
    const [client] = pool.clients.values();
    for (let at = 1; client && at < 1000; at++) pool.clients.set(`c${at}`, client);
    expect(errorOf(await call('CreateUserPoolClient', clientSettings))).toEqual([400, 'LimitExceededException']);
  });

  test('are listed in pages, and deleted', async () => {
    const stand = await start();
    const names = ['one', 'two', 'three'];
    for (const ClientName of names) await createClient(stand, { ClientName });
    const { body } = await stand.call('ListUserPoolClients', { MaxResults: 2 });
    const { NextToken } = body;
    const rest = await stand.call('ListUserPoolClients', { MaxResults: 2, NextToken });
    const all = [...body.UserPoolClients, ...rest.body.UserPoolClients];
    expect(all.map(({ ClientName }) => ClientName)).toEqual(names);
    expect(rest.body.NextToken).toBeUndefined();
    const { ClientId } = all[0];
    await stand.call('DeleteUserPoolClient', { ClientId });
    for (const action of ['DescribeUserPoolClient', 'DeleteUserPoolClient', 'UpdateUserPoolClient']) {
      expect(errorOf(await stand.call(action, { ClientId }))).toEqual([400, 'ResourceNotFoundException']);
    }
  });
});

describe('secrets of an app client', () => {
  const descriptors = async ({ call }: Awaited<ReturnType<typeof start>>, ClientId: string) =>
    (await call('ListUserPoolClientSecrets', { ClientId })).body.ClientSecrets;

  test('are two at most, are shown when they are generated, and can be deleted except for the last one', async () => {
    const stand = await start();
    const { ClientId, ClientSecret } = await createClient(stand, { GenerateSecret: true });
    expect(ClientSecret).toMatch(/^[\w+]{24,64}$/);
    const added = await stand.call('AddUserPoolClientSecret', { ClientId });
    expect(added.body.ClientSecretDescriptor).toMatchObject({
      ClientSecretId: expect.stringMatching(new RegExp(`^${ClientId}--\\d+$`)),
      ClientSecretValue: expect.stringMatching(/^[\w+]{24,64}$/),
    });
    expect(errorOf(await stand.call('AddUserPoolClientSecret', { ClientId }))).toEqual([400, 'LimitExceededException']);
    const [first, second] = await descriptors(stand, ClientId);
    expect(Object.keys(first).sort()).toEqual(['ClientSecretCreateDate', 'ClientSecretId']);
    const { ClientSecretId } = first;
    expect(ClientSecretId).not.toBe(second.ClientSecretId);
    expect((await stand.call('DeleteUserPoolClientSecret', { ClientId, ClientSecretId })).body).toEqual({});
    expect(await descriptors(stand, ClientId)).toEqual([second]);
    const last = { ClientId, ClientSecretId: second.ClientSecretId };
    expect(errorOf(await stand.call('DeleteUserPoolClientSecret', { ClientId, ClientSecretId }))).toEqual([
      400,
      'ResourceNotFoundException',
    ]);
    expect(errorOf(await stand.call('DeleteUserPoolClientSecret', last))).toEqual([400, 'InvalidParameterException']);
  });

  test('are not repeated when the caller has chosen them', async () => {
    const stand = await start();
    const { ClientId } = await createClient(stand, { ClientSecret: 'a'.repeat(24) });
    const { body } = await stand.call('AddUserPoolClientSecret', { ClientId, ClientSecret: 'b'.repeat(64) });
    expect(body.ClientSecretDescriptor).not.toHaveProperty('ClientSecretValue');
    expect(stand.pool.clients.get(ClientId)?.secrets.map(({ value }) => value)).toEqual([
      'a'.repeat(24),
      'b'.repeat(64),
    ]);
  });

  test('are not added to a public client', async () => {
    const stand = await start();
    const { ClientId } = await createClient(stand);
    const answer = await stand.call('AddUserPoolClientSecret', { ClientId });
    expect(errorOf(answer)).toEqual([400, 'InvalidParameterException']);
  });
});

test('an action that does not exist, and a call without one, are refused', async () => {
  const { url, call } = await start();
  expect(errorOf(await call('AdminSetUserPassword', {}))).toEqual([400, 'UnknownOperationException']);
  const plain = await fetch(url, { method: 'POST', body: '{}' });
  expect(plain.status).toBe(400);
});

test('another pool does not exist', async () => {
  const { url } = await start();
  const answer = await callerOf(url, 'local_Pool')('ListUsers');
  expect(errorOf(answer)).toEqual([400, 'ResourceNotFoundException']);
});

test('everything is in one file, which only its owner reads, and is there after a restart', async () => {
  const file = join(await makeFolder(), 'login.json');
  const first = await start(file);
  await createPerson(first, 'ada');
  const { ClientId } = await createClient(first, { GenerateSecret: true });
  const kept = readFileSync(file, 'utf8');
  const second = await start(file);
  for (const { call } of [first, second]) {
    expect((await call('AdminGetUser', { Username: 'ada' })).body.Enabled).toBe(true);
  }
  expect(second.pool.clients.get(ClientId)).toEqual(first.pool.clients.get(ClientId));
  expect(readFileSync(file, 'utf8')).toBe(kept);
  await second.call('AdminDeleteUser', { Username: 'ada' });
  expect(JSON.parse(readFileSync(file, 'utf8')).users).toEqual([]);
});
