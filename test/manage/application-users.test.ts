import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeAtEachDoor, inTurns } from '../support/at-each-door.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { fromNow } from '../support/moments.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { type ListItem, readPages, withQuery } from '../support/read-pages.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { aMoment, anAccess } from '../support/view-shapes.ts';

let service: TestService;
const manage = manageClient(() => service);

/** In an application: two blocked, one whose block has lapsed, one enabled explicitly, two with roles, and an inactive one. */
const appId = 'inhabited';
beforeAll(async () => {
  service = await startBundles();
  await newApplication(['editor'], appId);
  for (const id of ['b-blocked', 'a-blocked', 'lapsed', 'enabled', 'z-editor', 'editor', 'inactive', 'ended', 'left']) {
    await newUser(id);
  }
  for (const id of ['b-blocked', 'a-blocked', 'lapsed', 'inactive']) await setStatus(id, appId, 'disabled');
  await setStatus('enabled', appId, 'enabled');
  for (const id of ['z-editor', 'editor', 'b-blocked', 'left']) await grantRole(id, appId, 'editor');
  await grantRole('ended', appId, 'editor', fromNow(60_000));
  await alterItem(service, ['USER#ended', `ACCESS#${appId}`], ['roles', 'editor', 'expiresAt'], fromNow(-1000));
  await alterItem(service, ['USER#lapsed', `ACCESS#${appId}`], ['until'], fromNow(-1000));
  await manage('iam', 'DELETE', `/users/left/roles/${appId}/editor`);
  await manage('iam', 'PUT', '/users/inactive/status', { body: { status: 'inactive' } });
});
afterAll(() => service.stop());

const disabled = ['a-blocked', 'b-blocked', 'inactive', 'lapsed'];
const enabled = ['editor', 'enabled', 'z-editor'];

describeAtEachDoor(manage, (ask, door) => {
  const listed = async (query: Record<string, string>, limit = 100): Promise<string[]> =>
    (await readPages(ask, withQuery(`/applications/${appId}/users`, query), limit)).flat().map(({ userId }) => userId);

  describe('200', () => {
    test.each(inTurns(door, [1, 2, 3, 7, 100]))(
      'in pages of %s, lists who has explicit access or a role, and nobody whom nobody touched or for whom all has ended',
      async (limit) => {
        expect(await listed({}, limit)).toEqual([...disabled, ...enabled]);
      },
    );

    test.each([
      ['disabled', disabled],
      ['enabled', enabled],
    ])('with the status %s, lists exactly those', async (status, expected) => {
      for (const limit of [1, 3, 100]) expect(await listed({ status }, limit)).toEqual(expected);
    });

    test('says of each what holds now, as every other answer does', async () => {
      const [items = []] = await readPages(ask, `/applications/${appId}/users`);
      const of = (userId: string): ListItem => items.find((item) => item.userId === userId);
      const written = { updatedAt: aMoment, version: 1 };
      const blocked = { status: 'disabled', explicit: true, reason: 'a reason' };
      expect(of('a-blocked')).toEqual(
        anAccess({
          appId,
          userId: 'a-blocked',
          ...blocked,
          effectiveStatus: 'disabled',
          decidedBy: 'explicit',
          ...written,
        }),
      );
      expect(of('lapsed')).toMatchObject({ status: 'disabled', effectiveStatus: 'enabled', decidedBy: 'lapsed' });
      expect(of('inactive')).toMatchObject({ userStatus: 'inactive', effectiveStatus: 'disabled', decidedBy: 'user' });
      expect(of('editor')).toMatchObject({ explicit: false, roles: [{ name: 'editor', expiresAt: null }] });
      for (const item of items) {
        const { body } = await ask('GET', `/users/${item.userId}/access?limit=100`);
        const { appName: _, ...same } = body.items.find((one: ListItem) => one.appId === appId);
        expect(item).toEqual(same);
      }
    });

    test('follows every change at once', async () => {
      const [userId, other] = [await newUser(), await newApplication(['editor'])];
      const listedIn = async () =>
        (await readPages(ask, `/applications/${other}/users`)).flat().map((item) => [item.userId, item.status]);
      await ask('PUT', `/users/${userId}/roles/${other}/editor`);
      expect(await listedIn()).toEqual([[userId, 'enabled']]);
      await ask('PUT', `/users/${userId}/access/${other}`, { status: 'disabled' });
      expect(await listedIn()).toEqual([[userId, 'disabled']]);
      await ask('DELETE', `/users/${userId}/roles/${other}/editor`);
      await ask('PUT', `/users/${userId}/access/${other}`, { status: 'enabled' });
      expect(await listedIn()).toEqual([[userId, 'enabled']]);
      await ask('DELETE', `/users/${userId}`);
      expect(await listedIn()).toEqual([]);
    });
  });

  test.each(inTurns(door, ['active', 'DISABLED', '', 'lapsed']))('400: there is no status "%s"', async (status) => {
    expectInvalid(await ask('GET', withQuery(`/applications/${appId}/users`, { status })), 'query:status');
  });
});
