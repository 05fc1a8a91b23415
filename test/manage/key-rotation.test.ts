import { describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { keyRequests } from '../support/key-requests.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { changesOf } from '../support/read-changes.ts';
import type { Key } from '../support/send-request.ts';
import { fromNow } from '../support/timestamps.ts';
import { aKey, aSecret, aTimestamp } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

const hour = 3_600_000;

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const { issue, rotate, useOf, alterKey } = keyRequests(() => service, ask);

  describe('POST /applications/{appId}/keys/{keyId}/rotate', () => {
    const stateOf = async (appId: string, { keyId }: Key) => {
      const { body } = await ask('GET', `/applications/${appId}/keys?limit=100`);
      return body.items.find((one: Key) => one.keyId === keyId);
    };
    const expectEnd = async (appId: string, key: Key, milliseconds: number) => {
      const { expiresAt } = await stateOf(appId, key);
      expect(Math.abs(Date.parse(expiresAt) - Date.now() - milliseconds)).toBeLessThan(10_000);
    };
    /** Lets the first 40 hours of a key's 48 pass. */
    const age = async (appId: string, { keyId }: Key) => {
      await alterKey(appId, keyId, 'createdAt', fromNow(-40 * hour));
      await alterKey(appId, keyId, 'expiresAt', fromNow(8 * hour));
    };

    describe('201', () => {
      once('after rotating without overlap, the new key works and the old one does not', async () => {
        const appId = await newApplication();
        const old = await issue(appId);
        const { status, body: rotated } = await rotate(appId, old, 'PT0S');
        expect([status, rotated]).toEqual([201, { ...aKey({ replaces: old.keyId }), secret: aSecret }]);
        expect([await useOf(rotated), await useOf(old)]).toEqual([200, 'key_expired']);
        expect(rotated.keyId).not.toBe(old.keyId);
        expect(rotated.secret).not.toBe(old.secret);
      });

      test.each(
        inTurns(entryPoint, [
          ['PT24H', 24 * hour],
          ['P1D', 24 * hour],
          ['PT90M', 1.5 * hour],
          ['P1DT12H30M5S', 36.5 * hour + 5000],
          ['P30D', 30 * 24 * hour],
          ['PT720H', 30 * 24 * hour],
          ['PT2592000S', 30 * 24 * hour],
        ]),
      )(
        'after rotating with an overlap of %s, both keys work until the old one expires',
        async (overlap, milliseconds) => {
          const appId = await newApplication();
          const old = await issue(appId);
          const { body: rotated } = await rotate(appId, old, overlap);
          expect([await useOf(rotated), await useOf(old)]).toEqual([200, 200]);
          await expectEnd(appId, old, milliseconds);
          await alterKey(appId, old.keyId, 'expiresAt', fromNow(-1));
          expect([await useOf(rotated), await useOf(old)]).toEqual([200, 'key_expired']);
        },
      );

      once('rotating gives the new key the scopes and the lifetime of the old one', async () => {
        const appId = await newApplication();
        const old = await issue(appId, { scopes: ['access:read'], expiresAt: fromNow(48 * hour) });
        await age(appId, old);
        const { body: rotated } = await rotate(appId, old, 'PT1H');
        expect(rotated).toMatchObject({ scopes: ['access:read'], expiresAt: aTimestamp });
        await expectEnd(appId, rotated, 48 * hour);
        await expectEnd(appId, old, hour);
      });

      once('a key keeps its lifetime over many rotations, even if an overlap has shortened its own', async () => {
        const appId = await newApplication();
        const first = await issue(appId, { expiresAt: fromNow(48 * hour) });
        const { body: second } = await rotate(appId, first, 'PT1H');
        await age(appId, second);
        for (const key of [first, second, (await rotate(appId, second, 'PT1M')).body]) {
          await expectEnd(appId, (await rotate(appId, key, 'PT1M')).body, 48 * hour);
        }
      });

      once('the successors of a key without expiry have none, even after its overlap', async () => {
        const appId = await newApplication();
        const first = await issue(appId);
        const { body: second } = await rotate(appId, first, 'PT1H');
        const { body: third } = await rotate(appId, first, 'PT1M');
        expect([second.expiresAt, third.expiresAt]).toEqual([null, null]);
      });

      once('rotating with an expiry gives the new key and its successors that lifetime', async () => {
        const appId = await newApplication();
        const first = await issue(appId, { expiresAt: fromNow(48 * hour) });
        const expiresAt = fromNow(12 * hour);
        const { body: second } = await rotate(appId, first, 'PT1M', { expiresAt });
        expect(second.expiresAt).toBe(expiresAt);
        await expectEnd(appId, (await rotate(appId, second, 'PT1M')).body, 12 * hour);
        const { body: endless } = await rotate(appId, second, 'PT1M', { expiresAt: null });
        expect([endless.expiresAt, (await rotate(appId, endless, 'PT1M')).body.expiresAt]).toEqual([null, null]);
      });

      once('an overlap never extends the life of the old key', async () => {
        const appId = await newApplication();
        const expiresAt = fromNow(hour);
        const old = await issue(appId, { expiresAt });
        expect((await rotate(appId, old, 'P30D')).status).toBe(201);
        expect((await stateOf(appId, old)).expiresAt).toBe(expiresAt);
      });

      once('a second rotation shortens the overlap of the first, and never lengthens it', async () => {
        const appId = await newApplication();
        const old = await issue(appId);
        await rotate(appId, old, 'PT2H');
        const [, { body: second }] = [await expectEnd(appId, old, 2 * hour), await rotate(appId, old, 'PT3H')];
        await expectEnd(appId, old, 2 * hour);
        expect(await useOf(second)).toBe(200);
        await rotate(appId, old, 'PT0S');
        expect([await useOf(old), await useOf(second)]).toEqual(['key_expired', 200]);
      });

      once('the successor of a rotated key can be rotated repeatedly', async () => {
        const appId = await newApplication();
        const keys = [await issue(appId)];
        for (let n = 0; n < 3; n++) keys.unshift((await rotate(appId, keys[0] as Key, 'PT0S')).body);
        expect(await Promise.all(keys.map(useOf))).toEqual([200, 'key_expired', 'key_expired', 'key_expired']);
      });

      once('one of ten keys can be rotated, but only without overlap', async () => {
        const appId = await newApplication();
        const old = await issue(appId);
        for (let n = 0; n < 9; n++) await issue(appId);
        expectProblem(await rotate(appId, old, 'PT1S'), 'too_many_keys');
        const { status, body } = await rotate(appId, old, 'PT0S');
        expect([status, await useOf(body)]).toEqual([201, 200]);
      });
    });

    describe('409', () => {
      once('refuses to rotate if there would be eleven keys, and leaves the old one unchanged', async () => {
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
        inTurns(entryPoint, [
          ['over 30 days', 'P30DT1S'],
          ['over 30 days in hours', 'PT721H'],
          ['over 30 days in seconds', 'PT2592001S'],
          ['of a year', 'P1Y'],
          ['of a month', 'P1M'],
          ['of a week', 'P1W'],
          ['negative', '-PT1H'],
          ['negative inside', 'PT-1H'],
          ['with a fraction', 'PT1.5H'],
          ['empty', 'P'],
          ['with an empty time part', 'PT'],
          ['of a day with an empty time part', 'P1DT'],
          ['out of order', 'PT1S1H'],
          ['in small letters', 'pt24h'],
          ['with a space', 'PT24H '],
          ['with a line break', 'PT24H\n'],
          ['not a duration', '24h'],
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

      once('rotating requires an overlap, and accepts no other field', async () => {
        const path = `/applications/billing/keys/${service.billingKey.keyId}/rotate`;
        expectInvalid(await ask('POST', path, {}), '#/overlap');
        expectInvalid(await ask('POST', path, { overlap: 'PT1H', scopes: ['access:read'] }), '#/scopes');
        expectInvalid(await ask('POST', path), '#');
      });
    });

    describe('404', () => {
      once('refuses to rotate a key that was revoked or has expired', async () => {
        const appId = await newApplication();
        const [revoked, expired] = [await issue(appId), await issue(appId)];
        await ask('DELETE', `/applications/${appId}/keys/${revoked.keyId}`);
        await alterKey(appId, expired.keyId, 'expiresAt', fromNow(-1));
        for (const key of [revoked, expired]) {
          const answer = await rotate(appId, key);
          expectProblem(answer, 'key_not_found');
          expect(await changesOf(service, answer)).toEqual([]);
        }
      });

      once('does not rotate a key of another application', async () => {
        expectProblem(await rotate('wiki', service.billingKey, 'PT0S'), 'key_not_found');
        expect(await useOf(service.billingKey)).toBe(200);
      });
    });
  });
});
