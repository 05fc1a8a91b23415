import { beforeAll, describe, expect, test } from '@jest/globals';
import { awkwardUserIds } from '../support/awkward-user-ids.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient, operatorAt } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { type ListItem, readPages } from '../support/read-pages.ts';
import { fromNow } from '../support/timestamps.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();
const manage = manageClient(() => service);
beforeAll(async () => {
  for (const id of hundred) await newUser(id);
});

const hundred = Array.from({ length: 100 }, (_, n) => `${n}-`.padEnd(128, 'x'));
const changed = (userId: string) => ({ userId, outcome: 'changed' });
const unchanged = (userId: string) => ({ userId, outcome: 'unchanged' });
const failed = (userId: string, code: string) => ({
  userId,
  outcome: 'failed',
  problem: { code, detail: expect.stringMatching(/./) },
});

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const set = (appId: string, userIds: unknown, setting: object = { status: 'disabled' }) =>
    ask('POST', `/applications/${appId}/access`, { userIds, ...setting });

  describe('200', () => {
    test('sets the access of a hundred users with the longest ids, each with a record and an outcome in request order', async () => {
      const appId = await newApplication();
      const shuffled = hundred.toSorted((one, other) => (one.slice(1) < other.slice(1) ? 1 : -1));
      const answer = await set(appId, shuffled, { status: 'disabled', reason: 'unpaid' });
      expect([answer.status, answer.body]).toEqual([200, { items: shuffled.map(changed) }]);
      const records = await changesOf(service, answer);
      expect(records.map(({ userId }) => userId).sort()).toEqual(hundred.toSorted());
      for (const record of records) {
        expect(record).toMatchObject({
          action: 'access.changed',
          appId,
          reason: 'unpaid',
          caller: operatorAt[entryPoint],
        });
      }
      const listed = (await readPages(ask, `/applications/${appId}/users?status=disabled`)).flat();
      expect(listed.map(({ userId }: ListItem) => userId)).toEqual(hundred.toSorted());
      const again = await set(appId, shuffled, { status: 'disabled', reason: 'unpaid' });
      expect([again.body, await changesOf(service, again)]).toEqual([{ items: shuffled.map(unchanged) }, []]);
    });

    once('sets in bulk the same as individual requests, including an expiry, and keeps the roles', async () => {
      const appId = await newApplication(['editor']);
      const [one = '', other = ''] = await newUsers(2);
      await grantRole(one, appId, 'editor');
      await grantRole(other, appId, 'editor');
      const setting = { status: 'disabled', reason: 'unpaid', until: fromNow(60_000) };
      const { body: expected } = await ask('PUT', `/users/${one}/access/${appId}`, setting);
      expect((await set(appId, [other], setting)).body).toEqual({ items: [changed(other)] });
      const [, access] = (await readPages(ask, `/applications/${appId}/users`)).flat();
      const { changed: _, changeId: __, ...rest } = expected;
      expect(access).toMatchObject({ ...rest, userId: other, updatedAt: access.updatedAt });
    });

    once('in bulk, only unknown users and invalid ids fail', async () => {
      const [first = '', same = '', last = ''] = await newUsers(3);
      const appId = await newApplication();
      await setStatus(same, appId, 'disabled');
      const malformed = ['', '.', '..', 'a b', 'a#b', 'ä', 'x'.repeat(129), '{}', 'line\n'];
      const userIds = [first, 'nobody', ...malformed, same, 'constructor', last];
      const { status, body } = await set(appId, userIds, { status: 'disabled', reason: 'a reason' });
      expect([status, body.items]).toEqual([
        200,
        [
          changed(first),
          failed('nobody', 'user_not_found'),
          ...malformed.map((userId) => failed(userId, 'invalid_request')),
          unchanged(same),
          failed('constructor', 'user_not_found'),
          changed(last),
        ],
      ]);
    });

    once('sets in bulk the access of users with unusual ids, and of inactive users, who stay disabled', async () => {
      const appId = await newApplication();
      const [inactive = ''] = await newUsers(1);
      await ask('PUT', `/users/${inactive}/status`, { status: 'inactive' });
      const userIds = [...awkwardUserIds, inactive];
      expect((await set(appId, userIds, { status: 'enabled' })).body.items).toEqual(userIds.map(changed));
      const listed = (await readPages(ask, `/applications/${appId}/users?status=enabled`)).flat();
      expect(listed.map(({ userId }: ListItem) => userId)).toEqual(userIds.toSorted());
      expect(listed.find(({ userId }: ListItem) => userId === inactive).effectiveStatus).toBe('disabled');
    });

    once('two concurrent bulk requests for the same users both change every user', async () => {
      const appId = await newApplication();
      const userIds = await newUsers(20);
      const answers = await Promise.all([
        set(appId, userIds, { status: 'disabled', reason: 'one' }),
        set(appId, userIds.toReversed(), { status: 'disabled', reason: 'other' }),
      ]);
      for (const { body } of answers) {
        expect(body.items.map(({ outcome }: ListItem) => outcome)).toEqual(Array(20).fill('changed'));
      }
      const listed = (await readPages(ask, `/applications/${appId}/users`)).flat();
      expect(listed.map(({ version }: ListItem) => version)).toEqual(Array(20).fill(2));
    });
  });

  describe('400, and no access is changed', () => {
    writeNothing(() => service);

    test.each(
      inTurns(entryPoint, [
        ['an empty list', [], '#/userIds'],
        ['101', [...hundred, 'ada'].map((_, n) => `${n}`), '#/userIds'],
        ['repeated', ['ada', 'grace', 'ada'], '#/userIds'],
        ['not a list', 'ada', '#/userIds'],
        ['null', null, '#/userIds'],
        ['numbers', ['ada', 1], '#/userIds/1'],
        ['objects', [{ userId: 'ada' }], '#/userIds/0'],
        ['absent', undefined, '#/userIds'],
      ]),
    )('refuses a bulk request whose user ids are %s', async (_, userIds, pointer) => {
      expectInvalid(await set('wiki', userIds), pointer);
    });

    test.each(
      inTurns(entryPoint, [
        ['an expiry for the status enabled', { status: 'enabled', until: fromNow(60_000) }, '#/until'],
        ['no status', {}, '#/status'],
        ['an unknown status', { status: 'inactive' }, '#/status'],
        ['a reason of 257 characters', { status: 'disabled', reason: 'x'.repeat(257) }, '#/reason'],
        ['a role', { status: 'disabled', role: 'editor' }, '#/role'],
      ]),
    )('refuses in bulk %s', async (_, setting, pointer) => {
      expectInvalid(await set('wiki', ['ada', 'grace'], setting), pointer);
    });
  });

  once('answers 404 to a bulk request for an unknown application', async () => {
    expectProblem(await set('nothing', ['ada']), 'application_not_found');
  });
});
