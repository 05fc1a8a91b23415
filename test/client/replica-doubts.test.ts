import { describe, expect, jest, test } from '@jest/globals';
import { change, replicasOnStub, start } from './replica-on-stub.ts';
import { pass, stubClient, stubPage } from './replica-service.ts';
import { ulid } from './replica-world.ts';

const it = replicasOnStub();

const setting = (status: string, explicit = true) => ({ status, explicit, until: null, reason: null });
const block = (before: object) => change('access.changed', { userId: 'zoe', before, after: setting('disabled') });
const answerAbout = (status: string) =>
  ({ userId: 'zoe', userStatus: 'active', explicit: true, status, until: null, roles: [] }) as never;

/** Opens a replica whose client answers every check with this status, and puts zoe in doubt. */
async function openDoubting(status: string) {
  const client = stubClient(it.stub);
  const read = jest.spyOn(client, 'checkAccess').mockResolvedValue([answerAbout(status)]);
  const watched = await it.open({ client });
  return { ...watched, read };
}

describe('a user whose change does not continue what is known', () => {
  test('is read again, once, and reported', async () => {
    const { replica, read, failures } = await openDoubting('disabled');
    it.deliver(block(setting('enabled')));
    await pass(30);
    expect(read.mock.calls.map(([userIds]) => userIds)).toEqual([['zoe']]);
    expect(replica.check('zoe').effectiveStatus).toBe('disabled');
    expect(failures).toMatchObject([{ during: 'repair', userIds: ['zoe'] }]);
  });

  test('is not read again if the change continues the default, or an expired role', async () => {
    const { read, failures } = await openDoubting('disabled');
    const expiresAt = new Date(start - 1000).toISOString();
    it.deliver(
      block(setting('enabled', false)),
      change('role.assigned', {
        userId: 'zoe',
        role: 'editor',
        before: { granted: true, expiresAt },
        after: { granted: true, expiresAt: null },
      }),
    );
    await pass(30);
    expect(read).not.toHaveBeenCalled();
    expect(failures).toEqual([]);
  });

  test('keeps a change that arrives while the user is read, because the answer may be older', async () => {
    const { replica, read } = await openDoubting('enabled');
    const pending = block(setting('enabled'));
    it.stub.changes = (after) => ({ items: [pending], pending: 1, cursor: after });
    await pass(60);
    expect(read.mock.calls.length).toBeGreaterThan(3);
    expect(replica.check('zoe').effectiveStatus).toBe('disabled');
    it.stub.changes = (after) => ({ items: [], cursor: after });
    await pass(10);
    expect(replica.check('zoe').effectiveStatus).toBe('enabled');
  });

  test('stays in doubt while the service fails, and polls go on', async () => {
    const { replica, read, failures } = await openDoubting('disabled');
    read.mockRejectedValueOnce(Object.assign(new Error('down'), { code: 'unavailable' }));
    it.deliver(block(setting('enabled')));
    await pass(40);
    expect(failures.map(({ during, userIds }) => [during, userIds])).toEqual([
      ['repair', undefined],
      ['repair', ['zoe']],
    ]);
    expect(replica.ageSeconds).toBeLessThan(6);
  });
});

describe('a comparison', () => {
  const range = (digest: string) => ({
    ranges: [{ kind: 'inactive', through: null, digest }],
    liveAt: new Date(start + 86_400_000).toISOString(),
  });

  test('does not doubt a user whose change arrives meanwhile', async () => {
    const pending = change('user.status.changed', {
      userId: 'zoe',
      before: { status: 'active' },
      after: { status: 'inactive' },
    });
    const page = { ...stubPage(), items: [], ...range('0-0-0') };
    const client = stubClient(it.stub);
    const read = jest.spyOn(client, 'checkAccess').mockResolvedValue([]);
    const { replica } = await it.open({ client, verifySeconds: 10 });
    it.stub.access = () => page;
    it.stub.changes = (after) => ({ items: [pending], pending: 1, cursor: after });
    await pass(60);
    expect(it.stub.targets).toContain('access?limit=2500&digest=true');
    // The entries are read, too, because the digest differs.
    expect(it.stub.targets.slice(1)).toContain('access?limit=2500');
    expect(read).not.toHaveBeenCalled();
    expect(replica.check('zoe').decidedBy).toBe('user');
  });

  test('reads the whole snapshot if more than 1,000 users differ', async () => {
    const { replica, changes } = await it.open({ verifySeconds: 10 });
    const items = Array.from({ length: 1500 }, (_, at) => ({
      kind: 'inactive',
      userId: `user-${at}`,
      changeId: ulid(start, at),
    }));
    it.stub.access = () => ({ ...stubPage(), items, total: 1500, ...range('5dc-1-1') });
    await pass(60);
    expect(replica.check('user-1499').decidedBy).toBe('user');
    expect(changes.flatMap(({ userIds = [] }) => userIds)).toContain('user-0');
  });
});
