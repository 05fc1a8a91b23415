import { expect, test } from '@jest/globals';
import { dashboardWithUser } from './support/dashboard-with-user.ts';
import { lookAtWidths } from './support/look-at-widths.ts';

const it = dashboardWithUser();

test('an ID without a user offers to create the user, whose page then opens', async () => {
  const userId = `new-${it.userId}`;
  const page = await it.enter(`/users/${userId}`);
  await page.getByRole('heading', { name: 'There is no such user', level: 1 }).waitFor();
  await lookAtWidths(page, 'user-unknown');
  await page.getByRole('button', { name: 'Create this user' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('User ID').inputValue()).toBe(userId);
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
  await page.getByTestId('access-billing').waitFor();
});

test('a viewer is not offered to create an unknown user', async () => {
  const page = await it.enter('/users/nobody', 'dorothy');
  await page.getByRole('heading', { name: 'There is no such user', level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('button', { name: 'Create this user' }).count()).toBe(0);
});

test('the user ID is copied, and a form without a change cannot be sent', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await it.enter(`/users/${it.userId}`, 'edith', { permissions });
  await page.getByRole('button', { name: 'Copy the user ID' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(it.userId);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Name').fill('Ada');
  expect(await save.isEnabled()).toBe(true);
});

test('on a phone, the actions are below who the user is', async () => {
  const page = await it.enter(`/users/${it.userId}`, 'edith', { viewport: { width: 360, height: 740 } });
  const topOf = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())?.y ?? 0;
  const [copy, edit] = [await topOf('Copy the user ID'), await topOf('Edit')];
  expect(edit).toBeGreaterThan(copy);
  expect([await topOf('Offboard'), await topOf('Delete')]).toEqual([edit, edit]);
});

test('a time that the clocks skip is refused with the times before and after it', async () => {
  const page = await it.enter(`/users/${it.userId}`, 'edith', { timezoneId: 'Europe/Berlin' });
  const billing = page.getByTestId('access-billing');
  await billing.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Until…' }).click();
  await page.getByRole('menuitem', { name: 'On a date' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('On a date').isChecked()).toBe(true);
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Date', { exact: true }).fill('2027-03-28');
  await dialog.getByText('Until 28 Mar 2027, 23:59').waitFor();
  await dialog.getByLabel('Time', { exact: true }).fill('02:30');
  await dialog.getByText('before (28 Mar 2027, 01:30) or after (28 Mar 2027, 03:30)').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await lookAtWidths(page, 'end-skipped');
  await dialog.getByLabel('Time', { exact: true }).fill('03:30');
  await save.click();
  await billing.getByText('Until 28 Mar 2027, 03:30').waitFor();
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
