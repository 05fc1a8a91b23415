import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { lookAtWidths } from './support/look-at-widths.ts';

const it = dashboardForTests();

beforeAll(async () => {
  await createUser({ userId: 'u-1' as UserId, displayName: 'Zoë Ångström', email: 'zoe@example.net' }, operator);
  for (let n = 10; n < 40; n++) await newUser(`many-${n}`);
  for (const name of ['Travel Expenses', 'Zürich Office']) {
    await createApplication({ appId: name.toLowerCase().replace(/[^a-z]+/g, '-') as AppId, name }, operator);
  }
  const desk = await newApplication(['editor'], 'desk');
  await grantRole('u-1', desk, 'editor');
  await setStatus('many-10', 'travel-expenses', 'disabled', 'left the team');
});

async function exported(page: Page): Promise<string[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
}

test('all users that a filter finds are exported, not only the page that is shown', async () => {
  const page = await it.enter('/users?q=many-');
  await page.getByRole('link', { name: 'many-10' }).waitFor();
  const lines = await exported(page);
  expect(lines[0]).toMatch(/userId,displayName,email,status,createdAt$/);
  expect(lines).toHaveLength(31);
  await page.getByText('Exported 30 users.').waitFor();
  expect((await exported(page)).length).toBe(31);
});

test('users who have a role are listed with their roles', async () => {
  const page = await it.enter('/users?status=with-role');
  await page.getByText('editor in desk').waitFor();
  await lookAtWidths(page, 'users-with-role');
});

test('applications are found by words of their name and by ID, without accents, and exported as they are shown', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('link', { name: 'Travel Expenses' }).waitFor();
  await page.getByRole('searchbox', { name: 'Find an application' }).fill('zurich off');
  await page.getByRole('link', { name: 'Travel Expenses' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Zürich Office' }).waitFor();
  const lines = await exported(page);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/appId,name,rolloutPercent,requireReason,blocked,activeKeys,keysExpiringSoon,/);
  await page.getByText('Exported 1 application.').waitFor();
  await page.getByRole('searchbox', { name: 'Find an application' }).fill('nothing');
  await page.getByText('No applications match.').waitFor();
});

test('the list of applications has active keys and blocked users, which lead to them', async () => {
  const page = await it.enter('/applications');
  const row = page.getByRole('row').filter({ hasText: 'billing' });
  await row
    .getByRole('link', { name: /^[1-9]\d*$/ })
    .first()
    .waitFor();
  for (const title of ['Users blocked', 'Active keys']) await page.getByRole('columnheader', { name: title }).waitFor();
  await lookAtWidths(page, 'applications-counted');
  await row
    .getByRole('link', { name: /^[1-9]\d*$/ })
    .first()
    .click();
  await page.waitForURL(/tab=/);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
