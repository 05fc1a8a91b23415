import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { UserId } from '#shared/contract/fields.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { grantRole, newApplication } from '../../support/new-application.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { expectAccessible } from '../support/expect-accessible.ts';
import { lookAtWidths } from '../support/look-at-widths.ts';
import { followSuggestion } from '../support/tab-to.ts';

const it = dashboardForTests();
const role = 'approver';

/** Two people have the role, one of them in two of the three applications that define it. */
beforeAll(async () => {
  const applications = [];
  for (const name of ['payroll', 'travel', 'archive']) applications.push(await newApplication([role, 'reader'], name));
  const [anna, bert] = [await newPerson('Anna Approves'), await newPerson('Bert Both')];
  const [payroll = '', travel = ''] = applications;
  await grantRole(anna, payroll, role);
  for (const app of [payroll, travel]) await grantRole(bert, app, role);
  await grantRole(anna, travel, 'reader');
});

async function newPerson(name: string): Promise<string> {
  const userId = await newUser();
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  await updateUser({ userId: userId as UserId, displayName: name, email }, operator);
  return userId;
}

const holders = (page: Page) => page.getByRole('table', { name: 'holders' });

async function expectHolders(page: Page): Promise<void> {
  await page.getByText('2 users in 2 applications; 3 applications define it').waitFor();
  const rows = await holders(page).locator('tbody tr').allInnerTexts();
  const named = rows.map((row) => [/Anna Approves|Bert Both/.exec(row)?.[0], /Application \w+/.exec(row)?.[0]]);
  expect(named).toEqual([
    ['Anna Approves', 'Application payroll'],
    ['Bert Both', expect.stringMatching(/payroll|travel/)],
    ['Bert Both', expect.stringMatching(/payroll|travel/)],
  ]);
}

test('from any page, seeing who has a role in any application takes 2 clicks, and saving the list 1 more', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await page.getByRole('combobox', { name: 'Find a user, application or role' }).click();
  await page.keyboard.type(role);
  await page.getByRole('option', { name: `Who has the role “${role}”?` }).click();
  await expectHolders(page);
  expect(clicks()).toBe(2);
  await expectAccessible(page, 'a role in all applications');
  await lookAtWidths(page, 'role-anywhere');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const saved = await download;
  expect(clicks()).toBe(3);
  expect(saved.suggestedFilename()).toMatch(/^holders-of-approver-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/userId,displayName,email,application,role,roleUntil$/);
  await page.getByText('Exported 3 rows.').waitFor();
});

test('with the keyboard alone, the slash, the name and Enter on the suggestion lead there', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await followSuggestion(page, role, `Who has the role “${role}”?`);
  await expectHolders(page);
  expect(clicks()).toBe(0);
});

test('the roles of all applications are listed by name, and found', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Roles' }).click();
  await page.getByRole('link', { name: role }).waitFor();
  await page.getByRole('searchbox', { name: 'Find roles by name' }).fill('APPRO');
  await page.getByRole('link', { name: 'reader' }).waitFor({ state: 'detached' });
  await expectAccessible(page, 'the roles of all applications');
  await lookAtWidths(page, 'roles-anywhere');
  await page.getByRole('link', { name: role }).click();
  await expectHolders(page);
});

test('holders are shown while other applications are still asked, and a stop says what is missing', async () => {
  const page = await it.enter('/users');
  const held = Promise.withResolvers<void>();
  await page.route(/\/applications\/travel\/roles/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${it.dashboard.url}/roles/${role}`);
  await holders(page).getByRole('link', { name: 'Anna Approves' }).waitFor();
  await page.getByText('4 of 5 applications').waitFor();
  await lookAtWidths(page, 'role-anywhere-running');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped after 4 of 5 applications.').waitFor();
  await lookAtWidths(page, 'role-anywhere-stopped');
  held.resolve();
  await page.getByRole('button', { name: 'Start again' }).click();
  await expectHolders(page);
});

test('a role that no application has is named as such, and an application that cannot be read is an error to retry', async () => {
  const page = await it.enter('/roles/Approver');
  await page.getByText('No application has a role of this name. Names are case-sensitive.').waitFor();
  it.dashboard.refuse = (_, path) =>
    path.endsWith('/roles')
      ? { status: 503, body: { code: 'unavailable', title: 'Down', detail: 'Wait.' } }
      : undefined;
  await page.goto(`${it.dashboard.url}/roles/${role}`);
  await page.getByText('Down').waitFor();
  it.dashboard.refuse = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectHolders(page);
});

test('no page violated its Content-Security-Policy or logged an error', () => {
  expect(it.complaints.filter((line) => !line.includes('503'))).toEqual([]);
});
