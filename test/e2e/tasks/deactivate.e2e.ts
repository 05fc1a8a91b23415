import { expect, test } from '@jest/globals';
import { setStatus } from '../../support/new-application.ts';
import { newUser } from '../../support/new-user.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';

const it = dashboardForTests();

test('from the list of users, deactivating a user takes 3 clicks, the page explains it, and undoing it takes 1', async () => {
  const userId = await newUser();
  await setStatus(userId, 'billing', 'enabled');
  const page = await it.enter(`/users?q=${userId}`);
  const clicks = await countClicks(page);
  await page.getByRole('table').getByRole('link', { name: userId, exact: true }).click();
  await page.getByLabel(`Global status of ${userId}`).click();
  await page.getByLabel('Reason').fill('left the company');
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText("This user can't access any application").waitFor();
  expect(clicks()).toBe(3);

  await page.getByText(/Set by edith@example.com.*Reason: left the company/).waitFor();
  await page.getByTestId('access-billing').getByText('Allowed, suspended').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/task-deactivate.png', fullPage: true });

  const before = clicks();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText("This user can't access any application").waitFor({ state: 'detached' });
  expect(clicks() - before).toBe(1);
  const { body } = await it.service.request(['GET', `/api/service/users/${userId}/access`]);
  expect(body).toMatchObject({ userStatus: 'active', effectiveStatus: 'enabled' });
});
