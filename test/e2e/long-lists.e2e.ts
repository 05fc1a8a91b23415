import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { lookAtWidths } from './support/look-at-widths.ts';

const it = dashboardForTests();
const total = 2345;
const pageSize = 100;
const at = '2026-11-20T19:00:00.000Z';

/** The n-th user by ID; the names are in another order. */
const user = (n: number) => ({
  userId: `u-${String(n).padStart(5, '0')}`,
  status: 'active',
  displayName: `Person ${String(total - n).padStart(5, '0')}`,
  email: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
});

/** Answers the list of users in place of the service, and the overview with their number. */
async function answerUsers(page: Page): Promise<void> {
  await page.route(/\/api\/manage\/users(?:\?|$)/, async (route) => {
    const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const items = Array.from({ length: Math.min(pageSize, total - start) }, (_, n) => user(start + n));
    const next = start + pageSize;
    await route.fulfill({ json: { items, cursor: next < total ? String(next) : null } });
  });
  await page.route(/\/api\/manage\/overview/, (route) =>
    route.fulfill({ json: { users: { active: total - 45, inactive: 45 }, applications: [] } }),
  );
}

test('a list of more than 2,000 users says how many there are, selects no part for all, and sorts them all once more are loaded', async () => {
  const page = await it.enter('/applications');
  await answerUsers(page);
  await page.goto(`${it.dashboard.url}/users`);
  await page.getByRole('button', { name: 'Select all users' }).click();
  await page.getByText('There are 2,345 users: only the first 2,000 are sorted and shown.').waitFor();
  // Those are not all, so they are selected only if the operator says so.
  await page.getByRole('button', { name: 'Select the first 2,000 users' }).waitFor();
  expect(await page.getByRole('button', { name: /^Change \d/ }).count()).toBe(0);
  // The last by ID is the first by name, and not among the first 2,000.
  await page.getByRole('link', { name: 'Person 00346' }).waitFor();
  await lookAtWidths(page, 'long-list');
  await page.getByRole('button', { name: 'Load up to 10,000 users' }).click();
  await page.getByRole('link', { name: 'Person 00001' }).waitFor();
  await page.getByText('(2,345)').waitFor();
  expect(await page.getByText('There are 2,345 users').count()).toBe(0);
});

test('a choice that cannot be loaded says what to do, not how the browser failed', async () => {
  const page = await it.enter('/users');
  await page.route(/\/api\/manage\/applications\?/, (route) => route.abort());
  await page.locator('#bar').getByRole('link', { name: 'History' }).click();
  await page.getByText('Check your connection and try again; nothing was lost.').first().waitFor();
  expect(await page.getByText('Failed to fetch').count()).toBe(0);
});
