import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clickTwiceSlowly } from '#test/e2e/support/click-twice.ts';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { followSuggestion, press } from '#test/e2e/support/tab-to.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';

const it = dashboardForTests();
const shot = (name: string) => ({ path: `test/e2e/artefacts/${name}.png`, fullPage: true });

const receiptHead =
  /^Offboarding receipt\n\nUser: leaver.*\nWhen: 20\S+Z\nBy: .*edith.*\nReason: left the company\nTicket: HR-77\n/;

test('from the list of users, offboarding a leaver takes 3 clicks and shows a receipt, and activation gives the roles back', async () => {
  const userId = await newUser('leaver');
  const appId = await newApplication(['editor', 'viewer']);
  for (const role of ['editor', 'viewer']) await grantRole(userId, appId, role);
  await grantRole(userId, 'billing', 'editor');
  await setStatus(userId, 'wiki', 'disabled', 'spam');
  const page = await it.enter(`/users?q=${userId}`);
  const dialog = page.getByRole('dialog');
  const clicks = await countClicks(page);
  await page.getByRole('table').getByRole('link', { name: userId, exact: true }).click();
  await page.getByRole('button', { name: 'Offboard', exact: true }).click();
  await dialog.getByText('Remove all roles (3)').waitFor();
  await dialog.getByLabel('Reason').fill('left the company');
  await dialog.getByLabel('Ticket').fill('HR-77');
  await page.screenshot(shot('task-offboard'));
  await dialog.getByRole('button', { name: 'Offboard', exact: true }).click();
  await dialog.getByText(/is inactive\. 3 roles removed\./).waitFor();
  expect(clicks()).toBe(3);
  const receipt = String(await dialog.textContent());
  expect(receipt).toContain(`billing: editor`);
  expect(receipt).toContain(`Application ${appId}: editor, viewer`);
  expect(receipt).toMatch(new RegExp(`Access lost\\s*Application ${appId}, billing`));
  expect(receipt).toMatch(/Blocks that stay\s*wiki/);
  await page.screenshot(shot('task-offboard-receipt'));
  await expectAccessible(page, 'a receipt');
  const [, bulkId = ''] = /keeps the offboarding: (\w{26})/.exec(receipt) ?? [];
  const kept = await downloadedReceipt(page);
  expect(kept).toMatch(receiptHead);
  expect(kept).toContain(
    `Access lost: Application ${appId}, billing\nBlocks that stay: wiki\nBulk change: ${bulkId}\n`,
  );
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const { href: shownAt, origin } = new URL(page.url());
  await page.goto(`${origin}/history`);
  await page.getByRole('link', { name: 'Offboarded' }).first().click();
  await page.getByRole('heading', { level: 1, name: /^Offboarded leaver/ }).waitFor();
  await page.getByText('Role removed editor: billing').waitFor();
  await page.screenshot(shot('task-offboarding-record'));
  const reopened = await downloadedReceipt(page);
  expect(reopened).toMatch(receiptHead);
  expect(reopened).toMatch(/\nRoles removed: .*editor/);
  expect(reopened).toContain(`Bulk change: ${bulkId}\n`);
  await page.goto(shownAt);

  await page.getByText('Blocked: user inactive').waitFor();
  expect(await page.getByText('The user is inactive in all applications.').count()).toBe(0);
  expect(await page.getByText('Blocked: user inactive').count()).toBe(1);
  await page.screenshot(shot('task-offboarded'));
  const { body } = await it.service.request(['GET', `/api/service/users/${userId}/access`]);
  expect(body).toMatchObject({ effectiveStatus: 'disabled', userStatus: 'inactive', roles: [] });

  await page.getByLabel(`Global status of ${userId}`).click();
  await dialog.getByText('Roles that do not come back').waitFor();
  await dialog.getByText(`billing: editor · Application ${appId}: viewer, editor`).waitFor();
  await dialog.getByText('Give these roles back (3)').click();
  await page.screenshot(shot('task-reinstate'));
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Undo bulk change' }).waitFor();
  await page.getByText('Undone for 1 user.').waitFor();
  await page.getByText('3 of 3 changes').waitFor();
  await page.getByText('Undone for 3 changes of 4 changes').waitFor();
  await page.getByText('Role removed editor: billing').waitFor();
  await page.screenshot(shot('task-reinstated'));
  expect(await page.getByText("Can't be undone").count()).toBe(0);
  const back = await it.service.request(['GET', `/api/service/users/${userId}/access`]);
  expect(back.body).toMatchObject({ userStatus: 'active', roles: [{ name: 'editor' }] });
  expect(bulkId).not.toBe('');
});

test('a leaver is offboarded by keyboard alone', async () => {
  const userId = await newUser('leaver-by-keys');
  await grantRole(userId, 'billing', 'editor');
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await followSuggestion(page, userId, userId);
  await press(page, page.getByRole('button', { name: 'Offboard', exact: true }), 'Enter');
  const dialog = page.getByRole('dialog');
  await press(page, dialog.getByLabel('Reason'), 'ControlOrMeta+A');
  await page.keyboard.type('left the company');
  await press(page, dialog.getByRole('button', { name: 'Offboard', exact: true }), 'Enter');
  await dialog.getByText(/is inactive\. 1 role removed\./).waitFor();
  await press(page, dialog.getByRole('button', { name: 'Close' }).last(), 'Enter');
  await page.getByText("This user can't access any application").waitFor();
  expect(clicks()).toBe(0);
});

async function downloadedReceipt(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download receipt' }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

test('the list of users shows those who are inactive but still hold roles', async () => {
  const [stale, clean] = [await newUser('stale'), await newUser('clean')];
  await grantRole(stale, 'billing', 'editor');
  const page = await it.enter(`/users/${stale}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Offboard', exact: true }).click();
  await dialog.getByText('Remove all roles (1)').click();
  await dialog.getByRole('button', { name: 'Offboard', exact: true }).click();
  await dialog.getByText(/Roles kept\s*billing: editor/).waitFor();
  await page.goto(`${new URL(page.url()).origin}/users`);
  await page.getByRole('button', { name: /^Status ./ }).click();
  await page.getByRole('option', { name: 'Inactive with roles' }).click();
  const table = page.getByRole('table');
  await table.getByRole('link', { name: clean, exact: true }).waitFor({ state: 'detached' });
  await table.getByRole('link', { name: stale, exact: true }).waitFor();
  await page.screenshot(shot('inactive-with-roles'));
});

test('two clicks offboard a user once', async () => {
  const userId = await newUser();
  const page = await it.enter(`/users/${userId}`);
  await page.getByRole('button', { name: 'Offboard' }).click();
  const receipt = () => page.getByRole('dialog', { name: /^Receipt/ }).waitFor();
  const sent = await clickTwiceSlowly(
    page,
    page.getByRole('dialog').getByRole('button', { name: 'Offboard', exact: true }),
    { outcome: receipt },
  );
  expect(sent).toEqual(['POST /api/manage/user-status']);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
