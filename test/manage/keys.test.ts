import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Scope, scopes } from '#shared/contract/routes.ts';
import { alterItem } from '../support/alter-item.ts';
import { describeAtEachDoor, inTurns } from '../support/at-each-door.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { fromNow, unsoundEnds, yearsFromNow } from '../support/moments.ts';
import { newApplication } from '../support/new-application.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import type { Key } from '../support/send-request.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { aKey, aMoment, aSecret } from '../support/view-shapes.ts';

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

const access = '/api/service/users/ada/access';
const day = 86_400_000;

/** What the Service API says to a request signed with the key: 200, or the code of its refusal. */
async function useOf(key: Key): Promise<unknown> {
  const { status, body } = await service.request(['GET', access], { key });
  return status === 200 ? 200 : body.code;
}

/** Changes what the application's item says of a key. */
const alterKey = (appId: string, keyId: string, member: string, value: unknown) =>
  alterItem(service, [`APP#${appId}`, 'APP'], ['keys', keyId, member], value);

async function storedKeys(appId: string): Promise<Record<string, Record<string, unknown>>> {
  return (await service.items()).get(`APP#${appId} APP`)?.keys as Record<string, Record<string, unknown>>;
}

describeAtEachDoor(manage, (ask, door) => {
  const issue = async (appId: string, body?: object): Promise<Key> =>
    (await ask('POST', `/applications/${appId}/keys`, body)).body;
  const list = async (appId: string, limit = 100) =>
    (await readPages(ask, `/applications/${appId}/keys`, limit)).flat();

  describe('POST /applications/{appId}/keys', () => {
    describe('201', () => {
      test.each(
        inTurns(door, [
          ['no body', undefined],
          ['an empty one', {}],
          ['no end', { expiresAt: null }],
        ]),
      )('with %s, issues a key that may do everything, for ever, and works at once', async (_, body) => {
        const appId = await newApplication();
        const { status, body: issued } = await ask('POST', `/applications/${appId}/keys`, body);
        expect([status, issued]).toEqual([201, { ...aKey({}), secret: aSecret }]);
        expect(issued.keyId.startsWith(`svk_k1_${appId}_`)).toBe(true);
        expect(await useOf(issued)).toBe(200);
      });

      test.each(
        inTurns(door, [
          [['access:read'], ['access:read']],
          [
            ['roles:write', 'access:read'],
            ['access:read', 'roles:write'],
          ],
          [['access:write', 'access:write'], ['access:write']],
        ]),
      )('with the scopes %j, issues a key with %j and no other', async (wanted, given) => {
        const appId = await newApplication(['editor']);
        const { body: issued } = await ask('POST', `/applications/${appId}/keys`, { scopes: wanted });
        expect(issued.scopes).toEqual(given);
        const asks: Record<Scope, () => ReturnType<TestService['request']>> = {
          'access:read': () => service.request(['GET', access], { key: issued }),
          'access:write': () => service.request(['PUT', access], { key: issued, body: { status: 'enabled' } }),
          'roles:write': () =>
            service.request(['POST', '/api/service/roles/ada/assign'], { key: issued, body: { role: 'editor' } }),
        };
        for (const scope of scopes) {
          const { status, body } = await asks[scope]();
          expect([scope, status === 200 ? 200 : body.code]).toEqual([
            scope,
            (given as readonly string[]).includes(scope) ? 200 : 'scope_missing',
          ]);
        }
      });

      test('with an end, issues a key that works until then', async () => {
        const appId = await newApplication();
        const expiresAt = yearsFromNow(5, -60_000);
        const { body: issued } = await ask('POST', `/applications/${appId}/keys`, { expiresAt });
        expect([issued.expiresAt, await useOf(issued)]).toEqual([expiresAt, 200]);
        await alterKey(appId, issued.keyId, 'expiresAt', fromNow(-1));
        expect(await useOf(issued)).toBe('key_expired');
      });

      test('gives each of many who ask at once a key of its own', async () => {
        const appId = await newApplication();
        const keys = await Promise.all([1, 2, 3].map(() => issue(appId)));
        expect(await Promise.all(keys.map(useOf))).toEqual([200, 200, 200]);
        expect(new Set(keys.map(({ secret }) => secret)).size).toBe(3);
      });
    });

    describe('400', () => {
      test.each(inTurns(door, unsoundEnds))('refuses an end that is %s, and issues nothing', async (_, expiresAt) => {
        const answer = await ask('POST', '/applications/wiki/keys', { expiresAt });
        expectInvalid(answer, '#/expiresAt');
        expect(await changesOf(service, answer)).toEqual([]);
      });

      test.each(
        inTurns(door, [
          ['none', [], '#/scopes'],
          ['no list', 'access:read', '#/scopes'],
          ['null', null, '#/scopes'],
          ['an unknown one', ['access:read', 'admin'], '#/scopes/1'],
          ['all by a star', ['*'], '#/scopes/0'],
          ['a number', [1], '#/scopes/0'],
        ]),
      )('refuses scopes that are %s', async (_, wanted, pointer) => {
        expectInvalid(await ask('POST', '/applications/wiki/keys', { scopes: wanted }), pointer);
      });

      test('takes neither an id nor a secret from outside', async () => {
        expectInvalid(await ask('POST', '/applications/wiki/keys', { secret: 'svs_mine' }), '#/secret');
        expectInvalid(await ask('POST', '/applications/wiki/keys', { keyId: 'svk_k1_wiki_mine' }), '#/keyId');
      });
    });

    describe('409', () => {
      test('when ten keys are neither revoked nor expired, and issues nothing', async () => {
        const appId = await newApplication();
        const keys: Key[] = [];
        for (let n = 0; n < 10; n++) keys.push(await issue(appId));
        const answer = await ask('POST', `/applications/${appId}/keys`);
        expectProblem(answer, 'too_many_keys');
        expect(await changesOf(service, answer)).toEqual([]);
        expect(await list(appId)).toHaveLength(10);
        await ask('DELETE', `/applications/${appId}/keys/${keys[3]?.keyId}`);
        await alterKey(appId, keys[7]?.keyId ?? '', 'expiresAt', fromNow(-1));
        expect([await useOf(await issue(appId)), await useOf(await issue(appId))]).toEqual([200, 200]);
        expectProblem(await ask('POST', `/applications/${appId}/keys`), 'too_many_keys');
      });

      test('also to those who ask at once: there are never more than ten', async () => {
        const appId = await newApplication();
        for (let n = 0; n < 8; n++) await issue(appId);
        const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', `/applications/${appId}/keys`)));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
        expect(await list(appId)).toHaveLength(10);
      });
    });
  });

  describe('GET /applications/{appId}/keys', () => {
    describe('200', () => {
      test('lists the newest first, the same in pages of any size', async () => {
        const appId = await newApplication();
        expect(await list(appId)).toEqual([]);
        const issued: Key[] = [];
        for (let n = 0; n < 5; n++) issued.unshift(await issue(appId));
        const all = await list(appId);
        expect(all).toEqual(issued.map(({ keyId }) => aKey({ keyId })));
        for (const limit of [1, 2, 5]) expect(await list(appId, limit)).toEqual(all);
        expect((await ask('GET', `/applications/${appId}/keys?limit=5`)).body.cursor).toBeNull();
      });

      test('says of each what it may do, when it ends or ended, and on which day it was last used', async () => {
        const appId = await newApplication();
        const unused = await issue(appId, { scopes: ['access:read'], expiresAt: fromNow(day) });
        const used = await issue(appId);
        const gone = await issue(appId);
        expect(await useOf(used)).toBe(200);
        await ask('DELETE', `/applications/${appId}/keys/${gone.keyId}`);
        expect(await list(appId)).toEqual([
          aKey({ keyId: gone.keyId, revokedAt: aMoment }),
          aKey({ keyId: used.keyId, lastUsedOn: new Date().toISOString().slice(0, 10) }),
          aKey({ keyId: unused.keyId, scopes: ['access:read'], expiresAt: aMoment }),
        ]);
      });
    });
  });

  describe('DELETE /applications/{appId}/keys/{keyId}', () => {
    describe('200', () => {
      test('stops the key at once; a repetition changes nothing', async () => {
        const appId = await newApplication();
        const [key, other] = [await issue(appId), await issue(appId)];
        expect([await useOf(key), await useOf(other)]).toEqual([200, 200]);
        const answer = await ask('DELETE', `/applications/${appId}/keys/${key.keyId}`);
        const today = new Date().toISOString().slice(0, 10);
        const revoked = aKey({ keyId: key.keyId, revokedAt: aMoment, lastUsedOn: today });
        expect([answer.status, answer.body]).toEqual([200, { ...revoked, changed: true }]);
        expect([await useOf(key), await useOf(other)]).toEqual(['key_revoked', 200]);
        const again = await ask('DELETE', `/applications/${appId}/keys/${key.keyId}`);
        expect([again.status, again.body]).toEqual([200, { ...answer.body, changed: false }]);
        expect(await changesOf(service, again)).toEqual([]);
      });

      test('revokes a key that has expired, too', async () => {
        const appId = await newApplication();
        const { keyId, secret } = await issue(appId);
        await alterKey(appId, keyId, 'expiresAt', fromNow(-1));
        expect((await ask('DELETE', `/applications/${appId}/keys/${keyId}`)).body.changed).toBe(true);
        expect(await useOf({ keyId, secret })).toBe('key_revoked');
      });
    });

    describe('404', () => {
      test.each(
        inTurns(door, [
          'svk_k1_wiki_01JD0000000000000000000000',
          'nonsense',
          'constructor',
          '__proto__',
          'toString',
          '%E2%82%AC',
          'a'.repeat(2000),
        ]),
      )('there is no key %s', async (keyId) => {
        expectProblem(await ask('DELETE', `/applications/wiki/keys/${keyId}`), 'key_not_found');
        const rotate = await ask('POST', `/applications/wiki/keys/${keyId}/rotate`, { overlap: 'PT0S' });
        expectProblem(rotate, 'key_not_found');
      });

      test('a key of another application, which stays as it is', async () => {
        const answer = await ask('DELETE', `/applications/wiki/keys/${service.billingKey.keyId}`);
        expectProblem(answer, 'key_not_found');
        expect(await useOf(service.billingKey)).toBe(200);
      });
    });
  });

  describe('keys that ended thirty days ago', () => {
    /** An application with a key that ended so long ago, in each of the ways, and one that did not. */
    async function withOldKeys(endedAgo: number) {
      const appId = await newApplication();
      const [revoked, expired, live] = [await issue(appId), await issue(appId), await issue(appId)];
      await alterKey(appId, revoked.keyId, 'revokedAt', fromNow(-endedAgo));
      await alterKey(appId, expired.keyId, 'expiresAt', fromNow(-endedAgo));
      return { appId, revoked, expired, live };
    }

    test.each(
      inTurns(door, [
        ['issuing one', (appId: string) => ask('POST', `/applications/${appId}/keys`)],
        ['revoking another', (appId: string, live: string) => ask('DELETE', `/applications/${appId}/keys/${live}`)],
        [
          'rotating another',
          (appId: string, live: string) =>
            ask('POST', `/applications/${appId}/keys/${live}/rotate`, { overlap: 'PT1H' }),
        ],
      ]),
    )('leave the item with the next change: %s', async (_, change) => {
      const { appId, revoked, expired, live } = await withOldKeys(30 * day + 1000);
      expect(Object.keys(await storedKeys(appId))).toHaveLength(3);
      expect([200, 201]).toContain((await change(appId, live.keyId)).status);
      const kept = Object.keys(await storedKeys(appId));
      expect(kept).toContain(live.keyId);
      expect(kept).not.toContain(revoked.keyId);
      expect(kept).not.toContain(expired.keyId);
      expect([await useOf(revoked), await useOf(expired)]).toEqual(['key_revoked', 'key_revoked']);
      expectProblem(await ask('DELETE', `/applications/${appId}/keys/${revoked.keyId}`), 'key_not_found');
    });

    test('or almost, stay, and can be revoked again to no effect', async () => {
      const { appId, revoked, expired, live } = await withOldKeys(30 * day - 60_000);
      const { keyId } = await issue(appId);
      const kept = [revoked, expired, live].map((key) => key.keyId);
      expect(Object.keys(await storedKeys(appId)).sort()).toEqual([...kept, keyId].sort());
      const again = await ask('DELETE', `/applications/${appId}/keys/${revoked.keyId}`);
      expect([again.status, again.body.changed]).toEqual([200, false]);
    });
  });
});
