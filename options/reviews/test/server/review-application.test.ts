import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { isReviewOverdue } from '#shared/contract/review-due.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication, getApplication, updateApplication } from '#shared/domain/application/applications.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { operatorContext as context, operatorAttempt, storedChange } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { roleItem } from '#test/support/table-items.ts';
import { reviewApplication } from '../../server/review-application.ts';

const appId = 'billing' as AppId;
const userId = 'ada' as UserId;
const role = 'editor' as RoleName;
const start = new Date('2026-11-20T19:00:00.000Z');
const memory = tableForEachTest(start);
const second = 1000;
const day = 86_400_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const wait = (milliseconds: number) => jest.setSystemTime(Date.now() + milliseconds);
const review = (asOf: string, by = context) => reviewApplication({ appId, asOf }, by);
const reviews = () => memory.table.items().filter(({ action, gsi1pk }) => action === 'application.reviewed' && gsi1pk);

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
});

test('a review is recorded with what it was about, and the next one continues from it', async () => {
  const asOf = ago(0);
  wait(5 * second);
  const marked = await review(asOf, { ...context, reason: 'quarterly', ticket: 'AUD-7' });
  expect(marked).toMatchObject({ reviewedAt: '2026-11-20T19:00:05.000Z', version: 2, laterChanges: 0 });
  wait(day);
  const again = ago(0);
  await review(again);
  const unreviewed = { reviewedAsOf: null, laterChanges: null };
  expect(reviews().map(({ before, after, reason, ticket }) => ({ before, after, reason, ticket }))).toEqual([
    {
      reason: 'quarterly',
      ticket: 'AUD-7',
      before: { ...unreviewed, version: 1 },
      after: { reviewedAsOf: asOf, laterChanges: 0, version: 2 },
    },
    {
      reason: null,
      before: { reviewedAsOf: asOf, laterChanges: 0, version: 2 },
      after: { reviewedAsOf: again, laterChanges: 0, version: 3 },
    },
  ]);
  expect(await getApplication({ appId })).toMatchObject({ reviewedAt: '2026-11-21T19:00:05.000Z', version: 3 });
});

test('the application and its record are written in one transaction', async () => {
  memory.sdk.requests.length = 0;
  await review(ago(0));
  const writes = memory.sdk.requests.filter(({ command }) => /Write|Put|Update/.test(command));
  expect(writes.map(({ command }) => command)).toEqual(['TransactWriteItemsCommand']);
});

test('all attempts of a call make one review', async () => {
  const asOf = ago(0);
  const first = await review(asOf, operatorAttempt('first', 'call'));
  wait(second);
  expect(await review(asOf, operatorAttempt('second', 'call'))).toEqual(first);
  expect(reviews()).toHaveLength(1);
});

test('the list may become too old between two attempts of a call', async () => {
  const asOf = ago(30 * day);
  const first = await review(asOf, operatorAttempt('first', 'call'));
  wait(second);
  expect(await review(asOf, operatorAttempt('second', 'call'))).toEqual(first);
});

test('a dry run counts the changes and records nothing', async () => {
  expect(await review(ago(0), { ...context, dryRun: true })).toMatchObject({ laterChanges: 0 });
  expect(reviews()).toEqual([]);
});

describe('changes after the list was read', () => {
  test('of access and roles of its users are counted, others are not', async () => {
    memory.put(roleItem());
    await createUser({ userId, displayName: null, email: null }, context);
    const set = (status: 'enabled' | 'disabled') =>
      setAccess({ userId, appId, setting: { status, reason: null, until: null } as SetAccessBody }, context);
    await set('disabled');
    wait(second);
    const asOf = ago(0);
    wait(second);
    await set('enabled');
    await assignRole({ userId, appId, grant: { role, expiresAt: null } }, context);
    await revokeRole({ userId, appId, role }, context);
    await updateApplication({ appId, name: 'Invoices' }, context);
    await review(asOf);
    expect(await review(asOf)).toMatchObject({ laterChanges: 3 });
  });

  test('are counted up to 10,000', async () => {
    const asOf = ago(1);
    for (let n = 0; n < 10_001; n++) {
      const id = `01M7Y00000${String(n).padStart(16, '0')}`;
      const place = { pk: 'USER#ada', sk: `CHANGE#${id}`, gsi1pk: 'APP#billing#CHANGES', gsi1sk: id };
      memory.put({ ...place, ...storedChange({ id }) });
    }
    expect(await review(asOf)).toMatchObject({ laterChanges: 10_000 });
  });
});

test.each([
  ['is accepted up to the difference of clocks', -5 * second, undefined],
  ['is refused beyond it', -5 * second - 1, 'must not be in the future'],
  ['is accepted after 30 days', 30 * day, undefined],
  ['is refused after more', 30 * day + 1, 'must be at most 30 days ago: read the list again'],
])('a list from that time %s', async (_, age, detail) => {
  const reviewed = review(ago(age));
  if (detail === undefined) await expect(reviewed).resolves.toMatchObject({ appId });
  else await expect(reviewed).rejects.toMatchObject({ options: { field: { name: 'asOf', detail } } });
  expect(reviews()).toHaveLength(detail === undefined ? 1 : 0);
});

test('an application that does not exist cannot be reviewed', async () => {
  const none = reviewApplication({ appId: 'none' as AppId, asOf: ago(0) }, context);
  await expect(none).rejects.toMatchObject({ code: 'application_not_found' });
});

test('a review is due a number of days after the last one, or after the creation, and only if reviews are expected', async () => {
  const due = async () => (await getApplication({ appId })).reviewDueAt;
  expect(await due()).toBeNull();
  await updateApplication({ appId, reviewEveryDays: 90 }, context);
  expect(await due()).toBe('2027-02-18T19:00:00.000Z');
  wait(100 * day);
  await review(ago(0));
  expect(await due()).toBe('2027-05-29T19:00:00.000Z');
  await updateApplication({ appId, reviewEveryDays: null }, context);
  expect(await due()).toBeNull();
});

test.each([
  [null, false],
  ['2026-11-20T19:00:00.001Z', false],
  ['2026-11-20T19:00:00.000Z', true],
])('a review that is due at %s is overdue: %s', (reviewDueAt, expected) => {
  expect(isReviewOverdue({ reviewDueAt }, start)).toBe(expected);
});
