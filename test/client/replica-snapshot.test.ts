import { describe, expect, test } from '@jest/globals';
import { problem } from './client-fixture.ts';
import { replicasOnStub, start, statusChange } from './replica-on-stub.ts';
import { accessEntry, blocked, pass, stubPage } from './replica-service.ts';
import { ulid } from './replica-world.ts';

const it = replicasOnStub();
const expired = () => Response.json(problem('cursor_expired'), { status: 410 });

describe('a snapshot', () => {
  test.each([
    ['with fewer entries than its total', { total: 3 }],
    ['with more entries than its total', { total: 1 }],
    ['without a total', { total: null }],
    [
      'with an entry of an unknown kind',
      {
        items: [...blocked, { kind: 'suspended', userId: 'zoe', changeId: ulid(start, 0), status: null, roles: [] }],
        total: 3,
      },
    ],
    ['with an entry without a user', { items: [...blocked, accessEntry(undefined as never)], total: 3 }],
    ['without a cursor for changes', { changesCursor: '' }],
    ['without a rollout', { rolloutPercent: undefined }],
  ])('%s is rejected and read again', async (_, members) => {
    const whole = it.stub.access(null) as object;
    it.stub.access = () => {
      it.stub.access = () => whole;
      return { ...whole, ...members };
    };
    const opening = it.beginOpening();
    await pass(0);
    expect(it.stub.targets).toEqual(['access?limit=2500']);
    await pass(2);
    const watched = await opening;
    expect(watched.failures).toMatchObject([{ during: 'poll', error: { name: 'TypeError' } }]);
    expect(watched.replica.check('grace').effectiveStatus).toBe('disabled');
  });

  test('whose pages have different cursors for changes is rejected', async () => {
    const page = { rolloutPercent: 100, applicationVersion: 1 };
    it.stub.access = (after) =>
      after
        ? { ...page, items: [blocked[1]], cursor: null, total: 2, changesCursor: 'c1' }
        : { ...page, items: [blocked[0]], cursor: 'p1', total: null, changesCursor: 'c0' };
    const opening = it.beginOpening({ startTimeoutSeconds: 1 }).catch((error) => error);
    await pass(5);
    expect(await opening).toMatchObject({ name: 'TypeError' });
  });

  test('resumes at the failed page, and is used only together with the changes made since', async () => {
    const page = { changesCursor: 'c0', rolloutPercent: 100, applicationVersion: 1 };
    it.stub.access = (after) => {
      if (!after) return { ...page, items: [blocked[0]], cursor: 'p1', total: null };
      if (it.stub.targets.length < 3) return 'drop';
      return { ...page, items: [blocked[1]], cursor: null, total: 2 };
    };
    const item = statusChange('grace', 'enabled');
    it.stub.changes = (after) =>
      after === 'c0' ? { items: [item], more: false, cursor: 'c1' } : { items: [], more: false, cursor: after };
    const opening = it.beginOpening();
    await pass(3);
    const watched = await opening;
    expect(it.stub.targets).toEqual([
      'access?limit=2500',
      'access?limit=2500&after=p1',
      'access?limit=2500&after=p1',
      'changes?limit=100&after=c0&pending=new',
    ]);
    const decisions = ['ada', 'grace'].map((userId) => watched.replica.check(userId).effectiveStatus);
    expect(decisions).toEqual(['disabled', 'enabled']);
    expect(watched.changes).toEqual([]);
  });

  test('replaces all data after the cursor has expired; until it is loaded, the old data decides', async () => {
    const watched = await it.open();
    it.stub.access = () => ({ ...stubPage(), items: [accessEntry('zoe')], total: 1, changesCursor: 'd0' });
    it.stub.changes = (after) => (after === 'c0' ? expired() : { items: [], more: false, cursor: after });
    await pass(6);
    expect(watched.failures).toMatchObject([{ during: 'poll', error: { code: 'cursor_expired' } }]);
    expect(watched.replica.check('ada').effectiveStatus).toBe('disabled');
    expect(it.stub.targets.at(-1)).toBe('changes?limit=100&after=c0&pending=new');
    // Half of 25 seconds, because Math.random returns 0.5.
    await pass(13);
    const decisions = ['ada', 'grace', 'zoe'].map((userId) => watched.replica.check(userId).effectiveStatus);
    expect(decisions).toEqual(['enabled', 'enabled', 'disabled']);
    expect(watched.changes).toEqual([{ all: false, userIds: ['ada', 'grace', 'zoe'] }]);
    expect(it.stub.targets.slice(-2)).toEqual(['access?limit=2500', 'changes?limit=100&after=d0&pending=new']);
  });
});

test.each([400, 410])('does not reload the snapshot for a %i of an intermediary', async (status) => {
  await it.open();
  it.stub.isForeign = true;
  it.stub.changes = () => new Response('<html>', { status });
  await pass(60);
  expect(it.stub.targets.filter((target) => target.startsWith('access'))).toHaveLength(1);
});

test('keeps trying at its start while a proxy refuses requests, up to its time limit', async () => {
  it.stub.isForeign = true;
  it.stub.access = () => new Response('<html>', { status: 403 });
  const opening = it.beginOpening();
  await pass(20);
  it.stub.access = () => stubPage();
  await pass(40);
  const watched = await opening;
  expect(watched.replica.check('ada').effectiveStatus).toBe('disabled');
});

test('stops polling once its start has failed', async () => {
  it.stub.changes = () => 'drop';
  const opening = it.beginOpening({ startTimeoutSeconds: 1 });
  const outcome = expect(opening).rejects.toMatchObject({ code: 'no_answer' });
  await pass(5);
  await outcome;
  const asked = it.stub.targets.length;
  await pass(60);
  expect(it.stub.targets).toHaveLength(asked);
});
