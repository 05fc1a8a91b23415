import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { UserId } from '#shared/contract/fields.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { setStatus } from '../../support/new-application.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { tabTo } from '../support/tab-to.ts';

const it = dashboardForTests();

/** A user with a name and an e-mail address. */
async function newPerson(name: string): Promise<string> {
  const userId = await newUser();
  await updateUser({ userId: userId as UserId, displayName: name, email: `${name}@example.com` }, operator);
  return userId;
}

const ask = async (userId: string) => (await it.service.request(['GET', `/api/service/users/${userId}/access`])).body;
const billingOf = (page: Page) => page.getByTestId('access-billing');

function expectFourHours(until: string): void {
  const minutes = (Date.parse(until) - Date.now()) / 60_000;
  expect([minutes > 230, minutes <= 240]).toEqual([true, true]);
}

test('from the list of users, unblocking a user found by e-mail takes 3 clicks', async () => {
  const userId = await newPerson('ada.unblock');
  await setStatus(userId, 'billing', 'disabled', 'unpaid');
  const page = await it.enter();
  const clicks = await countClicks(page);
  await page.getByRole('searchbox').click();
  await page.keyboard.type('ada.unblock@example.com');
  await page.getByRole('table').getByRole('link', { name: 'ada.unblock', exact: true }).click();
  await billingOf(page).getByText('Reason: unpaid').waitFor();
  await billingOf(page).getByRole('checkbox').click();
  await billingOf(page).getByText('Allowed', { exact: true }).waitFor();
  await page.getByText(/^Allowed ada\.unblock/).waitFor();
  expect(await ask(userId)).toMatchObject({ effectiveStatus: 'enabled', explicit: true });
  expect(clicks()).toBe(3);
});

test('from the list of users, blocking a user takes 2 clicks, undoing it 1, and an end 2 more', async () => {
  const userId = await newPerson('grace.block');
  const page = await it.enter(`/users?q=${userId}`);
  const clicks = await countClicks(page);
  await page.getByRole('table').getByRole('link', { name: 'grace.block', exact: true }).click();
  await billingOf(page).getByRole('checkbox').click();
  await page.getByText(/^Blocked grace\.block/).waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/task-block.png' });
  expect(await ask(userId)).toMatchObject({ status: 'disabled', until: null });
  expect(clicks()).toBe(2);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText(/^Undone: Blocked grace\.block/).waitFor();
  expect(await ask(userId)).toMatchObject({ status: 'enabled', explicit: false, version: 2 });
  expect(clicks()).toBe(3);

  await billingOf(page).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Until…' }).click();
  await page.getByRole('menuitem', { name: '4 hours from now' }).click();
  await billingOf(page)
    .getByText(/^Until /)
    .waitFor();
  expectFourHours((await ask(userId)).until);
  expect(clicks()).toBe(6);
});

test('finds, unblocks and blocks a user for four hours, and undoes the end, with the keyboard alone', async () => {
  const userId = await newPerson('alan.keys');
  await setStatus(userId, 'billing', 'disabled');
  const page = await it.enter();
  const clicks = await countClicks(page);
  await tabTo(page, page.getByRole('searchbox'));
  await page.keyboard.type('alan.keys@example.com');
  const found = page.getByRole('table').getByRole('link', { name: 'alan.keys', exact: true });
  await found.waitFor();
  await tabTo(page, found);
  await page.keyboard.press('Enter');
  const toggle = billingOf(page).getByRole('checkbox');
  await toggle.waitFor();
  await tabTo(page, toggle);
  await page.keyboard.press('Space');
  await billingOf(page).getByText('Allowed', { exact: true }).waitFor();
  await page.keyboard.press('Space');
  await billingOf(page).getByText('Blocked', { exact: true }).waitFor();

  await tabTo(page, billingOf(page).getByRole('button', { name: /^Reason and end/ }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await tabTo(page, dialog.getByLabel('I unblock it'));
  while (!(await dialog.getByLabel('4 hours from now').isChecked())) await page.keyboard.press('ArrowUp');
  await tabTo(page, dialog.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await billingOf(page)
    .getByText(/^Until /)
    .waitFor();
  expectFourHours((await ask(userId)).until);

  const undo = page.getByRole('table', { name: 'changes' }).getByRole('button', { name: /^Undo/ });
  await undo.first().waitFor();
  await tabTo(page, undo.first());
  await page.keyboard.press('Enter');
  await billingOf(page).getByText('No expiry.').waitFor();
  await expectFocusOn(undo.first());
  expect(await ask(userId)).toMatchObject({ status: 'disabled', until: null, version: 5 });
  expect(clicks()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

const expectFocusOn = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor();
