import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { alterItem, putItems } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { readPages } from '../support/read-pages.ts';
import { applicationItem } from '../support/table-items.ts';
import { fromNow } from '../support/timestamps.ts';
import { aKey } from '../support/view-shapes.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
const day = 86_400_000;
beforeAll(async () => {
  sdk = await watchServiceTable();
});
beforeEach(() => {
  sdk.requests.length = 0;
});

interface ListedKey {
  readonly keyId: string;
  readonly appId: string;
}

/** The issuer of keys through each entry point. */
const issuers = {
  iam: { via: 'iam', id: 'arn:aws:iam::000000000000:user/local', email: null },
  jwt: { via: 'token', id: 'operator-of-tests', email: 'operator@example.com' },
} as const;

/** Puts applications without keys directly into the table, because there are many. */
async function newApplications(appIds: readonly string[]): Promise<void> {
  const at = new Date().toISOString();
  const itemOf = (appId: string) => applicationItem({ appId, name: appId, createdAt: at, updatedAt: at });
  await putItems(service, ...appIds.map(itemOf));
}

const appIdsOf = (keys: readonly ListedKey[]) => [...new Set(keys.map(({ appId }) => appId))];

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const issue = async (appId: string, body: object = {}): Promise<string> =>
    (await ask('POST', `/applications/${appId}/keys`, body)).body.keyId;
  const alterKey = (appId: string, keyId: string, member: string, value?: unknown) =>
    alterItem(service, [`APP#${appId}`, 'APP'], ['keys', keyId, member], value);
  const list = async (query = '', limit = 100): Promise<ListedKey[]> =>
    (await readPages(ask, `/keys${query}`, limit)).flat() as ListedKey[];
  /** Lists only these applications' keys, because others belong to other tests. */
  const listOf = async (appId: string, query = '') =>
    (await list(query)).filter((key) => key.appId === appId).map(({ keyId }) => keyId);

  describe('GET /keys', () => {
    once("combines the applications' lists in order of application, identical in pages of any size", async () => {
      for (const n of [1, 2, 3]) {
        const appId = await newApplication();
        for (let count = 0; count < n; count++) await issue(appId, { label: `Key ${count}` });
      }
      const { items: applications } = (await ask('GET', '/applications?limit=100')).body;
      const expected: unknown[] = [];
      for (const { appId, name } of applications) {
        const { items } = (await ask('GET', `/applications/${appId}/keys?limit=100`)).body;
        expected.push(...items.map((key: object) => ({ ...key, appId, applicationName: name })));
      }
      const all = await list();
      expect(all).toEqual(expected);
      expect(all.length).toBeGreaterThan(5);
      for (const limit of [1, 2, 4]) expect(await list('', limit)).toEqual(all);
    });

    test('shows label, issuer, expiry and last use', async () => {
      const appId = await newApplication();
      const keyId = await issue(appId, { label: 'Backend', scopes: ['access:read'], expiresAt: fromNow(day) });
      await alterItem(service, [`APP#${appId}`, `KEYUSE#${keyId}`], ['lastUsedOn'], '2026-01-31');
      const found = (await list()).find((key) => key.keyId === keyId);
      expect(found).toEqual({
        ...aKey({ keyId, label: 'Backend', scopes: ['access:read'], expiresAt: expect.any(String) }),
        lastUsedOn: '2026-01-31',
        issuedBy: issuers[entryPoint],
        appId,
        applicationName: `Application ${appId}`,
      });
    });

    once('filters by state, approaching expiry and use', async () => {
      const appId = await newApplication();
      const [used, idle, young] = [await issue(appId), await issue(appId), await issue(appId)];
      const [soon, late] = [
        await issue(appId, { expiresAt: fromNow(29 * day) }),
        await issue(appId, { expiresAt: fromNow(31 * day) }),
      ];
      const [revoked, expired] = [await issue(appId, { expiresAt: fromNow(day) }), await issue(appId)];
      await ask('DELETE', `/applications/${appId}/keys/${revoked}`);
      await alterKey(appId, expired, 'expiresAt', fromNow(-1));
      for (const keyId of [used, idle]) await alterKey(appId, keyId, 'createdAt', fromNow(-40 * day));
      for (const [keyId, days] of [
        [used, 10],
        [idle, 31],
      ] as const) {
        await alterItem(
          service,
          [`APP#${appId}`, `KEYUSE#${keyId}`],
          ['lastUsedOn'],
          fromNow(-days * day).slice(0, 10),
        );
      }
      expect(await listOf(appId, '?state=active')).toEqual([late, soon, young, idle, used]);
      expect(await listOf(appId, '?state=ended')).toEqual([expired, revoked]);
      expect(await listOf(appId, '?endsWithin=P30D')).toEqual([soon]);
      expect(await listOf(appId, '?endsWithin=P60D')).toEqual([late, soon]);
      expect(await listOf(appId, '?unusedFor=P30D')).toEqual([idle]);
      expect(await listOf(appId, '?unusedFor=P5D')).toEqual([idle, used]);
      expect(await listOf(appId, '?unusedFor=P30D&endsWithin=P30D')).toEqual([]);
    });

    test.each([
      ['?state=revoked', 'query:state'],
      ['?endsWithin=30', 'query:endsWithin'],
      ['?unusedFor=', 'query:unusedFor'],
      ['?appId=billing', 'query:appId'],
      ['?cursor=AAAA', 'query:cursor'],
    ])('refuses %s', async (query, pointer) => {
      expectInvalid(await ask('GET', `/keys${query}`), pointer);
    });

    once('a cursor is valid only for its filter', async () => {
      await issue(await newApplication());
      const { cursor } = (await ask('GET', '/keys?limit=1')).body;
      expect((await ask('GET', `/keys?limit=1&cursor=${cursor}`)).status).toBe(200);
      expectInvalid(await ask('GET', `/keys?limit=1&state=active&cursor=${cursor}`), 'query:cursor');
      expectInvalid(await ask('GET', `/applications?cursor=${cursor}`), 'query:cursor');
    });
  });

  describe('PATCH /applications/{appId}/keys/{keyId}', () => {
    once('sets and removes the label of a key, which stays valid', async () => {
      const appId = await newApplication();
      const { body: key } = await ask('POST', `/applications/${appId}/keys`, { label: 'Old' });
      const path = `/applications/${appId}/keys/${key.keyId}`;
      const { secret: _, ...view } = key;
      const answer = await ask('PATCH', path, { label: 'Zoë’s backend' });
      expect([answer.status, answer.body]).toEqual([200, { ...view, label: 'Zoë’s backend', changed: true }]);
      expect((await ask('PATCH', path, { label: 'Zoë’s backend' })).body.changed).toBe(false);
      expect((await service.request(['GET', '/api/service/users/ada/access'], { key })).status).toBe(200);
      expect((await ask('PATCH', path, { label: null })).body).toMatchObject({ label: null, changed: true });
    });

    test('a rotated key keeps the label of the old one, and its issuer is who rotated it', async () => {
      const appId = await newApplication();
      const keyId = await issue(appId, { label: 'Backend' });
      await alterKey(appId, keyId, 'issuedBy', {
        via: 'iam',
        id: 'arn:aws:iam::111122223333:user/edith',
        email: null,
      });
      const { body } = await ask('POST', `/applications/${appId}/keys/${keyId}/rotate`, { overlap: 'PT1H' });
      expect(body).toMatchObject({ label: 'Backend', issuedBy: issuers[entryPoint] });
    });

    test.each([
      ['empty', ''],
      ['longer than 60 characters', 'a'.repeat(61)],
      ['not a string', 7],
      ['misleading', 'back\u202eend'],
    ])('refuses a label that is %s, also when issuing', async (_, label) => {
      const appId = await newApplication();
      expectInvalid(await ask('PATCH', `/applications/${appId}/keys/${await issue(appId)}`, { label }), '#/label');
      expectInvalid(await ask('POST', `/applications/${appId}/keys`, { label }), '#/label');
    });

    once('refuses a body without a label, and answers 404 for an unknown key', async () => {
      const appId = await newApplication();
      expectInvalid(await ask('PATCH', `/applications/${appId}/keys/${await issue(appId)}`, {}), '#/label');
      expectProblem(await ask('PATCH', `/applications/${appId}/keys/nonsense`, { label: 'x' }), 'key_not_found');
      expectProblem(await ask('PATCH', '/applications/nowhere/keys/nonsense', { label: 'x' }), 'application_not_found');
    });
  });
});

describe('GET /keys', () => {
  const as = async (groups: readonly string[], path: string) =>
    manage('jwt', 'GET', path, { token: await service.login.mintToken({ 'cognito:groups': groups, sub: 'somebody' }) });

  test('shows a limited operator only the keys of the permitted applications, page by page, and says so', async () => {
    const [one, other] = [await newApplication(), await newApplication()];
    for (const appId of [one, one, other]) await manage('iam', 'POST', `/applications/${appId}/keys`);
    const limited = [`viewer:${one}`, `admin:${other}`, 'support:nothing'];
    const { body } = await as(limited, '/keys');
    expect([appIdsOf(body.items), body.items.length, body.limitedTo]).toEqual([
      [one, other],
      3,
      [one, other, 'nothing'].sort(),
    ]);
    const first = (await as(limited, '/keys?limit=2')).body;
    const second = (await as(limited, `/keys?limit=2&cursor=${first.cursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(body.items);
    expect((await as(['viewer'], '/keys')).body).not.toHaveProperty('limitedTo');
  });

  test('one call reads a limited number of applications and uses, and its cursor continues after them', async () => {
    await newApplications(Array.from({ length: 150 }, (_, n) => `many-${String(n).padStart(3, '0')}`));
    await manage('iam', 'POST', '/applications/many-149/keys', { body: { label: 'Last' } });
    sdk.requests.length = 0;
    const { body } = await manage('iam', 'GET', '/keys?limit=2');
    expect(body.items).toHaveLength(2);
    expect(sdk.requests.map(({ command }) => command)).toEqual(['QueryCommand', 'BatchGetItemCommand']);
    sdk.requests.length = 0;
    const all = (await readPages((method, path) => manage('iam', method, path), '/keys?unusedFor=PT0S', 100)).flat();
    expect((all as ListedKey[]).filter(({ appId }) => appId.startsWith('many-')).map(({ appId }) => appId)).toEqual([
      'many-149',
    ]);
    expect(sdk.requests.length).toBeLessThan(8);
  });
});
