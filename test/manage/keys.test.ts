import { describe, expect, test } from '@jest/globals';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { keyRequests } from '../support/key-requests.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import type { Key } from '../support/send-request.ts';
import type { TestService } from '../support/start-service.ts';
import { fromNow, yearsFromNow } from '../support/timestamps.ts';
import { aKey, aSecret, aTimestamp } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

const access = '/api/service/users/ada/access';
const day = 86_400_000;

async function storedKeys(appId: string): Promise<Record<string, Record<string, unknown>>> {
  return (await service.items()).get(`APP#${appId} APP`)?.keys as Record<string, Record<string, unknown>>;
}

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const { issue, rotate, useOf, alterKey } = keyRequests(() => service, ask);
  const list = async (appId: string, limit = 100) =>
    (await readPages(ask, `/applications/${appId}/keys`, limit)).flat();

  describe('POST /applications/{appId}/keys', () => {
    describe('201', () => {
      test.each(
        inTurns(entryPoint, [
          ['no body', undefined],
          ['an empty body', {}],
        ]),
      )('issues a key with %s: it can read for 90 days, and works immediately', async (_, body) => {
        const appId = await newApplication();
        const { status, body: issued } = await ask('POST', `/applications/${appId}/keys`, body);
        const expiresAt = new Date(Date.parse(issued.createdAt) + 90 * 86_400_000).toISOString();
        expect([status, issued]).toEqual([201, { ...aKey({ scopes: ['access:read'], expiresAt }), secret: aSecret }]);
        expect(issued.keyId.startsWith(`svk_k1_${appId}_`)).toBe(true);
        expect(await useOf(issued)).toBe(200);
      });

      once('issues a key without an end, if that is asked for', async () => {
        const { body } = await ask('POST', `/applications/${await newApplication()}/keys`, { expiresAt: null });
        expect(body.expiresAt).toBeNull();
      });

      test.each(
        inTurns(entryPoint, [
          [['access:read'], ['access:read']],
          [
            ['roles:write', 'access:read'],
            ['access:read', 'roles:write'],
          ],
          [['access:write', 'access:write'], ['access:write']],
          [['webhooks:write'], ['webhooks:write']],
        ]),
      )('for the scopes %j, issues a key with exactly the scopes %j', async (wanted, given) => {
        const appId = await newApplication(['editor']);
        const { body: issued } = await ask('POST', `/applications/${appId}/keys`, { scopes: wanted });
        expect(issued.scopes).toEqual(given);
        const asks: Record<Scope, () => ReturnType<TestService['request']>> = {
          'access:read': () => service.request(['GET', access], { key: issued }),
          'access:write': () => service.request(['PUT', access], { key: issued, body: { status: 'enabled' } }),
          'roles:write': () =>
            service.request(['POST', '/api/service/roles/ada/assign'], { key: issued, body: { role: 'editor' } }),
          'webhooks:write': () => service.request(['GET', '/api/service/webhooks'], { key: issued }),
        };
        for (const scope of scopes) {
          const { status, body } = await asks[scope]();
          expect([scope, status === 200 ? 200 : body.code]).toEqual([
            scope,
            (given as readonly string[]).includes(scope) ? 200 : 'scope_missing',
          ]);
        }
      });

      once('issues a key that works until its expiry', async () => {
        const appId = await newApplication();
        const expiresAt = yearsFromNow(5, -60_000);
        const { body: issued } = await ask('POST', `/applications/${appId}/keys`, { expiresAt });
        expect([issued.expiresAt, await useOf(issued)]).toEqual([expiresAt, 200]);
        await alterKey(appId, issued.keyId, 'expiresAt', fromNow(-1));
        expect(await useOf(issued)).toBe('key_expired');
      });

      once('issues a separate key to each of several concurrent requests', async () => {
        const appId = await newApplication();
        const keys = await Promise.all([1, 2, 3].map(() => issue(appId)));
        expect(await Promise.all(keys.map(useOf))).toEqual([200, 200, 200]);
        expect(new Set(keys.map(({ secret }) => secret)).size).toBe(3);
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          ['an empty list', [], '#/scopes'],
          ['not a list', 'access:read', '#/scopes'],
          ['null', null, '#/scopes'],
          ['a list with an unknown one', ['access:read', 'admin'], '#/scopes/1'],
          ['a list with a star', ['*'], '#/scopes/0'],
          ['a list with a number', [1], '#/scopes/0'],
        ]),
      )('refuses to issue a key with scopes that are %s', async (_, wanted, pointer) => {
        expectInvalid(await ask('POST', '/applications/wiki/keys', { scopes: wanted }), pointer);
      });

      once("refuses a caller's own id or secret for a new key", async () => {
        expectInvalid(await ask('POST', '/applications/wiki/keys', { secret: 'svs_mine' }), '#/secret');
        expectInvalid(await ask('POST', '/applications/wiki/keys', { keyId: 'svk_k1_wiki_mine' }), '#/keyId');
      });
    });

    describe('409', () => {
      once('refuses an eleventh active key; revoked and expired ones do not count', async () => {
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

      once('concurrent requests never issue more than ten active keys', async () => {
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
      once('lists keys, newest first, identical in pages of any size', async () => {
        const appId = await newApplication();
        expect(await list(appId)).toEqual([]);
        const issued: Key[] = [];
        for (let n = 0; n < 5; n++) issued.unshift(await issue(appId));
        const all = await list(appId);
        expect(all).toEqual(issued.map(({ keyId }) => aKey({ keyId })));
        for (const limit of [1, 2, 5]) expect(await list(appId, limit)).toEqual(all);
        expect((await ask('GET', `/applications/${appId}/keys?limit=5`)).body.cursor).toBeNull();
      });

      once('lists each key with its scopes, expiry, revocation and last day of use', async () => {
        const appId = await newApplication();
        const unused = await issue(appId, { scopes: ['access:read'], expiresAt: fromNow(day) });
        const used = await issue(appId);
        const gone = await issue(appId);
        expect(await useOf(used)).toBe(200);
        await ask('DELETE', `/applications/${appId}/keys/${gone.keyId}`);
        expect(await list(appId)).toEqual([
          aKey({ keyId: gone.keyId, revokedAt: aTimestamp }),
          aKey({ keyId: used.keyId, lastUsedOn: new Date().toISOString().slice(0, 10) }),
          aKey({ keyId: unused.keyId, scopes: ['access:read'], expiresAt: aTimestamp }),
        ]);
      });
    });
  });

  describe('DELETE /applications/{appId}/keys/{keyId}', () => {
    describe('200', () => {
      once('revoking a key stops it immediately, and a repetition changes nothing', async () => {
        const appId = await newApplication();
        const [key, other] = [await issue(appId), await issue(appId)];
        expect([await useOf(key), await useOf(other)]).toEqual([200, 200]);
        const answer = await ask('DELETE', `/applications/${appId}/keys/${key.keyId}`);
        const today = new Date().toISOString().slice(0, 10);
        const revoked = aKey({ keyId: key.keyId, revokedAt: aTimestamp, lastUsedOn: today });
        expect([answer.status, answer.body]).toEqual([200, { ...revoked, changed: true }]);
        expect([await useOf(key), await useOf(other)]).toEqual(['key_revoked', 200]);
        const again = await ask('DELETE', `/applications/${appId}/keys/${key.keyId}`);
        expect([again.status, again.body]).toEqual([200, { ...answer.body, changed: false }]);
        expect(await changesOf(service, again)).toEqual([]);
      });

      once('revokes a key that has expired', async () => {
        const appId = await newApplication();
        const { keyId, secret } = await issue(appId);
        await alterKey(appId, keyId, 'expiresAt', fromNow(-1));
        expect((await ask('DELETE', `/applications/${appId}/keys/${keyId}`)).body.changed).toBe(true);
        expect(await useOf({ keyId, secret })).toBe('key_revoked');
      });
    });

    describe('404', () => {
      test.each(
        inTurns(entryPoint, [
          'svk_k1_wiki_01JD0000000000000000000000',
          'nonsense',
          'constructor',
          '__proto__',
          'toString',
          '%E2%82%AC',
          'a'.repeat(2000),
        ]),
      )('finds no key %s to revoke or rotate', async (keyId) => {
        expectProblem(await ask('DELETE', `/applications/wiki/keys/${keyId}`), 'key_not_found');
        expectProblem(await rotate('wiki', { keyId, secret: '' }), 'key_not_found');
      });

      once('does not revoke a key of another application', async () => {
        const answer = await ask('DELETE', `/applications/wiki/keys/${service.billingKey.keyId}`);
        expectProblem(answer, 'key_not_found');
        expect(await useOf(service.billingKey)).toBe(200);
      });
    });
  });

  describe('keys that expired or were revoked thirty days ago', () => {
    /** Creates an application with a key revoked and a key expired this long ago, and an active one. */
    async function withOldKeys(endedAgo: number) {
      const appId = await newApplication();
      const [revoked, expired, live] = [await issue(appId), await issue(appId), await issue(appId)];
      await alterKey(appId, revoked.keyId, 'revokedAt', fromNow(-endedAgo));
      await alterKey(appId, expired.keyId, 'expiresAt', fromNow(-endedAgo));
      return { appId, revoked, expired, live };
    }

    test.each(
      inTurns(entryPoint, [
        ['issuing a key', (appId: string) => ask('POST', `/applications/${appId}/keys`)],
        ['revoking another key', (appId: string, live: string) => ask('DELETE', `/applications/${appId}/keys/${live}`)],
        [
          'rotating another key',
          (appId: string, live: string) =>
            ask('POST', `/applications/${appId}/keys/${live}/rotate`, { overlap: 'PT1H' }),
        ],
      ]),
    )('are removed from the item of the application on %s', async (_, change) => {
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

    once('are kept if it was less than thirty days ago, and revoking one again changes nothing', async () => {
      const { appId, revoked, expired, live } = await withOldKeys(30 * day - 60_000);
      const { keyId } = await issue(appId);
      const kept = [revoked, expired, live].map((key) => key.keyId);
      expect(Object.keys(await storedKeys(appId)).sort()).toEqual([...kept, keyId].sort());
      const again = await ask('DELETE', `/applications/${appId}/keys/${revoked.keyId}`);
      expect([again.status, again.body.changed]).toEqual([200, false]);
    });
  });
});
