import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardForTests();
beforeAll(async () => {
  const person = { userId: 'e102699' as UserId, displayName: 'Chidi Thomas van den Berg', email: null };
  await createUser(person, operator);
});

const create = async (page: Page) => {
  await page.getByRole('button', { name: 'Create application' }).click();
  return page.getByRole('dialog', { name: 'Create application' });
};
const question = 'Discard what you typed?';

test('a click outside keeps a dialog with input, Escape and the close button ask, and Cancel closes', async () => {
  const page = await it.enter('/applications');
  const dialog = await create(page);
  await dialog.getByLabel('Name').fill('Payroll');
  await page.mouse.click(5, 400);
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Payroll');
  expect(await dialog.getByText(question).count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.getByText(question).waitFor();
  for (const width of [360, 720, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `test/e2e/artefacts/discard-${width}.png` });
  }
  await expectAccessible(page, 'a question before input is lost');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByText(question).waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Payroll');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  await create(page);
  expect(await dialog.getByLabel('Name').inputValue()).toBe('');
  // Without input nothing is lost.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await create(page);
  await dialog.getByLabel('Name').fill('Payroll');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('Back and a reload ask before input is lost, and a saved form leaves without a question', async () => {
  const page = await it.enter('/users');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.locator('#bar').getByRole('link', { name: 'Applications' }).click();
  const dialog = await create(page);
  await dialog.getByLabel('Name').fill('Archive');
  await page.goBack();
  await dialog.getByText(question).waitFor();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Archive');
  await page.reload({ timeout: 3000 }).catch(() => undefined);
  expect([asked, await dialog.getByLabel('Name').inputValue()]).toEqual([['beforeunload'], 'Archive']);
  await dialog.getByLabel('Application ID').fill('archive');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor();
  await page.goBack();
  const again = await create(page);
  await again.getByLabel('Name').fill('Other');
  await page.goBack();
  await again.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: /^Users/, level: 1 }).waitFor();
  expect(asked).toEqual(['beforeunload']);
});

test('what was typed when the session ended comes back for the same operator, also the choices', async () => {
  const userId = await newUser();
  const page = await it.enter(`/users/${userId}`);
  const card = page.getByTestId('access-wiki');
  const dialog = page.getByRole('dialog');
  await card.getByRole('checkbox').click();
  const open = async () => {
    await card.getByRole('button', { name: /^Reason and end/ }).click();
    await dialog.getByLabel('Reason (optional)').waitFor();
  };
  await open();
  await dialog.getByLabel('Reason (optional)').fill('left the team in June');
  await dialog.getByLabel('On a date').check();
  await dialog.getByLabel('Date', { exact: true }).fill('2030-01-31');
  await dialog.getByLabel('Time', { exact: true }).fill('08:15');
  it.dashboard.refuse = () => ({ status: 401, body: { message: 'Unauthorized' } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(await page.locator('body').textContent()).not.toMatch(/left the team/);
  it.dashboard.refuse = undefined;
  await page.getByRole('button', { name: 'Log in again' }).click();
  await card.waitFor();
  await open();
  await dialog.getByText('What you typed before your session ended is here again.').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/input-restored.png' });
  expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('left the team in June');
  expect(await dialog.getByLabel('On a date').isChecked()).toBe(true);
  expect(await dialog.getByLabel('Time', { exact: true }).inputValue()).toBe('08:15');
  await dialog.getByLabel('1 hour from now').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Reason: left the team in June').waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('left the team');
});

test('another operator does not get what was typed, and logging out removes it', async () => {
  const page = await it.enter('/applications');
  const dialog = await create(page);
  await dialog.getByLabel('Name').fill('Secret plan');
  await dialog.getByLabel('Application ID').fill('secret');
  it.dashboard.refuse = () => ({ status: 401, body: { message: 'Unauthorized' } });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('Secret plan');
  it.dashboard.refuse = undefined;
  await page.evaluate(`for (const [key, value] of Object.entries(sessionStorage))
    if (key.startsWith('draft')) sessionStorage.setItem(key + ' elsewhere', value);`);
  await page.evaluate(`for (const [key, value] of Object.entries(sessionStorage))
    if (key.endsWith('Create application')) sessionStorage.setItem(key, value.replace(/"operator":"[^"]*"/, '"operator":"other"'));`);
  await page.getByRole('button', { name: 'Log in again' }).click();
  await create(page);
  expect(await dialog.getByLabel('Name').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('Secret plan');
  await page.locator('#bar').getByRole('button', { name: 'Edith Clarke' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Secret plan');
});

test('Escape on a conflict returns to the form with what was typed', async () => {
  const userId = await newUser();
  const page = await it.enter(`/users/${userId}`);
  const card = page.getByTestId('access-wiki');
  await card.getByRole('checkbox').click();
  await card.getByRole('button', { name: /^Reason and end/ }).click();
  const form = page.getByRole('dialog', { name: 'Block in wiki: reason and end' });
  await form.getByLabel('Reason (optional)').fill('lost the badge');
  const setting = { status: 'disabled', reason: 'meanwhile', until: null } as const;
  await setAccess({ userId: userId as UserId, appId: 'wiki' as AppId, setting }, operator);
  await form.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'Changed by someone else' });
  await conflict.getByText('meanwhile').waitFor();
  await page.keyboard.press('Escape');
  await conflict.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Reason (optional)').inputValue()).toBe('lost the badge');
  await form.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Reason: lost the badge').waitFor();
});

test('a typed percentage is not lost by leaving', async () => {
  const rollout = await it.enter('/applications/wiki?tab=rollout');
  await rollout.getByLabel('Percentage of users').fill('40');
  await rollout.locator('#bar').getByRole('link', { name: 'History' }).click();
  await rollout.getByRole('dialog', { name: question }).getByRole('button', { name: 'Keep editing' }).click();
  expect(await rollout.getByLabel('Percentage of users').inputValue()).toBe('40');
});

test('letters typed right after the login stay in the field, three times in a row', async () => {
  for (let turn = 1; turn <= 3; turn++) {
    const page = await it.open('/');
    await page.getByRole('button', { name: /^Log in/ }).click();
    await page.locator('button[value=edith]').click();
    const field = page.locator('#bar header input');
    await field.waitFor();
    await field.focus();
    await page.keyboard.type('homas vandenb', { delay: 60 });
    await page.waitForLoadState('networkidle');
    expect([turn, await field.inputValue()]).toEqual([turn, 'homas vandenb']);
    await page.getByRole('option', { name: /Chidi Thomas van den Berg/ }).waitFor();
    await page.context().close();
  }
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
