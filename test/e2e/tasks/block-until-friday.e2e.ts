import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { grantRole, newApplication, setStatus } from '../../support/new-application.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { lookAtWidths } from '../support/look-at-widths.ts';
import { tabTo } from '../support/tab-to.ts';

const it = dashboardForTests();
const timezoneId = 'Europe/Berlin';

beforeAll(async () => {
  for (const name of ['Badge & Doors', 'Canteen', 'Payroll', 'Company Wiki', 'Travel', 'Zeppelin']) {
    await createApplication({ appId: name.toLowerCase().replace(/\W+/g, '-') as AppId, name }, operator);
  }
});

async function newPerson(name: string): Promise<string> {
  const userId = await newUser();
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  await updateUser({ userId: userId as UserId, displayName: name, email }, operator);
  return userId;
}

const ask = async (userId: string) => (await it.service.request(['GET', `/api/service/users/${userId}/access`])).body;
const billingOf = (page: Page) => page.getByTestId('access-billing');

/** The end of the next Friday, from 1 to 7 days from now, in the browser's time zone. */
function expectFriday(until: string): void {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezoneId,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
  expect(parts.format(new Date(until))).toBe('Friday 23:59');
  const days = (Date.parse(until) - Date.now()) / 86_400_000;
  expect([days > 0, days < 8]).toEqual([true, true]);
}

test('from the list of users, blocking a user until Friday takes 5 clicks, and a reason 2 more', async () => {
  const userId = await newPerson('Frida Vrij');
  const page = await it.enter('/users', 'edith', { timezoneId });
  const clicks = await countClicks(page);
  await page.getByRole('combobox', { name: 'Find a user, application or role' }).click();
  await page.keyboard.type('frida');
  await page.getByRole('option', { name: /Frida Vrij/ }).click();
  await billingOf(page).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Until…' }).click();
  await page.screenshot({ path: 'test/e2e/artefacts/task-until-friday.png' });
  await page.getByRole('menuitem', { name: /^End of (?:next )?Friday/ }).click();
  await billingOf(page)
    .getByText(/^Until .*23:59/)
    .waitFor();
  expect(clicks()).toBe(5);
  expectFriday((await ask(userId)).until);

  await page.getByRole('button', { name: 'Add reason' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('on leave');
  await page.screenshot({ path: 'test/e2e/artefacts/task-add-reason.png' });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await billingOf(page).getByText('Reason: on leave').waitFor();
  expect(clicks()).toBe(7);
  expectFriday((await ask(userId)).until);
});

test('blocks a user until Friday with the keyboard alone', async () => {
  const userId = await newPerson('Karl Keys');
  const page = await it.enter(`/users/${userId}`, 'edith', { timezoneId });
  const clicks = await countClicks(page);
  const toggle = billingOf(page).getByRole('checkbox');
  await toggle.waitFor();
  await tabTo(page, toggle);
  await page.keyboard.press('Space');
  const amend = billingOf(page).getByRole('button', { name: /^Reason and end/ });
  await amend.waitFor();
  await tabTo(page, amend);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await tabTo(page, dialog.getByLabel('I unblock it'));
  while (!(await dialog.getByLabel(/^End of (?:next )?Friday/).isChecked())) await page.keyboard.press('ArrowUp');
  await tabTo(page, dialog.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await billingOf(page)
    .getByText(/^Until .*23:59/)
    .waitFor();
  expectFriday((await ask(userId)).until);
  expect(clicks()).toBe(0);
});

test('the page of a user begins with the exceptions by name, and fits every width', async () => {
  const userId = await newPerson('Ada Exception');
  const withRoles = await newApplication(['editor', 'viewer'], 'desk');
  for (const role of ['editor', 'viewer']) await grantRole(userId, withRoles, role);
  await setStatus(userId, 'wiki', 'disabled', 'shared the password with the whole team');
  await setStatus(userId, 'canteen', 'enabled', 'guest of the works council');
  const page = await it.enter(`/users/${userId}`, 'edith', { timezoneId });
  await page.getByText('1 blocked, 1 with roles of 9 applications').waitFor();
  const names = await page
    .locator('.accesses > li')
    .evaluateAll((rows) => rows.map((row) => row.querySelector('a')?.textContent));
  expect(names).toEqual([
    'Application desk',
    'Canteen',
    'wiki',
    'Badge & Doors',
    'billing',
    'Company Wiki',
    'Payroll',
    'Travel',
    'Zeppelin',
  ]);
  await lookAtWidths(page, 'user-exceptions');
  await billingOf(page).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Until…' }).waitFor();
  // The row stays where it was used.
  await page.getByText('2 blocked, 1 with roles of 9 applications').waitFor();
  expect(await page.locator('.accesses > li').nth(4).getAttribute('data-testid')).toBe('access-billing');
  await lookAtWidths(page, 'user-blocked');
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
