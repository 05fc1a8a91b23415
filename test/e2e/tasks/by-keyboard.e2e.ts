import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { newApplication, setStatus } from '../../support/new-application.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { choose, followSuggestion, openTab, press } from '../support/tab-to.ts';

/* The tasks whose clicks other files count, done without a pointer. */

const it = dashboardForTests();
const ask = async (userId: string) => (await it.service.request(['GET', `/api/service/users/${userId}/access`])).body;
const billingOf = (page: Page) => page.getByTestId('access-billing');
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Opens a page, and counts the clicks from now on. */
async function enter(path: string, options: { readonly permissions?: string[] } = {}): Promise<[Page, () => number]> {
  const page = await it.enter(path, 'edith', options);
  return [page, await countClicks(page)];
}

/** Opens a user from any page. */
async function find(page: Page): Promise<void> {
  await followSuggestion(page, userId, userId);
  await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
}

let userId: string;
beforeAll(async () => {
  await createApplication({ appId: 'news' as AppId, name: 'News', rolloutPercent: 0 }, operator);
});
beforeEach(async () => {
  userId = await newUser();
});

test('a user is deactivated, and active again', async () => {
  const [page, clicks] = await enter('/users');
  await find(page);
  await press(page, page.getByLabel(`Global status of ${userId}`), 'Space');
  await press(page, page.getByLabel('Reason'), 'ControlOrMeta+A');
  await page.keyboard.type('left the company');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }), 'Enter');
  await page.getByText("This user can't access any application").waitFor();
  await press(page, page.getByRole('button', { name: 'Undo', exact: true }), 'Enter');
  await page.getByText("This user can't access any application").waitFor({ state: 'detached' });
  expect([(await ask(userId)).userStatus, clicks()]).toEqual(['active', 0]);
});

test('a role is assigned with an end, and removed', async () => {
  const appId = await newApplication(['editor', 'viewer'], 'desk');
  const [page, clicks] = await enter('/users');
  await find(page);
  await press(page, page.getByRole('button', { name: /^Assign a role in .*desk/ }), 'Enter');
  const dialog = page.getByRole('dialog');
  await choose(page, dialog.getByRole('button', { name: /Choose a role/ }), 'viewer');
  const week = dialog.getByLabel('1 week from now');
  await press(page, dialog.getByRole('radio', { checked: true }), 'ArrowUp');
  while (!(await week.isChecked())) await page.keyboard.press('ArrowUp');
  await press(page, dialog.getByRole('button', { name: 'Assign role' }), 'Enter');
  const access = page.getByTestId(`access-${appId}`);
  await access.getByText(/^until /).waitFor();
  await press(page, access.getByRole('button', { name: /^Remove viewer/ }), 'Enter');
  await press(page, dialog.getByRole('button', { name: 'Remove role' }), 'Enter');
  await access.getByText(/^until /).waitFor({ state: 'detached' });
  expect(clicks()).toBe(0);
});

test('why a user is blocked is found, and the change undone in the history', async () => {
  await setStatus(userId, 'billing', 'disabled', 'a slip');
  const [page, clicks] = await enter('/users');
  await find(page);
  await billingOf(page).getByText('Reason: a slip').waitFor();
  await press(page, page.locator('#bar').getByRole('link', { name: 'History' }), 'Enter');
  await choose(page, page.getByRole('button', { name: /^Action/ }), 'Access changed');
  const undo = page.getByRole('button', { name: `Undo: Access changed, billing, for ${userId}` });
  await press(page, undo, 'Enter');
  await page.getByText(`Undone: Access changed, billing, for ${userId}.`).waitFor();
  expect([(await ask(userId)).effectiveStatus, clicks()]).toEqual(['enabled', 0]);
});

test('who is blocked in an application is listed, and allowed there', async () => {
  await setStatus(userId, 'billing', 'disabled', 'unpaid');
  const [page, clicks] = await enter('/applications/billing');
  await openTab(page, 'Users');
  await choose(page, page.getByRole('button', { name: /Users to show/ }), 'Blocked');
  const row = page.getByRole('table', { name: 'users' }).getByRole('row').filter({ hasText: userId });
  await row.getByText('Reason: unpaid').waitFor();
  await press(page, row.getByRole('checkbox', { name: /^Access of/ }), 'Space');
  await row.waitFor({ state: 'detached' });
  expect([(await ask(userId)).effectiveStatus, clicks()]).toEqual(['enabled', 0]);
});

test('a key is issued, rotated and revoked', async () => {
  const [page, clicks] = await enter('/users', { permissions: ['clipboard-read', 'clipboard-write'] });
  await press(page, page.locator('#bar').getByRole('link', { name: 'Applications' }), 'Enter');
  await press(page, link(page, 'wiki'), 'Enter');
  const dialog = page.getByRole('dialog');
  await press(page, page.getByRole('button', { name: 'Issue key' }), 'Enter');
  await press(page, dialog.getByRole('button', { name: 'Issue key' }), 'Enter');
  const take = async (): Promise<string> => {
    const shown = page.getByRole('dialog', { name: 'Your new API key' });
    const keyId = await shown.getByText(/^svk_/).last().innerText();
    await press(page, shown.getByRole('button', { name: 'Copy secret and close' }), 'Enter');
    await shown.waitFor({ state: 'detached' });
    return keyId;
  };
  const first = await take();
  await press(page, page.getByRole('button', { name: `Rotate ${first}` }), 'Enter');
  await press(page, dialog.getByRole('button', { name: 'Rotate key' }), 'Enter');
  expect(await take()).not.toBe(first);
  await press(page, page.getByRole('button', { name: `Revoke ${first}` }), 'Enter');
  await dialog.getByText('are rejected immediately').waitFor();
  await page.keyboard.type(first.slice(-6));
  await press(page, dialog.getByRole('button', { name: 'Revoke key' }), 'Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(clicks()).toBe(0);
});

test('an application is opened for a tenth of the users', async () => {
  const [page, clicks] = await enter('/applications/news');
  await openTab(page, 'Rollout');
  await press(page, page.getByRole('button', { name: 'Count users' }), 'Enter');
  await page.getByText(/^0% allows 0 of \d+ active users/).waitFor();
  await press(page, page.getByLabel('Percentage of users'), 'ControlOrMeta+A');
  await page.keyboard.type('10');
  await press(page, page.getByRole('button', { name: 'Save percentage' }), 'Enter');
  await page.getByText('News allows 10% of the users').waitFor();
  expect(clicks()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
