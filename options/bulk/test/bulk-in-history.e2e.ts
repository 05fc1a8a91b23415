import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import type { AppId, BulkId, UserId } from '#shared/contract/fields.ts';
import { setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { press, tabTo } from '#test/e2e/support/tab-to.ts';
import { setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';
import { undoBulk } from '../server/undo-bulk.ts';

const it = dashboardForTests();
const artefacts = join(import.meta.dirname, '../../../test/e2e/artefacts');
const caller = {
  kind: 'operator',
  via: 'token',
  role: 'support',
  id: 'sub-edith',
  email: 'edith@example.com',
} as const;
const context = { ...operator, caller };
const heldRoles = [{ role: 'admin', appId: null }] as const;
const appId = 'billing' as AppId;
const bulkId = newBulkId(Date.now()) as BulkId;
const names = Array.from({ length: 60 }, (_, n) => `leaver-${n + 10}`);

beforeAll(async () => {
  await setStatus(await newUser('alone'), appId, 'disabled');
  const userIds: UserId[] = [];
  for (const name of names) {
    const userId = (await newUser(name)) as UserId;
    await updateUser({ userId, displayName: `Person ${name}` }, context);
    userIds.push(userId);
  }
  const setting = { status: 'disabled', reason: 'left the company', until: null } as const;
  for (const some of [userIds.slice(0, 30), userIds.slice(30)]) {
    await setAccessInBulk({ userIds: some, bulkId, appId, setting }, context);
  }
});

const row = (page: Awaited<ReturnType<typeof it.enter>>, text: string) =>
  page.getByRole('row').filter({ hasText: text });

test('a bulk change of sixty users is one row, which unfolds and leads to its page', async () => {
  const page = await it.enter('/history?action=access.changed');
  const bulk = row(page, 'Bulk change: Access changed');
  await bulk.getByText('60 users').waitFor();
  // Tab leads through a list that unfolds as through any other.
  await tabTo(page, bulk.getByRole('link', { name: 'Bulk change' }));
  await press(page, page.getByRole('button', { name: /^Undo: Access changed, billing, for alone/ }), 'Enter');
  await page.getByText('Undone: Access changed, billing, for alone.').waitFor();
  for (const text of ['edith@example.com (support)', 'left the company', 'Status: Blocked', 'Not undone']) {
    expect(await bulk.innerText()).toContain(text);
  }
  expect(await bulk.innerText()).not.toContain('sub-edith');
  await bulk.getByRole('button', { name: 'edith@example.com (support)' }).click();
  await page.getByText('sub-edith').waitFor();
  await page.keyboard.press('Escape');
  expect(await row(page, 'Person leaver').count()).toBe(0);
  await bulk.getByRole('button', { name: 'Unfold the bulk change' }).click();
  await row(page, 'Person leaver-69').getByText('leaver-69', { exact: true }).waitFor();
  await expectAccessible(page, 'an unfolded bulk change');
  await page.screenshot({ path: join(artefacts, 'bulk-in-history.png'), fullPage: true });

  await bulk.getByRole('link', { name: 'Bulk change' }).click();
  await page.getByRole('heading', { name: 'Bulk change', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Changes' }).getByText('Person leaver-69').waitFor();
  const main = await page.getByRole('main').innerText();
  for (const text of ['Access changed', 'billing', '60 users', 'edith@example.com', 'left the company', 'Not undone']) {
    expect(main).toContain(text);
  }
  await expectAccessible(page, 'the page of a bulk change');
  await page.screenshot({ path: join(artefacts, 'bulk-record.png'), fullPage: true });
});

test('the page of its undo says what it did, with names, and the history then shows both', async () => {
  const page = await it.enter(`/bulk/${bulkId}/undo?app=billing`);
  await page.getByText('left the company').waitFor();
  // Users are changed concurrently, so any of them may come first.
  await page
    .getByText(/^Person leaver-\d+$/)
    .first()
    .waitFor();
  expect(await page.getByRole('main').innerText()).toContain('edith@example.com');
  await page.screenshot({ path: join(artefacts, 'bulk-undo.png'), fullPage: true });

  const [first] = (await undoBulk({ bulkId, appId, heldRoles, limit: 59, dryRun: true }, context)).items;
  await undoChange({ userId: first?.userId as UserId, changeId: first?.changeId ?? '', heldRoles }, context);
  await page.reload();
  await page.getByText('Undone for 1 user of 60 users').waitFor();
  await page.getByRole('button', { name: 'Undo for 59 users' }).click();
  await page.getByText('Undone for 59 users.').waitFor();
  await page.goto(`${it.dashboard.url}/history?action=access.changed`);
  await row(page, 'Bulk change: Access changed').getByText('Undone', { exact: true }).first().waitFor();
  await row(page, 'Undo of a bulk change').getByText('59 changes').waitFor();
  await page.screenshot({ path: join(artefacts, 'bulk-undone.png'), fullPage: true });
});

test('a change that undid another links to it, with the names and the seconds of both', async () => {
  const page = await it.enter('/history?user=leaver-20&range=all');
  const undo = row(page, 'Undo of the change of');
  await undo.getByText('Person leaver-20').waitFor();
  await page.screenshot({ path: join(artefacts, 'undo-of.png'), fullPage: true });
  await undo.getByRole('link', { name: /^the change of/ }).click();
  await page.getByRole('button', { name: 'Time One change' }).waitFor();
  const only = row(page, 'Blocked');
  await only.getByText('left the company').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  expect(await only.innerText()).toMatch(/\d\d:\d\d:\d\d/);
});

test('a viewer sees a bulk change without an undo', async () => {
  const page = await it.enter(`/bulk/${bulkId}?app=billing`, 'dorothy');
  await page.getByText('left the company').waitFor();
  expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
