import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { alterItem, removeItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient, operatorAt } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { type ListItem, readPages, withQuery } from '../support/read-pages.ts';
import { fromNow } from '../support/timestamps.ts';

const service = describeService();
const manage = manageClient(() => service);

/** How each user's effective status is decided, by id. */
const users = ['blocked', 'blocked-inactive', 'enabled', 'granted', 'inactive', 'lapsed', 'untouched'] as const;
let appId: string;
beforeAll(async () => {
  appId = await newApplication(['editor']);
  for (const userId of users) await newUser(userId);
  for (const userId of ['blocked', 'blocked-inactive', 'lapsed']) await setStatus(userId, appId, 'disabled');
  await alterItem(service, ['USER#lapsed', `ACCESS#${appId}`], ['until'], fromNow(-1000));
  await setStatus('enabled', appId, 'enabled');
  await grantRole('granted', appId, 'editor');
  for (const userId of ['inactive', 'blocked-inactive']) {
    await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive', reason: 'left' } });
  }
});

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const list = (query: Record<string, string>, limit?: number) =>
    readPages(ask, withQuery(`/applications/${appId}/users`, query), limit);
  /** Returns which of these users are listed; other tests have created more. */
  const listed = async (query: Record<string, string>, limit = 100) =>
    (await list(query, limit))
      .flat()
      .filter(({ userId }) => (users as readonly string[]).includes(userId))
      .map(({ userId, decidedBy }) => `${userId}: ${decidedBy}`);
  const setRollout = (rolloutPercent: number) => ask('PATCH', `/applications/${appId}`, { rolloutPercent });

  const inactive = ['blocked-inactive: user', 'inactive: user'];
  const allowed = ['enabled: explicit', 'granted: default', 'lapsed: lapsed'];

  describe('GET /applications/{appId}/users by effective status', () => {
    describe('with a rollout of 100 %', () => {
      test.each([
        [{ effectiveStatus: 'disabled' }, ['blocked: explicit', ...inactive]],
        [{ effectiveStatus: 'enabled' }, [...allowed, 'untouched: default']],
        [{ effectiveStatus: 'disabled', decidedBy: 'explicit' }, ['blocked: explicit']],
        [{ effectiveStatus: 'enabled', decidedBy: 'explicit' }, ['enabled: explicit']],
        [{ decidedBy: 'explicit' }, ['blocked: explicit', 'enabled: explicit']],
        [{ decidedBy: 'user' }, inactive],
        [{ decidedBy: 'lapsed' }, ['lapsed: lapsed']],
        [{ decidedBy: 'default' }, ['granted: default', 'untouched: default']],
        [{ decidedBy: 'rollout' }, []],
        [{ effectiveStatus: 'enabled', decidedBy: 'user' }, []],
      ])('lists by %j exactly the matching users, in pages of any size', async (query, expected) => {
        for (const limit of inTurns(entryPoint, [1, 2, 3, 100])) expect(await listed(query, limit)).toEqual(expected);
      });
    });

    describe('with a rollout of 0 %', () => {
      beforeAll(async () => void (await setRollout(0)));
      afterAll(async () => void (await setRollout(100)));

      test.each([
        [
          { effectiveStatus: 'disabled' },
          ['blocked: explicit', 'blocked-inactive: user', 'granted: rollout', 'inactive: user', 'untouched: rollout'],
        ],
        [{ effectiveStatus: 'enabled' }, ['enabled: explicit', 'lapsed: lapsed']],
        [{ decidedBy: 'rollout' }, ['granted: rollout', 'untouched: rollout']],
        [{ effectiveStatus: 'disabled', decidedBy: 'user' }, inactive],
      ])('lists by %j exactly the matching users, in pages of any size', async (query, expected) => {
        for (const limit of inTurns(entryPoint, [1, 2, 3, 100])) expect(await listed(query, limit)).toEqual(expected);
      });
    });

    test('shows each user, and who set what, when and why', async () => {
      const [userId, app] = [await newUser(), await newApplication()];
      await ask('PATCH', `/users/${userId}`, { displayName: 'Ada King', email: 'ada@example.com' });
      const path = `/users/${userId}/access/${app}`;
      const { body: blocked } = await ask('PUT', path, { status: 'disabled', reason: 'unpaid' });
      const row = async (query: object) => {
        const [items = []] = await readPages(ask, withQuery(`/applications/${app}/users`, { ...query }));
        return items.find((item: ListItem) => item.userId === userId);
      };
      const caller = operatorAt[entryPoint];
      const setBy = {
        changeId: blocked.changeId,
        at: blocked.updatedAt,
        caller,
        reason: 'unpaid',
        ticket: null,
        bulkId: null,
      };
      const names = { displayName: 'Ada King', email: 'ada@example.com' };
      const expected = { ...names, reason: 'unpaid', statusSetBy: setBy, userStatusSetBy: null };
      expect(await row({ effectiveStatus: 'disabled' })).toMatchObject(expected);
      expect(await row({})).toMatchObject(expected);

      const { body: left } = await ask('PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'left' });
      const leftBy = {
        changeId: left.changeId,
        at: left.updatedAt,
        caller,
        reason: 'left',
        ticket: null,
        bulkId: null,
      };
      expect(await row({ decidedBy: 'user' })).toMatchObject({ statusSetBy: setBy, userStatusSetBy: leftBy });
      expect((await ask('GET', `/users/${userId}`)).body.statusSetBy).toEqual(leftBy);

      const { body: cards } = await ask('GET', `/users/${userId}/access?limit=100`);
      expect(cards.items.find((item: ListItem) => item.appId === app).statusSetBy).toEqual(setBy);
      expect(cards.items.find((item: ListItem) => item.appId === 'billing').statusSetBy).toBeNull();
    });

    once('names no operator if the change is no longer kept, or for a status that was undone', async () => {
      const [userId, app] = [await newUser(), await newApplication()];
      const { body } = await ask('PUT', `/users/${userId}/access/${app}`, { status: 'disabled' });
      const card = async () => {
        const { body: cards } = await ask('GET', `/users/${userId}/access?limit=100`);
        return cards.items.find((item: ListItem) => item.appId === app).statusSetBy;
      };
      const { body: undone } = await ask('POST', `/users/${userId}/changes/${body.changeId}/undo`);
      expect(await card()).toBeNull();
      const { body: again } = await ask('POST', `/users/${userId}/changes/${undone.changeId}/undo`);
      expect((await card()).changeId).toBe(again.changeId);
      await removeItem(service, [`USER#${userId}`, `CHANGE#${again.changeId}`]);
      expect(await card()).toEqual({
        changeId: again.changeId,
        at: expect.any(String),
        caller: null,
        reason: null,
        ticket: null,
        bulkId: null,
      });
    });

    once('does not show operators to an application', async () => {
      const userId = await newUser();
      await ask('PUT', `/users/${userId}/access/billing`, { status: 'disabled' });
      const { body } = await service.request(['GET', `/api/service/users/${userId}/access`]);
      expect(Object.keys(body)).not.toContain('statusSetBy');
      expect(JSON.stringify(body)).not.toContain('operator');
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          ['effectiveStatus', 'active'],
          ['effectiveStatus', ''],
          ['decidedBy', 'inactive'],
          ['decidedBy', 'Explicit'],
        ]),
      )('refuses %s=%s', async (name, value) => {
        expectInvalid(await ask('GET', withQuery(`/applications/${appId}/users`, { [name]: value })), `query:${name}`);
      });

      once('refuses to combine status and effective status', async () => {
        const query = { status: 'disabled', effectiveStatus: 'disabled' };
        expectInvalid(await ask('GET', withQuery(`/applications/${appId}/users`, query)), 'query:status');
      });

      once('refuses a cursor of another filter, of another part of the filter and of no filter', async () => {
        const path = (query: Record<string, string>) => withQuery(`/applications/${appId}/users`, query);
        const { body } = await ask('GET', path({ effectiveStatus: 'enabled', limit: '1' }));
        for (const cursor of [body.cursor, body.cursor.replace('all', 'own'), 'x', 'all.x', 'toString.']) {
          expectInvalid(await ask('GET', path({ decidedBy: 'explicit', cursor })), 'query:cursor');
        }
      });
    });
  });

  once('the history of a user can be filtered by application', async () => {
    const userId = await newUser();
    for (const app of ['billing', 'wiki', 'billing']) {
      await ask('PUT', `/users/${userId}/access/${app}`, { status: 'disabled', reason: crypto.randomUUID() });
    }
    const pages = await readPages(ask, withQuery(`/users/${userId}/changes`, { appId: 'billing' }), 1);
    expect(pages.flat().map(({ appId: app }) => app)).toEqual(['billing', 'billing']);
    expectInvalid(await ask('GET', `/users/${userId}/changes?appId=Billing`), 'query:appId');
  });
});
