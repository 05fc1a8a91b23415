import { describe, expect, test } from '@jest/globals';
import { change, replicasOnStub, start, statusChange } from './replica-on-stub.ts';
import { accessEntry, pass, stubPage } from './replica-service.ts';
import { ulid } from './replica-world.ts';
import type { WatchedReplica } from './watch-replica.ts';

const it = replicasOnStub();

describe('changes out of order', () => {
  const role = (granted: boolean) =>
    change(granted ? 'role.assigned' : 'role.revoked', {
      userId: 'zoe',
      role: 'editor',
      after: { granted, expiresAt: null },
    });
  const userStatus = (status: string) => change('user.status.changed', { userId: 'zoe', after: { status } });
  const erasing = () => change('user.deleted', { userId: 'zoe', after: null });
  const answer = ({ replica }: WatchedReplica) => {
    const { effectiveStatus, roles, code } = replica.check('zoe');
    return [effectiveStatus, roles.length, code];
  };
  const nothing = ['enabled', 0, null];

  test.each([
    ['a revoked role', () => [role(true), role(false)], nothing],
    ['a deactivation that was reverted', () => [userStatus('inactive'), userStatus('active')], nothing],
    [
      'a block of an erased user',
      () => [statusChange('zoe', 'disabled'), erasing()],
      ['disabled', 0, 'user_not_found'],
    ],
  ])('an earlier change on a later page does not restore %s', async (_, make, expected) => {
    const watched = await it.open();
    const [earlier = {}, later = {}] = make();
    it.stub.changes = () => {
      it.deliver(earlier);
      return { items: [later], more: true, cursor: 'c1' };
    };
    await pass(5);
    expect(answer(watched)).toEqual(expected);
    await pass(600);
    expect(answer(watched)).toEqual(expected);
  });

  test('a pending change that comes again does not undo a later one, even after an outage', async () => {
    const watched = await it.open({ whenStale: 'goOn' });
    const items = [role(true), role(false)];
    it.stub.changes = () => ({ items, pending: 2, cursor: 'c1' });
    await pass(5);
    it.stub.changes = () => 'drop';
    await pass(900);
    it.stub.changes = () => {
      it.deliver(...items);
      return { items: items.slice(0, 1), more: true, cursor: 'c2' };
    };
    it.stub.isForeign = false;
    const seen: unknown[] = [];
    for (let second = 0; second < 30; second++) {
      await pass(1);
      seen.push(answer(watched));
    }
    expect(seen).toEqual(seen.map(() => nothing));
    expect(watched.changes).toEqual([]);
  });

  test('changes that have no number for hours are still in order, page by page', async () => {
    const watched = await it.open();
    const [assigned, revoked] = [role(true), role(false)];
    const pages: Record<string, object> = {
      c0: { items: [assigned], more: true, cursor: 'c0+' },
      'c0+': { items: [revoked], more: false, cursor: 'c0' },
    };
    it.stub.changes = (after) => pages[after ?? ''] ?? 'drop';
    await pass(3600);
    pages['c0+'] = 'hang' as never;
    await pass(5);
    expect(answer(watched)).toEqual(nothing);
  });

  test('changes that a poll leaves out, because one before had them, are still in order when they get their numbers', async () => {
    const watched = await it.open();
    const [assigned, revoked] = [role(true), role(false)];
    it.stub.changes = () => ({ items: [assigned, revoked], pending: 2, cursor: 'c1' });
    await pass(5);
    it.stub.changes = () => ({ items: [], pending: 0, omitted: 2, cursor: 'c1' });
    await pass(600);
    it.stub.changes = () => ({ items: [assigned], pending: 0, cursor: 'c2' });
    await pass(5);
    expect(answer(watched)).toEqual(nothing);
  });

  test('changes of the pages before a failure are still in order when the rest has been read', async () => {
    const watched = await it.open();
    const [assigned, revoked] = [role(true), role(false)];
    let answers: object[] = [{ items: [assigned, revoked], pending: 2, more: true, cursor: 'c0+' }];
    it.stub.changes = () => answers.shift() ?? 'drop';
    await pass(5);
    answers = [{ items: [], pending: 0, cursor: 'c1' }];
    await pass(60);
    it.stub.changes = () => ({ items: [assigned], pending: 0, cursor: 'c2' });
    await pass(60);
    expect(answer(watched)).toEqual(nothing);
  });

  test('the order of changes is kept until a poll told nothing of the user', async () => {
    const watched = await it.open();
    const [assigned, revoked] = [role(true), role(false)];
    it.deliver(revoked);
    await pass(5);
    it.deliver(assigned);
    await pass(5);
    expect(answer(watched)).toEqual(nothing);
    // Two polls later nothing is kept of a user who has become the default.
    await pass(10);
    it.deliver(assigned);
    await pass(5);
    expect(answer(watched)).toEqual(['enabled', 1, null]);
  });

  test('a repeated change has no effect', async () => {
    const watched = await it.open();
    const again = statusChange('zoe', 'disabled');
    for (let times = 0; times < 3; times++) {
      it.deliver(again);
      await pass(5);
    }
    expect(watched.changes).toEqual([{ all: false, userIds: ['zoe'] }]);
  });

  test('an entry of the snapshot includes all earlier changes', async () => {
    const [assigned, revoked] = [role(true), role(false)];
    const items = [accessEntry('zoe', { status: 'enabled', changeId: revoked.id })];
    it.stub.access = () => ({ ...stubPage(), items, total: 1 });
    it.deliver(assigned);
    const watched = await it.open();
    await pass(5);
    expect(answer(watched)).toEqual(nothing);
  });

  test('a change after the erasure means that the user was recreated, even before that change arrives', async () => {
    const watched = await it.open();
    const [, erased, , assigned] = [statusChange('zoe', 'disabled'), erasing(), change('user.created', {}), role(true)];
    it.deliver(assigned, erased);
    await pass(5);
    expect(answer(watched)).toEqual(['enabled', 1, null]);
    await pass(600);
    expect(answer(watched)).toEqual(['enabled', 1, null]);
  });

  test('a recreated user has none of the earlier settings and roles', async () => {
    const watched = await it.open();
    it.deliver(
      role(true),
      statusChange('zoe', 'disabled'),
      userStatus('inactive'),
      erasing(),
      change('user.created', { userId: 'zoe', after: {} }),
    );
    await pass(5);
    expect(answer(watched)).toEqual(nothing);
  });

  test('of two entries of a user the later one counts, in any order', async () => {
    const [earlier, later] = [ulid(start - 9000, 1), ulid(start - 8000, 2)];
    const items = [
      accessEntry('zoe', { status: 'enabled', changeId: later }),
      accessEntry('zoe', { roles: [{ name: 'editor', expiresAt: null }], changeId: earlier }),
    ];
    for (const order of [items, items.toReversed()]) {
      it.stub.access = () => ({ ...stubPage(), items: order, total: 2 });
      const watched = await it.open();
      expect(answer(watched)).toEqual(nothing);
      await watched.replica.close();
    }
  });

  test('the rollout of the latest version of the application counts', async () => {
    const watched = await it.open();
    const rollout = (rolloutPercent: number, version: number) =>
      change('application.updated', { after: { rolloutPercent, version } });
    it.deliver(rollout(0, 3), rollout(100, 2), change('application.updated', { after: { name: 'CRM', version: 4 } }));
    await pass(5);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout' });
    expect(watched.changes).toEqual([{ all: true }]);
  });
});
