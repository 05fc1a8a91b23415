import { describe, expect, jest, test } from '@jest/globals';
import { change, replicasOnStub, start, statusChange } from './replica-on-stub.ts';
import { pass, stubClient, stubPage } from './replica-service.ts';
import { ulid } from './replica-world.ts';

const it = replicasOnStub();

/** Opens a replica whose client answers about each user with this status; undefined if there is no such user. */
async function openAnswering(status: 'enabled' | 'disabled' | undefined) {
  const client = stubClient(it.stub);
  const read = jest
    .spyOn(client, 'checkAccess')
    .mockImplementation(async (userIds) =>
      [...userIds].map((userId) =>
        status === undefined
          ? ({ userId, code: 'user_not_found' } as never)
          : ({ userId, userStatus: 'active', explicit: true, status, until: null, roles: [] } as never),
      ),
    );
  return { ...(await it.open({ client })), read };
}

const unsigned = { signature: undefined };
const asked = (read: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }) =>
  read.mock.calls.map(([userIds]) => userIds);

describe('a change that the service does not vouch for', () => {
  test.each([
    ['has no signature', undefined],
    ['has an empty signature', ''],
    ['has a signature that is no text', 7],
    ['has a signature with its content', 'e30.e30.AA'],
    ['has a signature without a value', 'e30..'],
  ])('because it %s is not applied; its user is read again, once', async (_, signature) => {
    const { replica, read } = await openAnswering('disabled');
    expect(replica.check('ada').effectiveStatus).toBe('disabled');
    it.deliver({ ...statusChange('ada', 'enabled'), signature });
    await pass(6);
    expect(replica.check('ada').effectiveStatus).toBe('disabled');
    await pass(60);
    expect(asked(read)).toEqual([['ada']]);
    expect(replica.check('ada').effectiveStatus).toBe('disabled');
  });

  test('is what the service says of its user, if that has changed', async () => {
    const { replica, read } = await openAnswering('enabled');
    it.deliver({ ...statusChange('ada', 'enabled'), ...unsigned });
    await pass(10);
    expect(asked(read)).toEqual([['ada']]);
    expect(replica.check('ada').effectiveStatus).toBe('enabled');
  });

  test('and that is pending costs one request, however often it comes', async () => {
    const { read } = await openAnswering('disabled');
    const pending = { ...statusChange('ada', 'enabled'), ...unsigned };
    it.stub.changes = (after) => ({ items: [pending], pending: 1, cursor: after });
    await pass(120);
    expect(asked(read)).toEqual([['ada']]);
  });

  test('is not left alone while others have no number, which a replica had when it loaded', async () => {
    const pending = { ...statusChange('bob', 'disabled') };
    it.stub.changes = () => ({ items: [pending], pending: 1, cursor: 'c1' });
    const { replica, read } = await openAnswering('enabled');
    expect(replica.check('ada').effectiveStatus).toBe('disabled');
    const later = [[{ ...statusChange('ada', 'enabled'), ...unsigned }]];
    it.stub.changes = () => ({ items: later.shift() ?? [], pending: 0, omitted: 1, cursor: 'c1' });
    await pass(30);
    expect(asked(read)).toEqual([['ada']]);
    expect(replica.check('ada').effectiveStatus).toBe('enabled');
  });

  test('does not hide a change of its user that the service vouches for', async () => {
    const { replica } = await openAnswering('disabled');
    it.deliver({ ...statusChange('ada', 'disabled'), ...unsigned }, statusChange('ada', 'enabled'));
    await pass(1);
    await pass(4);
    expect(replica.check('ada').effectiveStatus).toBe('enabled');
  });

  test('that comes while its user is read makes the replica read the user again', async () => {
    const { replica, read } = await openAnswering('enabled');
    const [first, second] = [statusChange('ada', 'enabled'), statusChange('ada', 'disabled')];
    const pages = [[first], [second]];
    it.stub.changes = (after) => {
      const items = (pages.shift() ?? []).map((item) => ({ ...item, ...unsigned }));
      // What is read together with the second one is from before it.
      if (pages.length === 0)
        read.mockResolvedValue([
          { userId: 'ada', userStatus: 'active', explicit: true, status: 'disabled', until: null, roles: [] } as never,
        ]);
      return { items, cursor: `${after}+` };
    };
    await pass(30);
    expect(asked(read)).toEqual([['ada'], ['ada']]);
    expect(replica.check('ada').effectiveStatus).toBe('disabled');
  });

  test('about two thousand users leads to one snapshot', async () => {
    const { read } = await openAnswering('disabled');
    const items = Array.from({ length: 2000 }, (_, at) => ({ ...statusChange(`user-${at}`, 'enabled'), ...unsigned }));
    it.stub.changes = (after) => ({ items, pending: items.length, cursor: after });
    await pass(120);
    expect(it.stub.targets.filter((target) => target.startsWith('access')).length).toBeLessThanOrEqual(3);
    expect(read.mock.calls.length).toBeLessThanOrEqual(20);
  });

  test('does not forget that a user was erased', async () => {
    it.stub.access = () => ({
      ...stubPage(),
      items: [{ kind: 'erased', userId: 'zoe', changeId: ulid(start - 1000, 1) }],
      total: 1,
    });
    const { replica } = await openAnswering(undefined);
    it.deliver({ ...statusChange('zoe', 'enabled'), ...unsigned });
    await pass(10);
    expect(replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', code: 'user_not_found' });
  });

  test.each([undefined, 7, 'a\u0000b', 'x'.repeat(300)])('of the user %j asks for nobody', async (userId) => {
    const { read } = await openAnswering('disabled');
    it.deliver({ ...change('access.changed', { userId, after: null }), ...unsigned });
    await pass(30);
    expect(read).not.toHaveBeenCalled();
  });

  test('of the rollout is not applied; the snapshot says what it is', async () => {
    it.stub.access = () => ({ ...stubPage(), rolloutPercent: 0 });
    const { replica } = await openAnswering('disabled');
    const snapshots = () => it.stub.targets.filter((target) => target.startsWith('access')).length;
    const before = snapshots();
    const after = { rolloutPercent: 100, version: 9 };
    it.deliver({ ...change('application.updated', { after }), ...unsigned });
    await pass(30);
    expect(replica.check('nobody').effectiveStatus).toBe('disabled');
    expect(snapshots()).toBe(before + 1);
  });

  test('that follows the first snapshot leads to the same', async () => {
    const item = { ...statusChange('zoe', 'enabled'), ...unsigned };
    it.stub.changes = (after) => ({ items: after === 'c0' ? [item] : [], cursor: 'c1' });
    const { replica, read } = await openAnswering('disabled');
    await pass(10);
    expect(asked(read)).toEqual([['zoe']]);
    expect(replica.check('zoe').effectiveStatus).toBe('disabled');
  });

  test('ends what the service has said of an id of which nothing was known', async () => {
    const client = stubClient(it.stub);
    const ask = jest.spyOn(client, 'getAccess');
    ask.mockResolvedValue({ effectiveStatus: 'enabled', decidedBy: 'default', roles: [] } as never);
    jest.spyOn(client, 'checkAccess').mockRejectedValue(new Error('down'));
    const { replica } = await it.open({ client, unknown: 'ask' });
    for (let n = 0; n < 2; n++) await replica.checkOrAsk('zoe');
    expect(ask).toHaveBeenCalledTimes(1);
    it.deliver({ ...statusChange('zoe', 'disabled'), ...unsigned });
    await pass(6);
    await replica.checkOrAsk('zoe');
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
