import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setInactive } from '#test/support/manage-outcomes/prepare.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { deleteAccount, inviteUser } from '../../server/accounts.ts';
import { decideLogin } from '../../server/login-decision.ts';
import { deleteLogin, setLogin } from '../../server/logins.ts';
import { putClientEntries } from '../../table/login-item.ts';

const memory = tableForEachTest();
const redirectUris = ['https://app.example.com/callback'];
let clients = 0;
let clientId: string;
let appId: string;
let userId: string;

beforeEach(async () => {
  const { transact } = await import('#shared/table/client.ts');
  clientId = `client-${++clients}`;
  appId = await newApplication(['editor', 'viewer']);
  userId = await newUser();
  await setLogin({ appId: appId as AppId, clientType: 'public', redirectUris, logoutUris: [] }, operator);
  await inviteUser({ userId: userId as UserId }, operator);
  await transact(putClientEntries({ appId: appId as AppId, clientId, madeAt: '', error: null }));
});

const userCreatedAt = '2026-11-20T19:00:00.000Z';
const decide = (more: object = {}) => decideLogin({ clientId, userId, userCreatedAt, ...more });

describe('the decision before tokens', () => {
  test('lets a user enter with the names of the roles that have not ended', async () => {
    await grantRole(userId, appId, 'editor');
    expect(await decide()).toEqual({ roles: ['editor'] });
  });

  test('is a refusal for a user who is blocked, inactive, without an account or unknown', async () => {
    expect(await decide({ userId: 'nobody' })).toEqual({ denied: 'account' });
    expect(await decide({ userId: await newUser() })).toEqual({ denied: 'account' });
    await setStatus(userId, appId, 'disabled');
    expect(await decide()).toEqual({ denied: 'access' });
    await setStatus(userId, appId, 'enabled');
    expect(await decide()).toEqual({ roles: [] });
    await setInactive(userId);
    expect(await decide()).toEqual({ denied: 'access' });
  });

  test('is a refusal for the account of an erased user with the same id', async () => {
    expect(await decide({ userCreatedAt: '2026-11-20T18:59:59.999Z' })).toEqual({ denied: 'account' });
  });

  test('is a refusal as soon as the account or the login is deleted, although the process knows the client', async () => {
    expect(await decide()).toEqual({ roles: [] });
    await deleteAccount({ userId: userId as UserId }, operator);
    expect(await decide()).toEqual({ denied: 'account' });
    await inviteUser({ userId: userId as UserId }, operator);
    await deleteLogin({ appId: appId as AppId }, operator);
    expect(await decide()).toEqual({ denied: 'application' });
  });

  test('is a refusal for a client that no application has', async () => {
    expect(await decide({ clientId: 'another' })).toEqual({ denied: 'unknown' });
  });

  test('takes one strongly consistent read, and one more for the first login of a client', async () => {
    const reads = () => memory.sdk.requests.filter(({ command }) => command === 'BatchGetItemCommand');
    memory.sdk.requests.length = 0;
    await decide();
    expect(reads()).toHaveLength(2);
    memory.sdk.requests.length = 0;
    await decide();
    expect(memory.sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
    expect(JSON.stringify(reads())).toContain('"ConsistentRead":true');
  });
});
