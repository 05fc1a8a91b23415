import { describe, expect, jest, test } from '@jest/globals';
import { timeOfChange } from '../../client/replica/user-facts.ts';
import { change, iso, replicasOnStub, start, statusChange } from './replica-on-stub.ts';
import { accessEntry, pass, stubPage } from './replica-service.ts';

const it = replicasOnStub();

describe('an expiry', () => {
  test("of a block or a role follows the service's time, and is reported", async () => {
    it.stub.ahead = 600_000;
    it.stub.access = () => ({
      ...stubPage(),
      items: [
        accessEntry('ada', { until: iso(700) }),
        accessEntry('grace', { status: null, roles: [{ name: 'editor', expiresAt: iso(800) }] }),
      ],
    });
    const watched = await it.open({ maxStalenessSeconds: 1e5 });
    it.stub.changes = () => 'drop';
    await pass(97);
    expect(watched.replica.check('ada')).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'explicit' });
    expect(watched.changes).toEqual([]);
    await pass(4);
    expect(watched.replica.check('ada')).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'lapsed' });
    expect(watched.replica.check('grace').roles).toHaveLength(1);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada'] }]);
    await pass(100);
    expect(watched.replica.check('grace').roles).toEqual([]);
    expect(watched.changes).toEqual([
      { all: false, userIds: ['ada'] },
      { all: false, userIds: ['grace'] },
    ]);
  });

  test('that passed while the machine slept is reported, even if a change of the user arrives first', async () => {
    const watched = await it.open();
    const block = statusChange('ada', 'disabled', iso(100));
    it.deliver(block);
    await pass(6);
    expect(watched.changes).toEqual([]);
    jest.setSystemTime(start + 200_000);
    it.deliver(block);
    await pass(6);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada'] }]);
  });

  test('beyond the maximum delay of a timer causes no busy loop', async () => {
    it.stub.access = () => ({ ...stubPage(), items: [accessEntry('ada', { until: iso(86_400 * 365) })], total: 1 });
    const watched = await it.open({ pollSeconds: 60 });
    const timeouts = jest.spyOn(globalThis, 'setTimeout');
    await pass(30);
    expect(timeouts.mock.calls.length).toBeLessThan(3);
    expect(watched.changes).toEqual([]);
  });

  test('of an erased user comes after 30 days, when the service forgets the user too', async () => {
    const watched = await it.open({ whenStale: 'goOn' });
    const erasing = change('user.deleted', { userId: 'ada', after: null });
    const end = timeOfChange(erasing.id) + 30 * 86_400_000;
    it.deliver(erasing);
    await pass(5);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada'] }]);
    jest.setSystemTime(end - 1);
    expect(watched.replica.check('ada').code).toBe('user_not_found');
    jest.setSystemTime(end);
    expect(watched.replica.check('ada')).toMatchObject({ code: null, decidedBy: 'default' });
  });
});
