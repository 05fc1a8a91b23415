import { describe, expect, jest, test } from '@jest/globals';
import { problem } from './client-fixture.ts';
import { iso, replicasOnStub, start } from './replica-on-stub.ts';
import { accessEntry, pass, stubPage } from './replica-service.ts';

const it = replicasOnStub();

describe('data older than allowed', () => {
  test.each([
    ['deny', 'stale'],
    ['ask', 'stale'],
    ['goOn', null],
  ] as const)(
    'with whenStale "%s" gives the code %s, and decides again once the replica has caught up',
    async (whenStale, code) => {
      const watched = await it.open({ whenStale });
      it.stub.changes = () => 'drop';
      await pass(60);
      expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null, ageSeconds: 60 });
      await pass(1);
      const effectiveStatus = code ? 'disabled' : 'enabled';
      expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus, code, ageSeconds: 61 });
      it.stub.changes = (after) => ({ items: [], cursor: after });
      await pass(30);
      expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    },
  );

  test('no longer decides once the key is rejected, even during a later outage', async () => {
    const watched = await it.open({ whenStale: 'goOn' });
    it.stub.changes = () => 'refuse';
    await pass(20);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    it.stub.changes = () => 'drop';
    await pass(60);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', code: 'key_refused' });
    expect(it.changesAsked().length).toBeGreaterThan(4);
    it.stub.changes = (after) => ({ items: [], cursor: after });
    await pass(30);
    it.stub.changes = () => 'drop';
    await pass(120);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
  });

  test.each([
    ['a page with 401', () => new Response('<html>', { status: 401 })],
    ['a page with 403', () => new Response('<html>', { status: 403 })],
    ['a problem document of another service', () => Response.json(problem('key_revoked'), { status: 401 })],
  ])('still decides while an intermediary answers with %s', async (_, answer) => {
    const watched = await it.open({ whenStale: 'goOn' });
    it.stub.isForeign = true;
    it.stub.changes = answer;
    await pass(300);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'enabled', code: null });
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { code: 'unexpected_answer' } });
  });

  test.each([
    ['clock_skew', 401],
    ['digest_mismatch', 401],
    ['component_missing', 401],
    ['signature_missing', 401],
  ])('still decides after %s, which does not reject the key', async (code, status) => {
    const watched = await it.open({ whenStale: 'goOn' });
    it.stub.changes = () => Response.json(problem(code), { status });
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
  ])('no longer decides after the service answers %s', async (code, status) => {
    const watched = await it.open({ whenStale: 'goOn' });
    it.stub.changes = () => Response.json(problem(code), { status });
    await pass(70);
    expect(watched.replica.check('zoe')).toMatchObject({ effectiveStatus: 'disabled', code: 'key_refused' });
  });
});

describe('the age of the data', () => {
  test('is measured by the clock that has advanced further', async () => {
    const watched = await it.open({ whenStale: 'deny', pollSeconds: 1000, maxStalenessSeconds: 2000 });
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
    const watched = await it.open();
    it.stub.changes = (after) =>
      new Promise((resolve) => {
        answer = () => resolve({ items: [], cursor: after });
      });
    await pass(9);
    answer();
    await pass(1);
    expect(watched.replica.ageSeconds).toBe(5);
  });
});

describe('the date of a response', () => {
  test.each([-601_000, 86_400_000, -86_400_000, 602_000])('is rejected if it is off by %i ms', async (ahead) => {
    it.stub.access = () => ({ ...stubPage(), items: [accessEntry('ada', { until: iso(3600) })], total: 1 });
    const watched = await it.open({ whenStale: 'goOn' });
    it.stub.ahead = ahead;
    await pass(30);
    expect(watched.replica.check('ada')).toMatchObject({ effectiveStatus: 'disabled', code: null });
    expect(watched.replica.ageSeconds).toBe(30);
    expect(watched.failures[0]).toMatchObject({ during: 'poll', error: { code: 'unexpected_answer' } });
  });

  test('that cannot be parsed counts as missing', async () => {
    const watched = await it.open();
    it.stub.changes = (after) =>
      Response.json({ items: [], pending: 0, more: false, cursor: after }, { headers: { date: 'tomorrow' } });
    await pass(30);
    expect(watched.replica.ageSeconds).toBe(30);
  });

  test("may be missing: then this machine's clock counts", async () => {
    const watched = await it.open();
    it.stub.changes = (after) => Response.json({ items: [], pending: 0, more: false, cursor: after });
    await pass(30);
    expect(watched.replica.ageSeconds).toBeLessThan(10);
  });

  test('of a cached page does not reduce the age of the data', async () => {
    const watched = await it.open();
    const nonces = { 'request-nonce': crypto.randomUUID(), date: iso(-1200) };
    it.stub.isForeign = true;
    it.stub.changes = (after) =>
      Response.json({ items: [], pending: 0, more: false, cursor: after }, { headers: nonces });
    await pass(61);
    expect(watched.replica.ageSeconds).toBe(61);
    expect(watched.replica.check('zoe').code).toBe('stale');
  });
});
