import { beforeAll, describe, expect, test } from '@jest/globals';
import { removeItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { type Ask, describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { manageClient, operatorAt } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { type ListItem, readPages, withQuery } from '../support/read-pages.ts';
import { withoutKeys } from '../support/stored-items.ts';
import { anIntegrity } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

/** Reads the whole history of an application, forward in pages, with the cursor after its end. */
async function readForward(ask: Ask, appId: string, limit: number, from = '') {
  const changes: ListItem[] = [];
  let cursor: string | null = from;
  for (let page = 0; page < 100; page++) {
    const { status, body } = await ask(
      'GET',
      withQuery(`/applications/${appId}/changes`, { after: cursor ?? '', limit: `${limit}` }),
    );
    expect([status, body.items.length <= limit]).toEqual([200, true]);
    cursor = body.cursor;
    if (body.items.length === 0) return { changes, cursor: cursor ?? '' };
    changes.push(...body.items);
  }
  throw new Error('The history has no end');
}

const idsOf = (changes: readonly ListItem[]) => changes.map(({ id }) => id);

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  /** Creates a user with a history in two applications: created, disabled, assigned a role, renamed, enabled. */
  async function newHistory() {
    const [appId, other, userId] = [await newApplication(['editor']), await newApplication(), await newUser()];
    await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', reason: 'unpaid' });
    await ask('PUT', `/users/${userId}/roles/${appId}/editor`);
    await ask('PATCH', `/users/${userId}`, { displayName: 'Ada' });
    await ask('PUT', `/users/${userId}/access/${other}`, { status: 'disabled' });
    await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'enabled' });
    return { appId, other, userId };
  }

  let untouched: Awaited<ReturnType<typeof newHistory>>;
  beforeAll(async () => {
    untouched = await newHistory();
  });

  once('every history says of each change whether it can be undone', async () => {
    const { appId, userId } = untouched;
    for (const path of [`/users/${userId}/changes`, `/applications/${appId}/changes`, `/changes?userId=${userId}`]) {
      const { body } = await ask('GET', path);
      const undoOf = (action: string) => body.items.find((change: ListItem) => change.action === action)?.undo;
      expect([path, undoOf('access.changed')]).toEqual([path, 'possible']);
      const other = path.startsWith('/applications') ? 'application.created' : 'user.updated';
      expect([path, undoOf(other)]).toEqual([path, 'not_undoable']);
    }
  });

  describe('GET /users/{userId}/changes', () => {
    once('lists all changes of a user, in every application, newest first', async () => {
      const { appId, other, userId } = untouched;
      const { body } = await ask('GET', `/users/${userId}/changes`);
      expect(body.cursor).toBeNull();
      expect(body.items.map((change: ListItem) => [change.action, change.appId])).toEqual([
        ['access.changed', appId],
        ['access.changed', other],
        ['user.updated', undefined],
        ['role.assigned', appId],
        ['access.changed', appId],
        ['user.created', undefined],
      ]);
    });

    test('shows each change of a user as recorded, without internal attributes', async () => {
      const { appId, userId } = await newHistory();
      const answer = await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', reason: 'again' });
      const [stored = {}] = await changesOf(service, answer);
      const change = withoutKeys(stored);
      const { body } = await ask('GET', `/users/${userId}/changes?limit=1`);
      expect(body.items).toEqual([{ ...change, undo: 'possible' }]);
      expect(change).toEqual({
        id: expect.any(String),
        at: answer.body.updatedAt,
        action: 'access.changed',
        appId,
        userId,
        caller: operatorAt[entryPoint],
        requestId: expect.any(String),
        sourceIp: '127.0.0.1',
        before: { status: 'enabled', explicit: true, until: null, reason: null, version: 3 },
        after: { status: 'disabled', explicit: true, until: null, reason: 'again', version: 4 },
        reason: 'again',
        integrity: anIntegrity,
      });
    });

    test.each(inTurns(entryPoint, [1, 2, 5, 6]))(
      'lists the changes of a user, identical in pages of %s',
      async (limit) => {
        const { userId } = untouched;
        const [all = []] = await readPages(ask, `/users/${userId}/changes`);
        expect((await readPages(ask, `/users/${userId}/changes`, limit)).flat()).toEqual(all);
      },
    );

    once('names the application whose key made a change', async () => {
      const userId = await newUser();
      await service.request(['PUT', `/api/service/users/${userId}/access`], { body: { status: 'disabled' } });
      const { body } = await ask('GET', `/users/${userId}/changes?limit=1`);
      const caller = { kind: 'api-key', appId: 'billing', keyId: service.billingKey.keyId };
      expect(body.items).toMatchObject([{ action: 'access.changed', caller }]);
    });

    test('lists no changes of another user whose id has the same prefix', async () => {
      const userId = await newUser(`alike-${entryPoint}`);
      await newUser(`alike-${entryPoint}-2`);
      const { body } = await ask('GET', `/users/${userId}/changes`);
      expect(body.items).toMatchObject([{ action: 'user.created', userId }]);
    });
  });

  describe('GET /applications/{appId}/changes', () => {
    once('lists all changes of an application, its keys, roles and users, newest first', async () => {
      const { appId, other, userId } = await newHistory();
      const { body: key } = await ask('POST', `/applications/${appId}/keys`);
      const { body: rotated } = await ask('POST', `/applications/${appId}/keys/${key.keyId}/rotate`, {
        overlap: 'PT1H',
      });
      await ask('DELETE', `/applications/${appId}/keys/${key.keyId}`);
      await ask('DELETE', `/applications/${appId}/roles/editor?force=true`);
      await ask('PATCH', `/applications/${appId}`, { name: 'Renamed' });
      const { body } = await ask('GET', `/applications/${appId}/changes?limit=100`);
      expect(body.cursor).toBeNull();
      expect(body.items.map(({ action, userId: of, role, keyId }: ListItem) => [action, of ?? role ?? keyId])).toEqual([
        ['application.updated', undefined],
        ['role.revoked', userId],
        ['role.deleted', 'editor'],
        ['key.revoked', key.keyId],
        ['key.rotated', rotated.keyId],
        ['key.issued', key.keyId],
        ['access.changed', userId],
        ['role.assigned', userId],
        ['access.changed', userId],
        ['role.defined', 'editor'],
        ['application.created', undefined],
      ]);
      const { body: ofTheOther } = await ask('GET', `/applications/${other}/changes`);
      expect(ofTheOther.items.map(({ action }: ListItem) => action)).toEqual(['access.changed', 'application.created']);
    });

    test.each(inTurns(entryPoint, [1, 2, 5]))(
      'lists the changes of an application, identical in pages of %s',
      async (limit) => {
        const { appId } = untouched;
        const path = `/applications/${appId}/changes`;
        const [all = []] = await readPages(ask, path);
        expect(all.filter((change) => change.appId === appId)).toHaveLength(5);
        expect((await readPages(ask, path, limit)).flat()).toEqual(all);
      },
    );

    once('keeps only the erasure of an erased user in the history of an application', async () => {
      const { appId, userId } = await newHistory();
      await ask('DELETE', `/users/${userId}`);
      const { body } = await ask('GET', `/applications/${appId}/changes`);
      expect(body.items.map(({ action }: ListItem) => action)).toEqual([
        'user.deleted',
        'role.defined',
        'application.created',
      ]);
    });

    test('includes changes of users in every application, since the application was created', async () => {
      const [userId, erased] = [await newUser(), await newUser()];
      await ask('PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'before' });
      const appId = await newApplication();
      await ask('PUT', `/users/${userId}/status`, { status: 'active', reason: 'back' });
      await ask('PATCH', `/users/${userId}`, { displayName: 'Private' });
      await ask('DELETE', `/users/${erased}`);
      await ask('PUT', `/users/${erased}`);
      const { body } = await ask('GET', `/applications/${appId}/changes`);
      expect(body.items.map(({ action, userId: of, reason }: ListItem) => [action, of, reason])).toEqual([
        ['user.created', erased, null],
        ['user.deleted', erased, null],
        ['user.status.changed', userId, 'back'],
        ['application.created', undefined, null],
      ]);
      expect(body.items[2].caller).toEqual(operatorAt[entryPoint]);
    });
  });

  describe('GET /applications/{appId}/changes?after=', () => {
    test.each(inTurns(entryPoint, [1, 2, 5, 100]))(
      'reads the history of an application forward in pages of %s, each change once, oldest first',
      async (limit) => {
        const { appId } = untouched;
        const [backward = []] = await readPages(ask, `/applications/${appId}/changes`);
        const { changes } = await readForward(ask, appId, limit);
        expect(changes).toEqual(backward.toReversed());
        expect(backward.length).toBeGreaterThanOrEqual(5);
      },
    );

    once('continues the history of an application after a cursor, without earlier changes', async () => {
      const { appId } = untouched;
      const { changes: all } = await readForward(ask, appId, 100);
      const path = `/applications/${appId}/changes?limit=2&after=`;
      const { body: first } = await ask('GET', path);
      expect(idsOf(first.items)).toEqual(idsOf(all.slice(0, 2)));
      const { changes } = await readForward(ask, appId, 2, first.cursor);
      expect(idsOf(changes)).toEqual(idsOf(all.slice(2)));
    });

    once('the cursor of an empty page of changes leads to each later change exactly once', async () => {
      const { appId, userId } = await newHistory();
      let { cursor } = await readForward(ask, appId, 2);
      for (const status of ['disabled', 'enabled', 'disabled']) {
        const empty = await ask('GET', withQuery(`/applications/${appId}/changes`, { after: cursor }));
        expect(empty.body).toEqual({ items: [], cursor });
        const answer = await ask('PUT', `/users/${userId}/access/${appId}`, { status });
        const later = await readForward(ask, appId, 2, cursor);
        expect(idsOf(later.changes)).toEqual(idsOf(await changesOf(service, answer)));
        expect(later.cursor).not.toBe(cursor);
        cursor = later.cursor;
      }
    });

    once('a full page that ends with the last change has a cursor that leads to later changes', async () => {
      const { appId, userId } = await newHistory();
      const { body: full } = await ask('GET', `/applications/${appId}/changes?limit=5&after=`);
      expect([full.items.length, typeof full.cursor]).toEqual([5, 'string']);
      const answer = await ask('DELETE', `/users/${userId}/roles/${appId}/editor`);
      const { changes } = await readForward(ask, appId, 5, full.cursor);
      expect(idsOf(changes)).toEqual(idsOf(await changesOf(service, answer)));
    });

    once('a cursor works even if its change has left the table', async () => {
      const { appId } = await newHistory();
      const { changes: all } = await readForward(ask, appId, 100);
      const { body: first } = await ask('GET', `/applications/${appId}/changes?limit=1&after=`);
      await removeItem(service, [`APP#${appId}`, `CHANGE#${first.items[0].id}`]);
      const { changes } = await readForward(ask, appId, 2, first.cursor);
      expect(idsOf(changes)).toEqual(idsOf(all.slice(1)));
    });

    once('lists changes of the same time once each', async () => {
      const appId = await newApplication();
      const userIds = await newUsers(30);
      await ask('POST', `/applications/${appId}/access`, { userIds, status: 'disabled' });
      const { changes } = await readForward(ask, appId, 2);
      expect(
        changes
          .slice(1)
          .map(({ userId }) => userId)
          .sort(),
      ).toEqual(userIds.toSorted());
      expect(idsOf(changes)).toEqual([...new Set(idsOf(changes))].sort());
    });
  });
});
