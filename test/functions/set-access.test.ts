import { describe, expect, test } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { eventually } from '../support/eventually.ts';
import { describeEveryWrite } from '../support/every-write.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { newUser } from '../support/new-user.ts';
import { changeOf, readHistory, writtenBy } from '../support/read-history.ts';
import { fromNow, yearsFromNow } from '../support/timestamps.ts';
import { anAccess, aTimestamp, recorded, unrecorded } from '../support/view-shapes.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService();

const target = (userId: string) => `/api/service/users/${userId}/access`;
const set = (userId: string, body: object | string) => service.request(['PUT', target(userId)], { body });
const get = (userId: string) => service.request(['GET', target(userId)]);

describeEveryWrite(() => service, { method: 'PUT', target, body: { status: 'disabled' }, scope: 'access:write' });

describe('200', () => {
  const tomorrow = fromNow(86_400_000);

  test('setting an access returns the whole access, and a read returns the same', async () => {
    const user = await newUser();
    const { body } = await set(user, { status: 'disabled', reason: 'unpaid', until: tomorrow });
    const { changed, changeId, ...access } = body;
    expect({ changed, changeId }).toEqual(recorded);
    const setting = { status: 'disabled', explicit: true, until: tomorrow, reason: 'unpaid' };
    const effective = { effectiveStatus: 'disabled', decidedBy: 'explicit' };
    expect(access).toEqual(
      anAccess({ userId: user, appId: 'billing', ...setting, ...effective, version: 1, updatedAt: aTimestamp }),
    );
    expect(Math.abs(Date.parse(access.updatedAt) - Date.now())).toBeLessThan(5000);
    expect((await get(user)).body).toEqual(access);
  });

  test.each([
    ['the default', undefined, { status: 'disabled' }],
    ['the default to the same status, but explicit', undefined, { status: 'enabled' }],
    ['enabled', { status: 'enabled' }, { status: 'disabled' }],
    ['disabled', { status: 'disabled' }, { status: 'enabled' }],
    ['no reason', { status: 'disabled' }, { status: 'disabled', reason: 'because' }],
    ['a reason', { status: 'disabled', reason: 'one' }, { status: 'disabled', reason: 'another' }],
    ['no expiry', { status: 'disabled' }, { status: 'disabled', until: tomorrow }],
    ['an expiry', { status: 'disabled', until: fromNow(60_000) }, { status: 'disabled', until: tomorrow }],
  ])('setting an access changes %s', async (_, first, setting) => {
    const user = await newUser();
    if (first) await set(user, first);
    expect((await set(user, setting)).body).toMatchObject({
      ...setting,
      explicit: true,
      effectiveStatus: setting.status,
      decidedBy: 'explicit',
      version: first ? 2 : 1,
      changed: true,
    });
  });

  test.each([
    { status: 'enabled' },
    { status: 'disabled', reason: null, until: null },
    { status: 'disabled', reason: 'unpaid', until: tomorrow },
  ])('changes and records nothing if the access is already %j', async (setting) => {
    const user = await newUser();
    const { body: first } = await set(user, setting);
    expect(await writtenBy(service, () => set(user, setting))).toEqual(['NONCE#*']);
    expect((await set(user, setting)).body).toEqual({ ...first, ...unrecorded });
    expect(await readHistory(service, user)).toHaveLength(1);
  });

  test('replaces the whole setting: an omitted member is reset', async () => {
    const user = await newUser();
    await set(user, { status: 'disabled', reason: 'unpaid', until: tomorrow });
    expect((await set(user, { status: 'disabled' })).body).toMatchObject({ changed: true, reason: null, until: null });
  });

  test.each([
    ['null', null],
    ['256 characters', 'x'.repeat(256)],
    ['not ASCII', 'Grüße, 世界 😀'],
    ['lines', 'a\n\tb'],
  ])('accepts a reason that is %s', async (_, reason) => {
    const user = await newUser();
    expect(await set(user, { status: 'disabled', reason })).toMatchObject({ status: 200, body: { reason } });
    expect((await get(user)).body.reason).toBe(reason);
  });

  test('counts the characters of a reason, not its UTF-16 code units (RFC 8259 section 7)', async () => {
    const reason = '😀'.repeat(256);
    expect(await set(await newUser(), { status: 'disabled', reason })).toMatchObject({ status: 200, body: { reason } });
  });

  test('stores the expiry of a block in UTC, so that the same time with another offset is not a change', async () => {
    const user = await newUser();
    const year = new Date().getUTCFullYear() + 1;
    const until = `${year}-03-01T02:30:00.5+02:30`;
    const { body } = await set(user, { status: 'disabled', until });
    expect(body).toMatchObject({ changed: true, until: `${year}-03-01T00:00:00.500Z` });
    const again = await set(user, { status: 'disabled', until: `${year}-02-28T19:00:00.500-05:00` });
    expect(again.body).toEqual({ ...body, ...unrecorded });
  });

  test('accepts an expiry of a block almost five years ahead', async () => {
    const until = yearsFromNow(5, -60_000);
    expect((await set(await newUser(), { status: 'disabled', until })).body).toMatchObject({ changed: true, until });
  });

  test('a block expires exactly on time', async () => {
    const user = await newUser();
    const until = fromNow(3000);
    const { body: blocked } = await set(user, { status: 'disabled', until });
    expect(blocked).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'explicit', until });
    const { body } = await eventually(
      () => get(user),
      (answer) => answer.body.effectiveStatus !== 'disabled',
    );
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
    const { changed: _, changeId: __, ...access } = blocked;
    expect(body).toEqual({ ...access, effectiveStatus: 'enabled', decidedBy: 'lapsed' });
    expect((await set(user, { status: 'disabled' })).body).toMatchObject({ changed: true, decidedBy: 'explicit' });
  });

  test('keeps the roles of a disabled user', async () => {
    const user = await newUser();
    await service.request(['POST', `/api/service/roles/${user}/assign`], { body: { role: 'editor' } });
    const roles = [{ name: 'editor', expiresAt: null }];
    expect((await set(user, { status: 'disabled' })).body).toMatchObject({ effectiveStatus: 'disabled', roles });
    expect((await service.items()).has(`APP#billing#ROLE#editor USER#${user}`)).toBe(true);
  });

  test('enabling the access of an inactive user leaves the user disabled', async () => {
    const user = await newUser();
    await set(user, { status: 'disabled' });
    await alterItem(service, [`USER#${user}`, 'USER'], ['status'], 'inactive');
    expect((await set(user, { status: 'enabled' })).body).toMatchObject({
      changed: true,
      status: 'enabled',
      effectiveStatus: 'disabled',
      decidedBy: 'user',
    });
  });

  test('records who changed an access, from what, to what, when, why and in which request', async () => {
    const user = await newUser();
    await set(user, { status: 'disabled', reason: 'unpaid', until: tomorrow });
    const answer = await set(user, { status: 'enabled', reason: 'paid' });
    const recorded = { explicit: true, ...unsetFields(accessFields) };
    const change = {
      action: 'access.changed',
      before: { ...recorded, status: 'disabled', until: tomorrow, reason: 'unpaid', version: 1 },
      after: { ...recorded, status: 'enabled', reason: 'paid', version: 2 },
      reason: 'paid',
    };
    expect(await readHistory(service, user)).toEqual([
      expect.objectContaining({ action: 'access.changed' }),
      changeOf(answer, service.billingKey, change),
    ]);
  });

  test('records the default access as the state before the first change', async () => {
    const user = await newUser();
    await set(user, { status: 'disabled' });
    expect(await readHistory(service, user)).toMatchObject([
      { before: { status: 'enabled', explicit: false, until: null, reason: null, version: 0 }, reason: null },
    ]);
  });
});

describe('400', () => {
  writeNothing(() => service, { outcomes: false });
  const expectRefused = async (body: object | string, ...pointers: readonly string[]) =>
    expectInvalid(await set('ada', body), ...pointers);

  test.each([
    {},
    { reason: 'unpaid' },
    ...[null, 1, true, '', 'ENABLED', 'inactive', ['disabled'], {}].map((status) => ({ status })),
  ])('refuses to set an access with the status in %j', (body) => expectRefused(body, '#/status'));

  test.each(['', 'x'.repeat(257), 1, false, ['unpaid'], {}])('refuses to set an access with the reason %j', (reason) =>
    expectRefused({ status: 'disabled', reason }, '#/reason'),
  );

  test('refuses a reason with half a surrogate pair, which the table cannot store', () =>
    expectRefused('{"status":"disabled","reason":"\\ud800"}', '#/reason'));

  test('refuses an expiry for an enabled access', () =>
    expectRefused({ status: 'enabled', until: fromNow(86_400_000) }, '#/until'));

  test('refuses a misspelt member instead of disabling without expiry', () =>
    expectRefused({ status: 'disabled', untill: fromNow(86_400_000) }, '#/untill'));

  test('names all invalid members of a setting', () =>
    expectRefused(
      { status: 'off', reason: '', until: 'soon', untill: 1 },
      '#/status',
      '#/reason',
      '#/until',
      '#/untill',
    ));
});
