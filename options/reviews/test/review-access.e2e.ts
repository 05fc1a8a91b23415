import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { updateApplication } from '#shared/domain/application/applications.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { openTab, press } from '#test/e2e/support/tab-to.ts';
import { alterItem } from '#test/support/alter-item.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';

const it = dashboardForTests();
const appId = 'payroll' as AppId;
const end = new Date(Date.now() + 30 * 86_400_000).toISOString();

beforeAll(async () => {
  await newApplication(['editor', 'viewer'], appId);
  await updateApplication({ appId, name: 'Payroll', reviewEveryDays: 90 }, operator);
  // As old as its first review would be.
  const createdAt = new Date(Date.now() - 91 * 86_400_000).toISOString();
  await alterItem(it.service, [`APP#${appId}`, 'APP'], ['createdAt'], createdAt);
  for (const [userId, displayName] of [
    ['review-a', 'Ada King'],
    ['review-b', 'Bob Ray'],
    ['review-c', 'Cem Sahin'],
  ] as const) {
    await newUser(userId);
    await updateUser({ userId: userId as UserId, displayName }, operator);
  }
  await grantRole('review-a', appId, 'editor', end);
  await grantRole('review-a', appId, 'viewer');
  await setStatus('review-b', appId, 'disabled', 'left the team');
  const key = await it.service.issueKey(appId, ['roles:write']);
  await it.service.request(['POST', '/api/service/roles/review-c/assign'], { key, body: { role: 'viewer' } });
});

test("an application's access is exported and marked as reviewed in 5 clicks from the list of applications", async () => {
  const page = await it.enter('/applications');
  const clicks = await countClicks(page);
  const row = page.getByRole('row').filter({ hasText: 'Payroll' });
  await row.getByText('Review overdue').waitFor();
  await row.getByRole('link', { name: 'Payroll' }).click();
  await page.getByRole('tab', { name: 'Review' }).click();
  const user = (name: string) => page.getByRole('table', { name: 'users' }).getByRole('row').filter({ hasText: name });
  await user('Ada King').getByText('editor').waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const saved = await saving;
  await page.getByText('Exported 3 users.').first().waitFor();
  await grantRole('review-b', appId, 'viewer');
  await page.getByRole('button', { name: 'Mark as reviewed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/by the list that was exported/).waitFor();
  await dialog.getByText('1 change of access and roles came after that.').waitFor();
  await dialog.getByLabel('Reason').fill('quarterly review');
  await dialog.getByLabel('Ticket').fill('AUD-7');
  await dialog.getByRole('button', { name: 'Mark as reviewed' }).click();
  await page
    .getByText(/^Marked Payroll as reviewed\. The next review is due/)
    .first()
    .waitFor();
  expect(clicks()).toBe(5);

  await page
    .getByText(/by edith/)
    .first()
    .waitFor();
  await page.getByText(/1 change came after it\./).waitFor();
  await page.getByRole('button', { name: 'Mark as reviewed' }).click();
  await dialog.getByText(/by the list that was read/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByText('Review overdue').count()).toBe(0);
  expect(await page.locator('main').innerText()).not.toMatch(/\b(enabled|disabled)\b/i);
  const text = readFileSync(await saved.path(), 'utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(saved.suggestedFilename()).toMatch(/^access-to-payroll-\d{4}-\d\d-\d\d\.csv$/);
  expect(
    data.map(({ userName, access, holds, what, byName, ends }) => [userName, access, holds, what, byName, ends !== '']),
  ).toEqual([
    ['Ada King', 'Allowed', 'Role', 'editor', 'test', true],
    ['Ada King', 'Allowed', 'Role', 'viewer', 'test', false],
    ['Bob Ray', 'Blocked', 'Status', 'Blocked', 'test', false],
    ['Cem Sahin', 'Allowed', 'Role', 'viewer', 'Payroll', false],
    ['All other users', 'Allowed by default', '', '', '', false],
  ]);
  const [review] = [...(await it.service.items()).values()].filter(
    ({ action, gsi1pk }) => action === 'application.reviewed' && gsi1pk,
  );
  expect(review).toMatchObject({
    reason: 'quarterly review',
    ticket: 'AUD-7',
    caller: { kind: 'operator', id: expect.any(String) },
    after: { laterChanges: 1 },
  });
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('row').filter({ hasText: 'Access reviewed' }).getByText('AUD-7').waitFor();
});

test('the same is exported and marked by keyboard alone', async () => {
  const page = await it.enter(`/applications/${appId}`);
  const clicks = await countClicks(page);
  await openTab(page, 'Review');
  const saving = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'Export as CSV' }), 'Enter');
  await saving;
  await press(page, page.getByRole('button', { name: 'Mark as reviewed' }), 'Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/by the list that was exported/).waitFor();
  await press(page, dialog.getByLabel('Reason'), 'ControlOrMeta+A');
  await page.keyboard.type('by keyboard');
  await press(page, dialog.getByRole('button', { name: 'Mark as reviewed' }), 'Enter');
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByText(/^Marked Payroll as reviewed/)
    .first()
    .waitFor();
  expect(clicks()).toBe(0);
});

test('the list of applications shows overdue reviews alone, and an application can expect reviews', async () => {
  const createdAt = new Date(Date.now() - 5 * 86_400_000).toISOString();
  await newApplication([], 'dormant');
  await alterItem(it.service, ['APP#dormant', 'APP'], ['createdAt'], createdAt);
  const page = await it.enter('/applications/dormant?tab=review');
  await page.getByText('No users yet.').waitFor();
  await page.getByText('Never', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Expect reviews' }).click();
  const field = page.getByLabel('Days between reviews');
  await field.fill('0');
  await page.keyboard.press('Enter');
  await page.getByText('Must be at least 1').waitFor();
  await lookAtWidths(page, 'review-expect');
  await field.fill('3');
  await page.keyboard.press('Enter');
  await page.getByText('Next review, every 3 days').waitFor();
  await page.getByText('Review overdue').waitFor();
  await page.goto(`${it.dashboard.url}/applications`);
  await page.getByRole('link', { name: 'Payroll' }).waitFor();
  await lookAtWidths(page, 'review-applications');
  await page.getByLabel('Review overdue only').click();
  await page.getByRole('link', { name: 'Payroll' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('table').getByRole('link').allInnerTexts()).toEqual(['Application dormant']);
});

test('the list and the dialog are accessible at every width and in both themes', async () => {
  const page = await it.enter(`/applications/${appId}?tab=review`);
  await page.getByText('Cem Sahin').waitFor();
  await lookAtWidths(page, 'review-list');
  await page.getByRole('button', { name: 'Mark as reviewed' }).click();
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
  await lookAtWidths(page, 'review-mark');
});

test('a viewer sees and exports the list, and cannot mark it', async () => {
  const page = await it.enter(`/applications/${appId}?tab=review`, 'dorothy');
  await page.getByRole('button', { name: 'Export as CSV' }).waitFor();
  await page.getByText('Cem Sahin').waitFor();
  expect(await page.getByRole('button', { name: 'Mark as reviewed' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Expect reviews' }).count()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
