import '#test/support/settle-ten-seconds.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { newApplication } from '#test/support/new-application.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { addLoginSecret, deleteLogin, getLogin, setLogin } from '../../server/logins.ts';

const memory = tableForEachTest();
const appId = 'billing' as AppId;
const login = { redirectUris: ['https://app.example.com/a', 'https://app.example.com/b'], logoutUris: [] };
const none = {
  appId,
  enabled: false,
  clientType: null,
  redirectUris: [],
  logoutUris: [],
  clientId: null,
  issuer: null,
};
const missing = 'This deployment has no login: see its setting login.';

beforeEach(async () => void (await newApplication([], appId)));

const set = (more: object = {}) => setLogin({ appId, clientType: 'public', ...login, ...more }, operator);
const lastChange = async () => (await listAllChanges({ limit: 1 })).items[0];
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ code, options: { detail } }) => [code, detail],
  );

describe('the login of an application', () => {
  test('is set with its Change, which has lists as texts, and once', async () => {
    expect(await getLogin({ appId })).toEqual({ ...none, error: null });
    const shown = { ...none, ...login, enabled: true, clientType: 'public', error: missing };
    expect(await set()).toEqual({ ...shown, changed: true });
    expect(await lastChange()).toMatchObject({
      action: 'login.changed',
      appId,
      before: { clientType: null, redirectUris: null, logoutUris: null, version: 1 },
      after: { clientType: 'public', redirectUris: login.redirectUris.join(' '), logoutUris: '', version: 2 },
    });
    expect(await set()).toEqual({ ...shown, changed: false });
    expect(await getLogin({ appId })).toEqual(shown);
  });

  test('is set in two rounds: its client is read beside the application, before the transaction', async () => {
    memory.sdk.requests.length = 0;
    await set();
    const commands = memory.sdk.requests.map(({ command }) => command);
    expect(commands).toEqual(['BatchGetItemCommand', 'BatchGetItemCommand', 'TransactWriteItemsCommand']);
  });

  test('records of a change what differs', async () => {
    await set();
    await set({ redirectUris: ['https://app.example.com/a'] });
    expect(await lastChange()).toMatchObject({
      before: { redirectUris: login.redirectUris.join(' '), version: 2 },
      after: { redirectUris: 'https://app.example.com/a', version: 3 },
    });
    expect(Object.keys((await lastChange())?.after ?? {})).toEqual(['redirectUris', 'version']);
  });

  test('keeps its kind of client, which the provider cannot change', async () => {
    await set();
    const detail = 'clientType cannot be changed: delete the login, and set it again';
    expect(await refusalOf(set({ clientType: 'confidential' }))).toEqual(['invalid_request', detail]);
  });

  test('is deleted with its Change, and once', async () => {
    await set();
    expect(await deleteLogin({ appId }, operator)).toEqual({ changed: true, complete: true });
    expect(await lastChange()).toMatchObject({ action: 'login.deleted', after: { clientType: null, version: 3 } });
    expect(await deleteLogin({ appId }, operator)).toEqual({ changed: false, complete: true });
    expect(await getLogin({ appId })).toEqual({ ...none, error: null });
    expect(await set({ clientType: 'confidential' })).toMatchObject({ changed: true, clientType: 'confidential' });
  });

  test('gets no secret in a deployment without a login', async () => {
    await set();
    expect(await refusalOf(addLoginSecret({ appId }, operator))).toEqual(['invalid_request', missing]);
  });

  test('goes with the application, of which a tombstone stays', async () => {
    const { deleteApplication } = await import('#shared/domain/application/delete-application.ts');
    await set();
    const deletion = deleteApplication({ appId, force: true }, operator);
    await jest.advanceTimersByTimeAsync(90_000);
    expect(await deletion).toMatchObject({ changed: true });
    expect([...memory.table.items()].filter(({ login: kept }) => kept !== undefined)).toEqual([]);
  });
});
