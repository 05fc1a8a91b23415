import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { expectAccessible } from '../support/expect-accessible.ts';
import { choose, press } from '../support/tab-to.ts';

const it = dashboardForTests();
const artefacts = join(import.meta.dirname, '../artefacts');
const contractors = Array.from({ length: 300 }, (_, n) => `contractor-${String(n).padStart(3, '0')}` as UserId);

beforeAll(async () => {
  for (let from = 0; from < contractors.length; from += 10) {
    const batch = contractors.slice(from, from + 10);
    await Promise.all(
      batch.map((userId) => createUser({ userId, displayName: `Contractor ${userId.slice(-3)}` }, operator)),
    );
  }
});

const statusOf = async (userId: string) =>
  (await it.service.request(['GET', `/api/service/users/${userId}/access`])).body;

test('an application is closed for the 300 users that a search finds in 7 clicks, and opened again in 1', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await page.getByRole('searchbox').click();
  await page.keyboard.type('contractor');
  await page.getByText('Contractor 000').waitFor();
  await page.getByRole('button', { name: 'Select all users', exact: true }).click();
  await page.getByRole('button', { name: 'Change 300 users…' }).waitFor();
  await page.screenshot({ path: join(artefacts, 'task-select-all.png'), fullPage: true });
  await expectAccessible(page, 'all users that a search finds, selected');
  await page.getByRole('button', { name: 'Change 300 users…' }).click();
  await page.getByRole('radio', { name: 'Block access' }).click();
  await page.getByRole('button', { name: /^Application/ }).click();
  await page.getByRole('option', { name: 'billing' }).click();
  await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('the contract ended');
  await page.getByText('Preview of 300 users: nothing has changed yet.').waitFor();
  await page.getByRole('button', { name: 'Block 300 users' }).click();
  await page.getByText('Changed 300 users.').waitFor({ timeout: 150_000 });
  expect(clicks()).toBe(7);
  for (const userId of contractors.slice(-2))
    expect(await statusOf(userId)).toMatchObject({ effectiveStatus: 'disabled', reason: 'the contract ended' });

  await page.getByRole('button', { name: 'Undo for 300 users' }).click();
  await page.getByText('Undone for 300 users.').waitFor({ timeout: 150_000 });
  expect(clicks()).toBe(8);
  for (const userId of contractors.slice(-2))
    expect(await statusOf(userId)).toMatchObject({ effectiveStatus: 'enabled', explicit: false });
});

test('the same is done for ten users by keyboard alone', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await press(page, page.getByRole('searchbox'), 'ControlOrMeta+A');
  await page.keyboard.type('contractor-01');
  await page.getByText('Contractor 009').waitFor({ state: 'detached' });
  await press(page, page.getByRole('checkbox', { name: 'Select all users on this page' }), 'Space');
  await press(page, page.getByRole('button', { name: 'Change 10 users…' }), 'Enter');
  await press(page, page.getByRole('radio', { name: 'Allow access' }), 'ArrowDown');
  await choose(page, page.getByRole('button', { name: /^Application/ }), 'billing');
  await press(page, page.getByRole('button', { name: 'Block 10 users' }), 'Enter');
  await page.getByText('Changed 10 users.').waitFor();
  expect(await statusOf('contractor-015')).toMatchObject({ effectiveStatus: 'disabled' });
  await press(page, page.getByRole('button', { name: 'Undo for 10 users' }), 'Enter');
  await page.getByText('Undone for 10 users.').waitFor();
  expect(await statusOf('contractor-015')).toMatchObject({ effectiveStatus: 'enabled' });
  expect(clicks()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
