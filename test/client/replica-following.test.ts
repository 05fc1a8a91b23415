import { describe, expect, jest, test } from '@jest/globals';
import { problem } from './client-fixture.ts';
import { change, replicasOnStub, statusChange } from './replica-on-stub.ts';
import { accessEntry, pass, stubPage } from './replica-service.ts';
import type { WatchedReplica } from './watch-replica.ts';

const it = replicasOnStub();
const blocks = (userId: string) => (['ada', 'grace'].includes(userId) ? 'disabled' : 'enabled');

describe('following', () => {
  test('polls sequentially, at its interval with 20 % jitter', async () => {
    await it.open({ pollSeconds: 10 });
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await pass(10);
    expect(it.changesAsked()).toHaveLength(2);
    await pass(8);
    expect(it.changesAsked()).toHaveLength(3);
    jest.spyOn(Math, 'random').mockReturnValue(0.9999);
    await pass(8);
    expect(it.changesAsked()).toHaveLength(4);
    await pass(11);
    expect(it.changesAsked()).toHaveLength(4);
    await pass(1);
    expect(it.changesAsked()).toHaveLength(5);
    it.stub.changes = () => 'hang';
    await pass(60);
    expect(it.stub.most).toBe(1);
  });

  test('asks again immediately while there is more', async () => {
    const watched = await it.open();
    const items = Array.from({ length: 100 }, (_, at) => statusChange(`user-${at}`, 'disabled'));
    it.stub.changes = (after) => (after === 'c0' ? { items, more: true, cursor: 'c1' } : { items: [], cursor: after });
    await pass(5);
    expect(it.changesAsked().slice(-2)).toEqual([
      'changes?limit=100&after=c0&pending=new',
      'changes?limit=100&after=c1&pending=new',
    ]);
    expect(watched.replica.check('user-99').effectiveStatus).toBe('disabled');
  });

  describe('far behind', () => {
    /** So many pages after the cursor of the snapshot, each blocking a user of its own, with so many changes without a number. */
    const serve = (pages: number, pending: number) => {
      it.stub.changes = (after) => {
        const page = Number(after?.slice(1));
        if (page >= pages) return { items: [], cursor: after };
        return { items: [statusChange(`user-${page}`, 'disabled')], pending, more: true, cursor: `c${page + 1}` };
      };
      it.stub.access = () => ({ ...stubPage(), items: [accessEntry('zoe')], total: 1, changesCursor: `c${pages}` });
    };
    const isBlocked = ({ replica }: WatchedReplica, userId: string) =>
      replica.check(userId).effectiveStatus === 'disabled';

    test('it reads the snapshot, once it has followed as long as that takes', async () => {
      const watched = await it.open();
      serve(200, 0);
      await pass(5);
      expect(it.stub.targets.slice(-3).map((target) => target.split('?')[0])).toEqual(['changes', 'access', 'changes']);
      expect(it.changesAsked()).toHaveLength(1 + 50 + 1);
      expect(['ada', 'zoe', 'user-1'].map((userId) => isBlocked(watched, userId))).toEqual([false, true, false]);
      expect(watched.replica.ageSeconds).toBeLessThan(5);
      expect(watched.failures).toEqual([]);
    });

    test('it follows what has no number, however much that is: a snapshot would not save it', async () => {
      const watched = await it.open();
      serve(200, 1);
      await pass(5);
      expect(it.changesAsked()).toHaveLength(1 + 200 + 1);
      expect(isBlocked(watched, 'user-199')).toBe(true);
    });

    test('it keeps what it knows while the snapshot cannot be read', async () => {
      const watched = await it.open();
      serve(200, 0);
      const snapshot = it.stub.access;
      it.stub.access = () => 'drop';
      await pass(5);
      expect(['ada', 'user-49', 'user-50'].map((userId) => isBlocked(watched, userId))).toEqual([true, true, false]);
      expect(watched.replica.ageSeconds).toBeGreaterThanOrEqual(5);
      it.stub.access = snapshot;
      await pass(5);
      expect(isBlocked(watched, 'zoe')).toBe(true);
    });
  });

  test('does not loop on a page without progress', async () => {
    const watched = await it.open();
    const items = Array.from({ length: 100 }, (_, at) => statusChange(`user-${at}`, 'disabled'));
    it.stub.changes = (after) => ({ items, more: true, cursor: after });
    await pass(7);
    expect(it.changesAsked().length).toBeLessThan(5);
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { name: 'TypeError' } });
  });

  test('applies a page as a whole or not at all', async () => {
    const watched = await it.open();
    it.deliver(statusChange('zoe', 'disabled'), change('user.status.changed', { userId: 'alan', after: null }));
    await pass(5);
    expect(watched.replica.check('zoe').effectiveStatus).toBe('enabled');
    expect(watched.failures).toHaveLength(1);
  });

  test('treats an unknown status as a block, and ignores an unknown action', async () => {
    const watched = await it.open();
    it.deliver(
      statusChange('zoe', 'suspended' as never),
      change('user.status.changed', { userId: 'alan', after: { status: 'locked' } }),
      change('user.renamed', { userId: 'carl', after: null }),
    );
    await pass(5);
    const decisions = ['zoe', 'alan', 'carl'].map((userId) => watched.replica.check(userId).effectiveStatus);
    expect(decisions).toEqual(['disabled', 'disabled', 'enabled']);
  });

  test('waits longer after each failure, up to 30 seconds, and as long as the server asks', async () => {
    const watched = await it.open();
    it.stub.changes = () => 'drop';
    const waits: number[] = [];
    for (let last = Date.now(), count = it.changesAsked().length; waits.length < 6; await pass(1)) {
      if (it.changesAsked().length === count) continue;
      waits.push((Date.now() - last) / 1000);
      [last, count] = [Date.now(), it.changesAsked().length];
    }
    expect(waits).toEqual([5, 5, 10, 20, 25, 25]);
    const tooMany = () =>
      Response.json(problem('too_many_requests'), { status: 429, headers: { 'retry-after': '70' } });
    it.stub.changes = tooMany;
    for (const before = it.changesAsked().length; it.changesAsked().length === before; ) await pass(1);
    const count = it.changesAsked().length;
    await pass(69);
    expect(it.changesAsked()).toHaveLength(count);
    await pass(2);
    expect(it.changesAsked()).toHaveLength(count + 1);
    it.stub.changes = (after) => ({ items: [], cursor: after });
    await pass(75);
    it.stub.changes = () => 'drop';
    for (const before = watched.failures.length; watched.failures.length === before; ) await pass(1);
    const again = it.changesAsked().length;
    await pass(5);
    expect(it.changesAsked()).toHaveLength(again + 1);
  });
});

test('an error of onChange is reported and stops nothing', async () => {
  const thrown = new Error('of the application');
  const watched = await it.open({ onChange: () => Promise.reject(thrown) });
  it.deliver(statusChange('zoe', 'disabled'));
  await pass(6);
  expect(watched.failures).toEqual([{ during: 'onChange', error: thrown }]);
  await pass(30);
  expect(watched.replica.ageSeconds).toBeLessThan(6);
});

test('an error of onError stops nothing', async () => {
  const watched = await it.open({
    onError: () => {
      throw new Error('of the application');
    },
  });
  it.stub.changes = () => 'drop';
  await pass(30);
  it.stub.changes = (after) => ({ items: [], cursor: after });
  await pass(30);
  expect(watched.replica.ageSeconds).toBeLessThan(6);
});

test('no decision fails during an outage of ten minutes, and the first poll afterwards catches up', async () => {
  const watched = await it.open({ whenStale: 'goOn' });
  const { replica } = watched;
  it.stub.changes = () => 'drop';
  for (let second = 0; second < 600; second++) {
    await pass(1);
    for (const userId of ['ada', 'zoe', 'grace', 'alan'])
      expect(replica.check(userId)).toMatchObject({ effectiveStatus: blocks(userId), code: null });
  }
  const items = Array.from({ length: 250 }, (_, at) => statusChange(`user-${at}`, 'disabled'));
  it.stub.changes = (after) => {
    const from = after === 'c0' ? 0 : Number(after);
    return { items: items.slice(from, from + 100), more: from < 200, cursor: String(Math.min(from + 100, 250)) };
  };
  await pass(25);
  for (const at of [0, 150, 249]) expect(replica.check(`user-${at}`).effectiveStatus).toBe('disabled');
  expect(replica.ageSeconds).toBeLessThan(26);
});

test('gives no decision for an invalid id', async () => {
  const watched = await it.open();
  for (const userId of ['', '..', 'a b', 'x'.repeat(129), undefined as never])
    expect(watched.replica.check(userId)).toMatchObject({ effectiveStatus: 'disabled', code: 'user_not_found' });
});
