import '#test/support/settle-ten-seconds.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { newApplication } from '#test/support/new-application.ts';
import { operator } from '#test/support/start-service.ts';
import { addLoginSecret, deleteLogin, getLogin, setLogin } from '../../server/logins.ts';
import { callsOf } from './account-steps.ts';
import { follow, passing, poolForEachTest, sweep } from './pool-world.ts';

const world = poolForEachTest();
const appId = 'billing' as AppId;
const redirectUris = ['https://app.example.com/callback'];

beforeEach(async () => void (await newApplication([], appId)));

const set = (more: object = {}) =>
  setLogin({ appId, clientType: 'public', redirectUris, logoutUris: [], ...more }, operator);
const clients = () => [...world.pool.clients.values()];
const clientId = async () => (await getLogin({ appId })).clientId;
const calls = (act: () => Promise<unknown>) => callsOf(world, act);
const stored = () => [...world.memory.table.items()].filter(({ pk }) => /^LOGIN/.test(`${pk}`));
const created = ['ListUserPoolClients', 'CreateUserPoolClient', 'CreateManagedLoginBranding'];

describe('the client of an application', () => {
  test('is created with the login, and its id found', async () => {
    expect(await calls(() => set({ clientType: 'confidential' }))).toEqual(created);
    expect(clients()).toMatchObject([
      {
        style: { Settings: undefined, Assets: [] },
        settings: { ClientName: appId, CallbackURLs: redirectUris, AllowedOAuthFlows: ['code'] },
      },
    ]);
    expect(clients()[0]?.secrets).toHaveLength(1);
    expect(await clientId()).toBe(clients()[0]?.ClientId);
  });

  test('gets other addresses in two requests, and none for what is the same', async () => {
    await calls(set);
    const other = { redirectUris: ['https://b.example.com/', 'https://a.example.com/'] };
    expect(await calls(() => set(other))).toEqual(['DescribeUserPoolClient', 'UpdateUserPoolClient']);
    expect(clients()[0]?.settings.CallbackURLs).toEqual(other.redirectUris);
    expect(await calls(() => set({ redirectUris: other.redirectUris.toReversed() }))).toEqual([
      'DescribeUserPoolClient',
    ]);
  });

  test('gets back what somebody has changed in the pool, and is created again if it was deleted there', async () => {
    await calls(set);
    const [client] = clients();
    Object.assign(client?.settings ?? {}, { AccessTokenValidity: 60, ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'] });
    await calls(() => set({ logoutUris: ['https://app.example.com/'] }));
    expect(clients()[0]?.settings).toMatchObject({ AccessTokenValidity: 5, ExplicitAuthFlows: ['ALLOW_USER_AUTH'] });
    world.pool.clients.clear();
    await calls(() => set({ logoutUris: [] }));
    expect(await clientId()).toBe(clients()[0]?.ClientId);
    expect(stored().filter(({ sk }) => sk === 'APPLICATION')).toMatchObject([{ appId, clientId: await clientId() }]);
  });

  test("lets people log in at the provider of a company, and nobody change the account's other attributes", async () => {
    await calls(set);
    const writable = ['subject', 'email', 'verified'].map((name) => `custom:provider_${name}`);
    const given = { SupportedIdentityProviders: ['COGNITO'], WriteAttributes: writable };
    expect(clients()[0]?.settings).toMatchObject(given);
    process.env.LOGIN_PROVIDER = '{"name":"Example","type":"SAML","domains":["example.com"]}';
    await calls(() => set({ logoutUris: ['https://app.example.com/'] }));
    delete process.env.LOGIN_PROVIDER;
    expect(clients()[0]?.settings).toMatchObject({ ...given, SupportedIdentityProviders: ['COGNITO', 'Example'] });
  });

  test('gets the style of the deployment, once for each style, also if it had another', async () => {
    await calls(set);
    const folder = mkdtempSync(join(tmpdir(), 'logo-'));
    const path = join(folder, 'login-logo');
    writeFileSync(path, '<svg/>');
    const style = { id: 'a', color: '#1A5276', logo: { path, extension: 'SVG' } };
    process.env.LOGIN_STYLE = JSON.stringify(style);
    const restyled = ['DescribeUserPoolClient', 'DescribeManagedLoginBrandingByClient', 'UpdateManagedLoginBranding'];
    const change = (uri: string) => calls(() => set({ redirectUris: [uri] }));
    expect(await change('https://b.example.com/')).toEqual(
      restyled.toSpliced(1, 0, ...['UpdateUserPoolClient', created[2] ?? '']),
    );
    const button = { backgroundColor: '1a5276ff', textColor: 'ffffffff' };
    const states = { defaults: button, hover: button, active: button };
    expect(clients()[0]?.style).toMatchObject({
      Settings: {
        components: {
          primaryButton: { lightMode: states, darkMode: states },
          form: { logo: { enabled: true } },
        },
      },
      Assets: [{ Category: 'FORM_LOGO', Extension: 'SVG', Bytes: Buffer.from('<svg/>').toString('base64') }],
    });
    expect(await change('https://c.example.com/')).toEqual(['DescribeUserPoolClient', 'UpdateUserPoolClient']);
    process.env.LOGIN_STYLE = JSON.stringify({ id: 'b', color: '#7b241c' });
    expect(await change('https://d.example.com/')).toContain('UpdateManagedLoginBranding');
    delete process.env.LOGIN_STYLE;
    rmSync(folder, { recursive: true });
  });

  test('is not shown, and gets no secret, for a login that was set after it', async () => {
    await calls(() => set({ clientType: 'confidential' }));
    const former = await clientId();
    expect(await set({ clientType: 'confidential' })).toMatchObject({ clientId: former, changed: false });
    jest.advanceTimersByTime(1000);
    await deleteLogin({ appId }, operator);
    expect(await set({ clientType: 'confidential' })).toMatchObject({ clientId: null });
    expect(await clientId()).toBeNull();
    await expect(addLoginSecret({ appId }, operator)).rejects.toMatchObject({ code: 'unavailable' });
    await follow(world);
    expect([null, former]).not.toContain(await clientId());
    jest.advanceTimersByTime(1000);
    expect(await set({ clientType: 'confidential', redirectUris: ['https://b.example.com/'] })).toMatchObject({
      clientId: await clientId(),
    });
  });

  test('is deleted with the login, and with the application', async () => {
    await calls(set);
    expect(await calls(() => deleteLogin({ appId }, operator))).toEqual(['DeleteUserPoolClient']);
    expect(stored()).toEqual([]);
    await calls(set);
    await calls(() => passing(deleteApplication({ appId, force: true }, operator)));
    expect(clients()).toEqual([]);
    expect(stored()).toEqual([]);
  });

  test.each(['public', 'confidential'] as const)(
    'is another one if the login was deleted and set again, as %s, before anybody was told',
    async (clientType) => {
      await calls(() => set({ clientType: 'confidential' }));
      const former = await clientId();
      await deleteLogin({ appId }, operator);
      jest.advanceTimersByTime(10);
      await set({ clientType });
      await follow(world);
      expect(clients()).toHaveLength(1);
      expect(await clientId()).not.toBe(former);
      expect(stored().map(({ pk }) => pk)).not.toContain(`LOGIN#CLIENT#${former}`);
      expect(clients()[0]?.secrets).toHaveLength(clientType === 'public' ? 0 : 1);
    },
  );

  test.each([
    ['CreateUserPoolClient', 'after'],
    ['CreateManagedLoginBranding', 'before'],
    ['CreateManagedLoginBranding', 'after'],
  ] as const)('is there once although %s was lost %s it took effect', async (failed, when) => {
    world.fault = (action) => (action === failed ? when : undefined);
    await expect(calls(set)).rejects.toThrow();
    world.fault = undefined;
    await sweep();
    expect(clients()).toMatchObject([{ style: {} }]);
    expect(await clientId()).toBe(clients()[0]?.ClientId);
  });

  test('that was created and not recorded gets what the login has become', async () => {
    world.fault = (action) => (action === 'CreateUserPoolClient' ? 'after' : undefined);
    await expect(calls(set)).rejects.toThrow();
    world.fault = undefined;
    const other = { redirectUris: ['https://other.example.com/'] };
    await calls(() => set(other));
    expect(clients()).toMatchObject([{ ClientId: await clientId(), settings: { CallbackURLs: other.redirectUris } }]);
  });

  test('that was created and not recorded is deleted with the login', async () => {
    world.fault = (action) => (action === 'CreateUserPoolClient' ? 'after' : undefined);
    await expect(calls(set)).rejects.toThrow();
    world.fault = undefined;
    expect(clients()).toHaveLength(1);
    await calls(() => deleteLogin({ appId }, operator));
    expect(clients()).toEqual([]);
  });
});

test('of two secrets the older one ends, or the one that is not kept', async () => {
  await calls(() => set({ clientType: 'confidential' }));
  const ids = () => clients()[0]?.secrets.map(({ id }) => id);
  const kept = await passing(addLoginSecret({ appId }, operator));
  expect(kept).toEqual({ clientId: await clientId(), secretId: ids()?.[1], secret: clients()[0]?.secrets[1]?.value });
  const keep = kept.secretId;
  for (const _ of [1, 2]) {
    jest.advanceTimersByTime(1000);
    const { secretId } = await passing(addLoginSecret({ appId, keep }, operator));
    expect(ids()).toEqual([keep, secretId]);
  }
  jest.advanceTimersByTime(1000);
  const { secretId } = await passing(addLoginSecret({ appId }, operator));
  expect(ids()).toEqual([expect.not.stringContaining(keep), secretId]);
});

test('a request for a secret whose answer was lost ends at its repetition the secret that nobody got, not the one in use', async () => {
  await calls(() => set({ clientType: 'confidential' }));
  const ids = () => clients()[0]?.secrets.map(({ id }) => id);
  const [inUse] = ids() ?? [];
  const path = '/api/manage/applications/billing/login/secrets';
  const content = { method: 'POST', path, query: '', ifMatch: undefined, body: new Uint8Array() };
  const request = { ...operator, attempt: { content, idempotencyKey: 'the-same' } };
  for (const _ of [1, 2, 3]) {
    jest.advanceTimersByTime(1000);
    const { secretId } = await passing(addLoginSecret({ appId }, request));
    expect(ids()).toEqual([inUse, secretId]);
  }
});

describe('what Cognito refuses of a login', () => {
  test('is shown, while the client is created and while it is changed, until it is right', async () => {
    const error = expect.stringContaining('InvalidParameterException');
    await calls(() => set({ redirectUris: ['https://app.example.com/#fragment'] }));
    expect(await getLogin({ appId })).toMatchObject({ clientId: null, error });
    await expect(addLoginSecret({ appId }, operator)).rejects.toThrow();
    await calls(set);
    expect(await getLogin({ appId })).toMatchObject({ clientId: clients()[0]?.ClientId, error: null });
    await calls(() => set({ redirectUris: ['https://app.example.com/#fragment'] }));
    expect(await getLogin({ appId })).toMatchObject({ clientId: clients()[0]?.ClientId, error });
  });

  test('is tried again if the pool has too many clients', async () => {
    world.fault = (action) => (action === 'CreateUserPoolClient' ? { code: 'LimitExceededException' } : undefined);
    await calls(set);
    expect(await getLogin({ appId })).toMatchObject({ error: 'LimitExceededException: LimitExceededException' });
    world.fault = undefined;
    await sweep(16);
    expect(await getLogin({ appId })).toMatchObject({ clientId: clients()[0]?.ClientId, error: null });
  });
});
