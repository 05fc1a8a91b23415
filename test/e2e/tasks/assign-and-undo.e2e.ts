import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { setStatus } from '../../support/new-application.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardWithUser } from '../support/dashboard-with-user.ts';
import { expectAccessible } from '../support/expect-accessible.ts';

const it = dashboardWithUser();
const shot = (name: string) => ({ path: `test/e2e/artefacts/${name}.png`, fullPage: true });
const ask = async () => (await it.service.request(['GET', `/api/service/users/${it.userId}/access`])).body;
const billingOf = (page: Page) => page.getByTestId('access-billing');

/** Opens the user of the test from any page. */
async function find(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Find a user, application or role' }).click();
  await page.keyboard.type(it.userId);
  await page.getByRole('option', { name: new RegExp(`^${it.userId}\\b`) }).click();
}

test('from the list of users, a user who is searched gets a role with an end in 7 clicks, and loses it in 2 more', async () => {
  const page = await it.enter('/users');
  const dialog = page.getByRole('dialog');
  const clicks = await countClicks(page);
  await find(page);
  await page.getByRole('button', { name: 'Assign a role in billing' }).click();
  await dialog.getByText('Choose a role', { exact: true }).click();
  await page.getByRole('option', { name: 'editor' }).click();
  await dialog.getByLabel('1 week from now').click();
  await dialog.getByLabel('Reason').fill('covers for Grace');
  await page.screenshot(shot('task-assign-role'));
  await dialog.getByRole('button', { name: 'Assign role' }).click();
  await billingOf(page)
    .getByText(/^until /)
    .waitFor();
  expect(clicks()).toBe(7);
  const { roles } = await ask();
  expect(roles).toMatchObject([{ name: 'editor', expiresAt: expect.any(String) }]);
  const days = (Date.parse(roles[0].expiresAt) - Date.now()) / 86_400_000;
  expect([days > 6.9, days <= 7]).toEqual([true, true]);
  await page.screenshot(shot('task-assigned-role'));

  await billingOf(page).getByRole('button', { name: 'Remove editor in billing' }).click();
  await dialog.getByRole('button', { name: 'Remove role' }).click();
  await billingOf(page).getByText('editor').waitFor({ state: 'detached' });
  expect(clicks()).toBe(9);
  expect((await ask()).roles).toEqual([]);
});

test("from the list of users, a colleague's change is undone in 3 clicks by the user, and says whose it was", async () => {
  const colleague = await it.enter(`/users/${it.userId}`, 'katherine');
  await billingOf(colleague).getByRole('checkbox').click();
  await billingOf(colleague).getByText('No expiry.').waitFor();

  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await find(page);
  await billingOf(page)
    .getByText(/Set by katherine@example\.com/)
    .waitFor();
  await page
    .getByRole('button', { name: /^Undo: Access changed, billing/ })
    .first()
    .click();
  await billingOf(page).getByText('No expiry.').waitFor({ state: 'detached' });
  expect(clicks()).toBe(3);
  expect(await ask()).toMatchObject({ effectiveStatus: 'enabled', explicit: false });
  await expectAccessible(page, "a colleague's change that was undone");
  await page.screenshot(shot('task-undo-colleague'));
});

test("from the list of users, a colleague's change is undone in 2 clicks by the history", async () => {
  await setStatus(it.userId, 'billing', 'disabled', 'a slip');
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await page.locator('#bar').getByRole('link', { name: 'History' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: 'a slip' })
    .getByRole('button', { name: `Undo: Access changed, billing, for ${it.userId}` })
    .click();
  await page.getByText(`Undone: Access changed, billing, for ${it.userId}.`).waitFor();
  expect(clicks()).toBe(2);
  expect(await ask()).toMatchObject({ effectiveStatus: 'enabled', explicit: false });
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
