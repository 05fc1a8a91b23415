import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { timeOfChange } from '../../client/replica/user-facts.ts';
import type { AccessReplicaOptions } from '../../client/replica.ts';
import { problem } from './client-fixture.ts';
import {
  accessEntry,
  blocked,
  createStubService,
  fakeTime,
  openWatched,
  pass,
  type StubService,
  stubPage,
  type WatchedReplica,
} from './replica-service.ts';
import { ulid } from './replica-world.ts';

const start = Date.parse('2026-11-20T12:00:00.000Z');
let stub: StubService;
let watched: WatchedReplica;

beforeEach(() => {
  fakeTime(start);
  stub = createStubService();
});
afterEach(async () => {
  await watched?.replica.close();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const changesAsked = () => stub.targets.filter((target) => target.startsWith('changes'));
const page = stubPage();
const blocks = (userId: string) => (['ada', 'grace'].includes(userId) ? 'disabled' : 'enabled');
const expired = () => Response.json(problem('cursor_expired'), { status: 410 });
async function open(options: Partial<AccessReplicaOptions> = {}): Promise<WatchedReplica> {
  const opening = openWatched(stub, options);
  await pass(0);
  return opening;
}
let made = 0;
/** A change of now, later than all before. */
function change(action: string, members: object) {
  return { id: ulid(Date.now(), ++made), action, appId: 'billing', ...members };
}
const statusChange = (userId: string, status: 'enabled' | 'disabled', until: string | null = null) =>
  change('access.changed', { userId, after: { status, explicit: true, until, reason: null } });
/** Answers the changes once, then none. */
function deliver(...items: object[]): void {
  stub.changes = (after) => {
    stub.changes = (next) => ({ items: [], cursor: next });
    return { items, cursor: `${after}+` };
  };
}
const iso = (seconds: number) => new Date(start + seconds * 1000).toISOString();

describe('a snapshot', () => {
  test.each([
    ['that has fewer entries than it says', { total: 3 }],
    ['that has more', { total: 1 }],
    ['that does not say how many', { total: null }],
    [
      'with an entry that it does not know',
      {
        items: [...blocked, { kind: 'suspended', userId: 'zoe', changeId: ulid(start, 0), status: null, roles: [] }],
        total: 3,
      },
    ],
    ['with an entry of nobody', { items: [...blocked, accessEntry(undefined as never)], total: 3 }],
    ['without a place where the changes begin', { changesCursor: '' }],
    ['without a rollout', { rolloutPercent: undefined }],
  ])('%s is refused and read again', async (_, members) => {
    const whole = stub.access(null) as object;
    stub.access = () => {
      stub.access = () => whole;
      return { ...whole, ...members };
    };
    const opening = openWatched(stub);
    await pass(0);
    expect(stub.targets).toEqual(['access?limit=2500']);
    await pass(2);
    watched = await opening;
    expect(watched.failures).toMatchObject([{ during: 'poll', error: { name: 'TypeError' } }]);
    expect(watched.replica.check('grace').effectiveStatus).toBe('disabled');
  });

  test('whose pages follow different changes is refused', async () => {
    const page = { rolloutPercent: 100, applicationVersion: 1 };
    stub.access = (after) =>
      after
        ? { ...page, items: [blocked[1]], cursor: null, total: 2, changesCursor: 'c1' }
        : { ...page, items: [blocked[0]], cursor: 'p1', total: null, changesCursor: 'c0' };
    const opening = openWatched(stub, { startTimeoutSeconds: 1 }).catch((error) => error);
    await pass(5);
    expect(await opening).toMatchObject({ name: 'TypeError' });
  });

  test('continues with the failed page, and is used only with the changes made since', async () => {
    const page = { changesCursor: 'c0', rolloutPercent: 100, applicationVersion: 1 };
    stub.access = (after) => {
      if (!after) return { ...page, items: [blocked[0]], cursor: 'p1', total: null };
      if (stub.targets.length < 3) return 'drop';
      return { ...page, items: [blocked[1]], cursor: null, total: 2 };
    };
    const item = statusChange('grace', 'enabled');
    stub.changes = (after) => (after === 'c0' ? { items: [item], cursor: 'c1' } : { items: [], cursor: after });
    const opening = openWatched(stub);
    await pass(3);
    watched = await opening;
    expect(stub.targets).toEqual([
      'access?limit=2500',
      'access?limit=2500&after=p1',
      'access?limit=2500&after=p1',
      'changes?limit=100&after=c0',
    ]);
    const decisions = ['ada', 'grace'].map((userId) => watched.replica.check(userId).effectiveStatus);
    expect(decisions).toEqual(['disabled', 'enabled']);
    expect(watched.changes).toEqual([]);
  });

  test('replaces all data once the cursor has expired, and until then the old state decides', async () => {
    watched = await open();
    stub.access = () => ({ ...(page as object), items: [accessEntry('zoe')], total: 1, changesCursor: 'd0' });
    stub.changes = (after) => (after === 'c0' ? expired() : { items: [], cursor: after });
    await pass(6);
    expect(watched.failures).toMatchObject([{ during: 'poll', error: { code: 'cursor_expired' } }]);
    expect(watched.replica.check('ada').effectiveStatus).toBe('disabled');
    expect(stub.targets.at(-1)).toBe('changes?limit=100&after=c0');
    // Half of 25 seconds, because Math.random returns 0.5.
    await pass(13);
    const decisions = ['ada', 'grace', 'zoe'].map((userId) => watched.replica.check(userId).effectiveStatus);
    expect(decisions).toEqual(['enabled', 'enabled', 'disabled']);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada', 'grace', 'zoe'] }]);
    expect(stub.targets.slice(-2)).toEqual(['access?limit=2500', 'changes?limit=100&after=d0']);
  });
});

describe('following', () => {
  test('polls sequentially, at its interval with 20 % jitter', async () => {
    watched = await open({ pollSeconds: 10 });
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await pass(10);
    expect(changesAsked()).toHaveLength(2);
    await pass(8);
    expect(changesAsked()).toHaveLength(3);
    jest.spyOn(Math, 'random').mockReturnValue(0.9999);
    await pass(8);
    expect(changesAsked()).toHaveLength(4);
    await pass(11);
    expect(changesAsked()).toHaveLength(4);
    await pass(1);
    expect(changesAsked()).toHaveLength(5);
    stub.changes = () => 'hang';
    await pass(60);
    expect(stub.most).toBe(1);
  });

  test('asks again immediately while pages are full', async () => {
    watched = await open();
    const items = Array.from({ length: 100 }, (_, at) => statusChange(`user-${at}`, 'disabled'));
    stub.changes = (after) => (after === 'c0' ? { items, cursor: 'c1' } : { items: [], cursor: after });
    await pass(5);
    expect(changesAsked().slice(-2)).toEqual(['changes?limit=100&after=c0', 'changes?limit=100&after=c1']);
    expect(watched.replica.check('user-99').effectiveStatus).toBe('disabled');
  });

  test('does not loop on a full page without progress', async () => {
    watched = await open();
    const items = Array.from({ length: 100 }, (_, at) => statusChange(`user-${at}`, 'disabled'));
    stub.changes = (after) => ({ items, cursor: after });
    await pass(7);
    expect(changesAsked().length).toBeLessThan(5);
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { name: 'TypeError' } });
  });

  test('applies a page as a whole or not at all', async () => {
    watched = await open();
    deliver(statusChange('zoe', 'disabled'), change('user.status.changed', { userId: 'alan', after: null }));
    await pass(5);
    expect(watched.replica.check('zoe').effectiveStatus).toBe('enabled');
    expect(watched.failures).toHaveLength(1);
  });

  test('treats an unknown status as a block, and ignores an unknown action', async () => {
    watched = await open();
    deliver(
      statusChange('zoe', 'suspended' as never),
      change('user.status.changed', { userId: 'alan', after: { status: 'locked' } }),
      change('user.renamed', { userId: 'carl', after: null }),
    );
    await pass(5);
    const decisions = ['zoe', 'alan', 'carl'].map((userId) => watched.replica.check(userId).effectiveStatus);
    expect(decisions).toEqual(['disabled', 'disabled', 'enabled']);
  });

  test('waits longer after each failure, up to 30 seconds, and as long as the server asks', async () => {
    watched = await open();
    stub.changes = () => 'drop';
    const waits: number[] = [];
    for (let last = Date.now(), count = changesAsked().length; waits.length < 6; await pass(1)) {
      if (changesAsked().length === count) continue;
      waits.push((Date.now() - last) / 1000);
      [last, count] = [Date.now(), changesAsked().length];
    }
    expect(waits).toEqual([5, 5, 10, 20, 25, 25]);
    const tooMany = () =>
      Response.json(problem('too_many_requests'), { status: 429, headers: { 'retry-after': '70' } });
    stub.changes = tooMany;
    for (const before = changesAsked().length; changesAsked().length === before; ) await pass(1);
    const count = changesAsked().length;
    await pass(69);
    expect(changesAsked()).toHaveLength(count);
    await pass(2);
    expect(changesAsked()).toHaveLength(count + 1);
    stub.changes = (after) => ({ items: [], cursor: after });
    await pass(75);
    stub.changes = () => 'drop';
    for (const before = watched.failures.length; watched.failures.length === before; ) await pass(1);
    const again = changesAsked().length;
    await pass(5);
    expect(changesAsked()).toHaveLength(again + 1);
  });
});

describe('the order of changes', () => {
  const role = (granted: boolean) =>
    change(granted ? 'role.assigned' : 'role.revoked', {
      userId: 'zoe',
      role: 'editor',
      after: { granted, expiresAt: null },
    });
  const userStatus = (status: string) => change('user.status.changed', { userId: 'zoe', after: { status } });
  const erasing = () => change('user.deleted', { userId: 'zoe', after: null });
  const answer = () => {
    const { effectiveStatus, roles, code } = watched.replica.check('zoe');
    return [effectiveStatus, roles.length, code];
  };
  const nothing = ['enabled', 0, null];

  test.each([
    ['a role that was revoked', () => [role(true), role(false)], nothing],
    ['a deactivation that was taken back', () => [userStatus('inactive'), userStatus('active')], nothing],
    [
      'a block of an erased user',
      () => [statusChange('zoe', 'disabled'), erasing()],
      ['disabled', 0, 'user_not_found'],
    ],
  ])('keeps an earlier change that comes late from reviving %s', async (_, make, expected) => {
    watched = await open();
    const [earlier = {}, later = {}] = make();
    deliver(later);
    await pass(5);
    expect(answer()).toEqual(expected);
    deliver(earlier);
    await pass(5);
    expect(answer()).toEqual(expected);
    await pass(600);
    expect(answer()).toEqual(expected);
  });

  test('is kept during an outage', async () => {
    watched = await open({ whenStale: 'goOn' });
    const [assigned, revoked] = [role(true), role(false)];
    deliver(revoked);
    await pass(5);
    stub.changes = () => 'drop';
    await pass(900);
    deliver(assigned);
    await pass(30);
    expect(answer()).toEqual(nothing);
  });

  test('makes a repeated change have no effect', async () => {
    watched = await open();
    const again = statusChange('zoe', 'disabled');
    for (let times = 0; times < 3; times++) {
      deliver(again);
      await pass(5);
    }
    expect(watched.changes).toEqual([{ all: false, userIds: ['zoe'] }]);
  });

  test('treats an earlier change as included in an entry of the snapshot', async () => {
    const [assigned, revoked] = [role(true), role(false)];
    const items = [accessEntry('zoe', { status: 'enabled', changeId: revoked.id })];
    stub.access = () => ({ ...page, items, total: 1 });
    deliver(assigned);
    watched = await open();
    await pass(5);
    expect(answer()).toEqual(nothing);
  });

  test('treats a change after the erasure as a newly created user, even before that change arrives', async () => {
    watched = await open();
    const [, erased, , assigned] = [statusChange('zoe', 'disabled'), erasing(), change('user.created', {}), role(true)];
    deliver(assigned, erased);
    await pass(5);
    expect(answer()).toEqual(['enabled', 1, null]);
    await pass(600);
    expect(answer()).toEqual(['enabled', 1, null]);
  });

  test('treats a recreated user as unknown otherwise', async () => {
    watched = await open();
    deliver(
      role(true),
      statusChange('zoe', 'disabled'),
      userStatus('inactive'),
      erasing(),
      change('user.created', { userId: 'zoe', after: {} }),
    );
    await pass(5);
    expect(answer()).toEqual(nothing);
  });

  test('uses the later of two entries of a user, in any order', async () => {
    const [earlier, later] = [ulid(start - 9000, 1), ulid(start - 8000, 2)];
    const items = [
      accessEntry('zoe', { status: 'enabled', changeId: later }),
      accessEntry('zoe', { roles: [{ name: 'editor', expiresAt: null }], changeId: earlier }),
    ];
    for (const order of [items, items.toReversed()]) {
      stub.access = () => ({ ...page, items: order, total: 2 });
      watched = await open();
      expect(answer()).toEqual(nothing);
      await watched.replica.close();
    }
  });

  test('uses the rollout of the latest version of the application', async () => {
    watched = await open();
    const rollout = (rolloutPercent: number, version: number) =>
      change('application.updated', { after: { rolloutPercent, version } });
    deliver(rollout(0, 3), rollout(100, 2), change('application.updated', { after: { name: 'CRM', version: 4 } }));
    await pass(5);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout' });
    expect(watched.changes).toEqual([{ all: true }]);
  });
});

describe('data older than allowed', () => {
  test.each([
    ['deny', 'stale'],
    ['ask', 'stale'],
    ['goOn', null],
  ] as const)('by "%s" is decided as %s, and as before once all is known again', async (whenStale, code) => {
    watched = await open({ whenStale });
    stub.changes = () => 'drop';
    await pass(60);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null, ageSeconds: 60 });
    await pass(1);
    const effectiveStatus = code ? 'disabled' : 'enabled';
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus, code, ageSeconds: 61 });
    stub.changes = (after) => ({ items: [], cursor: after });
    await pass(30);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
  });

  test('no longer decides once the key is rejected, even during a later outage', async () => {
    watched = await open({ whenStale: 'goOn' });
    stub.changes = () => 'refuse';
    await pass(20);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    stub.changes = () => 'drop';
    await pass(60);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', code: 'key_refused' });
    expect(changesAsked().length).toBeGreaterThan(4);
    stub.changes = (after) => ({ items: [], cursor: after });
    await pass(30);
    stub.changes = () => 'drop';
    await pass(120);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
  });

  test.each([
    ['a page with 401', () => new Response('<html>', { status: 401 })],
    ['a page with 403', () => new Response('<html>', { status: 403 })],
    ['a code that is not of this service', () => Response.json(problem('key_revoked'), { status: 401 })],
  ])('goes on being decided by what it knew where something on the way answers with %s', async (_, answer) => {
    watched = await open({ whenStale: 'goOn' });
    stub.isForeign = true;
    stub.changes = answer;
    await pass(300);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { code: 'unexpected_answer' } });
  });

  test.each([
    ['clock_skew', 401],
    ['digest_mismatch', 401],
    ['component_missing', 401],
    ['signature_missing', 401],
  ])('goes on being decided by what it knew after %s, which does not refuse the key', async (code, status) => {
    watched = await open({ whenStale: 'goOn' });
    stub.changes = () => Response.json(problem(code), { status });
    await pass(300);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { code } });
  });

  test.each([
    ['signature_mismatch', 401],
    ['key_revoked', 401],
    ['key_expired', 401],
    ['scope_missing', 403],
    ['address_not_allowed', 403],
  ])('is decided by nobody after %s of the service', async (code, status) => {
    watched = await open({ whenStale: 'goOn' });
    stub.changes = () => Response.json(problem(code), { status });
    await pass(70);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', code: 'key_refused' });
  });

  test('is measured by the clock that has advanced further', async () => {
    watched = await open({ whenStale: 'deny', pollSeconds: 1000, maxStalenessSeconds: 2000 });
    const { replica } = watched;
    await pass(10);
    expect(replica.ageSeconds).toBe(10);
    jest.setSystemTime(start - 3_600_000);
    expect(replica.ageSeconds).toBe(10);
    // As after a machine has slept.
    jest.setSystemTime(start + 1_900_000);
    expect(replica.ageSeconds).toBe(1900);
    jest.setSystemTime(start + 2_001_000);
    expect(replica.check('zoe').code).toBe('stale');
  });

  test('is measured from the sending of the request', async () => {
    let answer = () => {};
    watched = await open();
    stub.changes = (after) =>
      new Promise((resolve) => {
        answer = () => resolve({ items: [], cursor: after });
      });
    await pass(9);
    answer();
    await pass(1);
    expect(watched.replica.ageSeconds).toBe(5);
  });
});

describe('an end', () => {
  test('of a block and of a role follows the time of the service, and is reported', async () => {
    stub.ahead = 600_000;
    stub.access = () => ({
      ...(page as object),
      items: [
        accessEntry('ada', { until: iso(700) }),
        accessEntry('grace', { status: null, roles: [{ name: 'editor', expiresAt: iso(800) }] }),
      ],
    });
    watched = await open({ maxStalenessSeconds: 1e5 });
    stub.changes = () => 'drop';
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
    watched = await open();
    const block = statusChange('ada', 'disabled', iso(100));
    deliver(block);
    await pass(6);
    expect(watched.changes).toEqual([]);
    jest.setSystemTime(start + 200_000);
    deliver(block);
    await pass(6);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada'] }]);
  });

  test('beyond the maximum of a timer causes no busy loop', async () => {
    stub.access = () => ({ ...(page as object), items: [accessEntry('ada', { until: iso(86_400 * 365) })], total: 1 });
    watched = await open({ pollSeconds: 60 });
    const timeouts = jest.spyOn(globalThis, 'setTimeout');
    await pass(30);
    expect(timeouts.mock.calls.length).toBeLessThan(3);
    expect(watched.changes).toEqual([]);
  });

  test('of an erased user is after 30 days, when the service does not remember it either', async () => {
    watched = await open({ whenStale: 'goOn' });
    const erasing = change('user.deleted', { userId: 'ada', after: null });
    const end = timeOfChange(erasing.id) + 30 * 86_400_000;
    deliver(erasing);
    await pass(5);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada'] }]);
    jest.setSystemTime(end - 1);
    expect(watched.replica.check('ada').code).toBe('user_not_found');
    jest.setSystemTime(end);
    expect(watched.replica.check('ada')).toMatchObject({ code: null, decidedBy: 'default' });
  });
});

test('errors of listeners stop nothing, and are reported', async () => {
  const thrown = new Error('of the application');
  watched = await open({ onChange: () => Promise.reject(thrown) });
  deliver(statusChange('zoe', 'disabled'));
  await pass(6);
  expect(watched.failures).toEqual([{ during: 'onChange', error: thrown }]);
  await watched.replica.close();
  watched = await open({
    onError: () => {
      throw thrown;
    },
  });
  stub.changes = () => 'drop';
  await pass(30);
  stub.changes = (after) => ({ items: [], cursor: after });
  await pass(30);
  expect(watched.replica.ageSeconds).toBeLessThan(6);
});

test('no decision fails during an outage of ten minutes, and the first poll afterwards catches up', async () => {
  watched = await open({ whenStale: 'goOn' });
  const { replica } = watched;
  stub.changes = () => 'drop';
  for (let second = 0; second < 600; second++) {
    await pass(1);
    for (const userId of ['ada', 'zoe', 'grace', 'alan'])
      expect(replica.check(userId)).toMatchObject({ effectiveStatus: blocks(userId), code: null });
  }
  const items = Array.from({ length: 250 }, (_, at) => statusChange(`user-${at}`, 'disabled'));
  stub.changes = (after) => {
    const from = after === 'c0' ? 0 : Number(after);
    return { items: items.slice(from, from + 100), cursor: String(Math.min(from + 100, 250)) };
  };
  await pass(25);
  for (const at of [0, 150, 249]) expect(replica.check(`user-${at}`).effectiveStatus).toBe('disabled');
  expect(replica.ageSeconds).toBeLessThan(26);
});

test('gives no decision for an invalid id', async () => {
  watched = await open();
  for (const userId of ['', '..', 'a b', 'x'.repeat(129), undefined as never])
    expect(watched.replica.check(userId)).toMatchObject({ effectiveStatus: 'disabled', code: 'user_not_found' });
});

test('waits at its start for a service behind a refusing proxy, up to its limit', async () => {
  stub.isForeign = true;
  stub.access = () => new Response('<html>', { status: 403 });
  const opening = openWatched(stub);
  await pass(20);
  stub.access = () => page;
  await pass(40);
  watched = await opening;
  expect(watched.replica.check('ada').effectiveStatus).toBe('disabled');
});

test.each([400, 410])('does not load another snapshot for a page with %i', async (status) => {
  watched = await open();
  stub.isForeign = true;
  stub.changes = () => new Response('<html>', { status });
  await pass(60);
  expect(stub.targets.filter((target) => target.startsWith('access'))).toHaveLength(1);
});

describe('the time of an answer', () => {
  test.each([-601_000, 86_400_000, -86_400_000, 602_000])('is not believed at %i ms', async (ahead) => {
    stub.access = () => ({ ...page, items: [accessEntry('ada', { until: iso(3600) })], total: 1 });
    watched = await open({ whenStale: 'goOn' });
    stub.ahead = ahead;
    await pass(30);
    expect(watched.replica.check('ada')).toMatchObject({ effectiveStatus: 'disabled', code: null });
    expect(watched.replica.ageSeconds).toBe(30);
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { code: 'unexpected_answer' } });
  });

  test('that cannot be parsed counts as missing', async () => {
    watched = await open();
    stub.changes = (after) => Response.json({ items: [], cursor: after }, { headers: { date: 'tomorrow' } });
    await pass(30);
    expect(watched.replica.ageSeconds).toBe(30);
  });

  test('may be missing: then this machine’s clock counts', async () => {
    watched = await open();
    stub.changes = (after) => Response.json({ items: [], cursor: after });
    await pass(30);
    expect(watched.replica.ageSeconds).toBeLessThan(10);
  });

  test('of a cached page does not reduce the age of the data', async () => {
    watched = await open();
    const nonces = { 'request-nonce': crypto.randomUUID(), date: iso(-1200) };
    stub.isForeign = true;
    stub.changes = (after) => Response.json({ items: [], cursor: after }, { headers: nonces });
    await pass(61);
    expect(watched.replica.ageSeconds).toBe(61);
    expect(watched.replica.check('zoe').code).toBe('stale');
  });
});

test('stops polling once its start has failed', async () => {
  stub.changes = () => 'drop';
  const opening = openWatched(stub, { startTimeoutSeconds: 1 });
  const outcome = expect(opening).rejects.toMatchObject({ code: 'no_answer' });
  await pass(5);
  await outcome;
  const asked = stub.targets.length;
  await pass(60);
  expect(stub.targets).toHaveLength(asked);
});
