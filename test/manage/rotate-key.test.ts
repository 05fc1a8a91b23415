import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeAtEachDoor, inTurns } from '../support/at-each-door.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { fromNow } from '../support/moments.ts';
import { newApplication } from '../support/new-application.ts';
import { changesOf } from '../support/read-changes.ts';
import type { Key } from '../support/send-request.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { aKey, aSecret } from '../support/view-shapes.ts';

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

async function useOf(key: Key): Promise<unknown> {
  const { status, body } = await service.request(['GET', '/api/service/users/ada/access'], { key });
  return status === 200 ? 200 : body.code;
}

const hour = 3_600_000;

describeAtEachDoor(manage, (ask, door) => {
  const issue = async (appId: string, body?: object): Promise<Key> =>
    (await ask('POST', `/applications/${appId}/keys`, body)).body;
  const rotate = (appId: string, { keyId }: Key, overlap: unknown = 'PT24H') =>
    ask('POST', `/applications/${appId}/keys/${keyId}/rotate`, { overlap });
  const stateOf = async (appId: string, { keyId }: Key) => {
    const { body } = await ask('GET', `/applications/${appId}/keys?limit=100`);
    return body.items.find((one: Key) => one.keyId === keyId);
  };
  const expectEnd = async (appId: string, key: Key, milliseconds: number) => {
    const { expiresAt } = await stateOf(appId, key);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - milliseconds)).toBeLessThan(10_000);
  };

  describe('201', () => {
    test('without overlap, the new key works at once and the old one no longer', async () => {
      const appId = await newApplication();
      const old = await issue(appId);
      const { status, body: rotated } = await rotate(appId, old, 'PT0S');
      expect([status, rotated]).toEqual([201, { ...aKey({}), secret: aSecret }]);
      expect([await useOf(rotated), await useOf(old)]).toEqual([200, 'key_expired']);
      expect(rotated.keyId).not.toBe(old.keyId);
      expect(rotated.secret).not.toBe(old.secret);
    });

    test.each(
      inTurns(door, [
        ['PT24H', 24 * hour],
        ['P1D', 24 * hour],
        ['PT90M', 1.5 * hour],
        ['P1DT12H30M5S', 36.5 * hour + 5000],
        ['P30D', 30 * 24 * hour],
        ['PT720H', 30 * 24 * hour],
        ['PT2592000S', 30 * 24 * hour],
      ]),
    )('with an overlap of %s, both work, and the old one stops after it', async (overlap, milliseconds) => {
      const appId = await newApplication();
      const old = await issue(appId);
      const { body: rotated } = await rotate(appId, old, overlap);
      expect([await useOf(rotated), await useOf(old)]).toEqual([200, 200]);
      await expectEnd(appId, old, milliseconds);
      await alterItem(service, [`APP#${appId}`, 'APP'], ['keys', old.keyId, 'expiresAt'], fromNow(-1));
      expect([await useOf(rotated), await useOf(old)]).toEqual([200, 'key_expired']);
    });

    test('the new key may do what the old one may, and ends when it would have ended', async () => {
      const appId = await newApplication();
      const [allowed, expiresAt] = [['access:read'], fromNow(48 * hour)];
      const old = await issue(appId, { scopes: allowed, expiresAt });
      const { body: rotated } = await rotate(appId, old, 'PT1H');
      expect(rotated).toMatchObject({ scopes: allowed, expiresAt });
      await expectEnd(appId, old, hour);
    });

    test('an overlap gives no key a longer life than it had', async () => {
      const appId = await newApplication();
      const expiresAt = fromNow(hour);
      const old = await issue(appId, { expiresAt });
      expect((await rotate(appId, old, 'P30D')).status).toBe(201);
      expect((await stateOf(appId, old)).expiresAt).toBe(expiresAt);
    });

    test('a second rotation shortens the overlap of the first, and never lengthens it', async () => {
      const appId = await newApplication();
      const old = await issue(appId);
      await rotate(appId, old, 'PT2H');
      const [, { body: second }] = [await expectEnd(appId, old, 2 * hour), await rotate(appId, old, 'PT3H')];
      await expectEnd(appId, old, 2 * hour);
      // The key in overlap has an end of its own by now, and its successor inherits it.
      expect(await useOf(second)).toBe(200);
      await rotate(appId, old, 'PT0S');
      expect([await useOf(old), await useOf(second)]).toEqual(['key_expired', 200]);
    });

    test('a key that was rotated can be rotated on, and each successor outlives the one before', async () => {
      const appId = await newApplication();
      const keys = [await issue(appId)];
      for (let n = 0; n < 3; n++) keys.unshift((await rotate(appId, keys[0] as Key, 'PT0S')).body);
      expect(await Promise.all(keys.map(useOf))).toEqual([200, 'key_expired', 'key_expired', 'key_expired']);
    });

    test('ten keys can be rotated one by one without overlap', async () => {
      const appId = await newApplication();
      const old = await issue(appId);
      for (let n = 0; n < 9; n++) await issue(appId);
      expectProblem(await rotate(appId, old, 'PT1S'), 'too_many_keys');
      const { status, body } = await rotate(appId, old, 'PT0S');
      expect([status, await useOf(body)]).toEqual([201, 200]);
    });
  });

  describe('409', () => {
    test('when there would be eleven keys, and the old one stays as it is', async () => {
      const appId = await newApplication();
      const old = await issue(appId);
      for (let n = 0; n < 9; n++) await issue(appId);
      const answer = await rotate(appId, old);
      expectProblem(answer, 'too_many_keys');
      expect(await changesOf(service, answer)).toEqual([]);
      expect((await stateOf(appId, old)).expiresAt).toBeNull();
    });
  });

  describe('400', () => {
    test.each(
      inTurns(door, [
        ['over 30 days', 'P30DT1S'],
        ['over 30 days in hours', 'PT721H'],
        ['over 30 days in seconds', 'PT2592001S'],
        ['of a year', 'P1Y'],
        ['of a month', 'P1M'],
        ['of a week', 'P1W'],
        ['negative', '-PT1H'],
        ['negative inside', 'PT-1H'],
        ['with a fraction', 'PT1.5H'],
        ['of nothing', 'P'],
        ['of nothing in time', 'PT'],
        ['of a day and nothing in time', 'P1DT'],
        ['out of order', 'PT1S1H'],
        ['in small letters', 'pt24h'],
        ['with a space', 'PT24H '],
        ['with a line break', 'PT24H\n'],
        ['no duration', '24h'],
        ['a word', 'forever'],
        ['empty', ''],
        ['a number', 86_400],
        ['null', null],
        ['a list', ['PT24H']],
      ]),
    )('refuses an overlap that is %s, and rotates nothing', async (_, overlap) => {
      const answer = await rotate('billing', service.billingKey, overlap);
      expectInvalid(answer, '#/overlap');
      expect(await changesOf(service, answer)).toEqual([]);
    });

    test('needs an overlap, and nothing else', async () => {
      const path = `/applications/billing/keys/${service.billingKey.keyId}/rotate`;
      expectInvalid(await ask('POST', path, {}), '#/overlap');
      expectInvalid(await ask('POST', path, { overlap: 'PT1H', scopes: ['access:read'] }), '#/scopes');
      expectInvalid(await ask('POST', path), '#');
    });
  });

  describe('404', () => {
    test('for a key that was revoked, or has expired', async () => {
      const appId = await newApplication();
      const [revoked, expired] = [await issue(appId), await issue(appId)];
      await ask('DELETE', `/applications/${appId}/keys/${revoked.keyId}`);
      await alterItem(service, [`APP#${appId}`, 'APP'], ['keys', expired.keyId, 'expiresAt'], fromNow(-1));
      for (const key of [revoked, expired]) {
        const answer = await rotate(appId, key);
        expectProblem(answer, 'key_not_found');
        expect(await changesOf(service, answer)).toEqual([]);
      }
    });

    test('for a key of another application, which stays as it is', async () => {
      expectProblem(await rotate('wiki', service.billingKey, 'PT0S'), 'key_not_found');
      expect(await useOf(service.billingKey)).toBe(200);
    });
  });
});
