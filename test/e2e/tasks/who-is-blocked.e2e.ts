import { expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { setUserStatus } from '#shared/domain/user/users.ts';
import { setStatus } from '../../support/new-application.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';

const it = dashboardForTests();

test("an application's page lists all blocked users, and why, in 3 clicks", async () => {
  const [blocked, inactive, allowed] = [await newUser(), await newUser(), await newUser()];
  await setStatus(blocked, 'billing', 'disabled', 'unpaid');
  await setStatus(allowed, 'billing', 'enabled');
  await setUserStatus({ userId: inactive as UserId, status: 'inactive', reason: 'left' }, operator);
  const page = await it.enter('/applications/billing');
  const clicks = await countClicks(page);
  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('button', { name: /Users to show/ }).click();
  await page.getByRole('option', { name: 'Blocked', exact: true }).click();
  const row = (userId: string) =>
    page.getByRole('table', { name: 'users' }).getByRole('row').filter({ hasText: userId });
  await row(allowed).waitFor({ state: 'detached' });
  await row(blocked).getByText('Reason: unpaid').waitFor();
  await row(inactive)
    .getByText(/Reason: left/)
    .waitFor();
  expect(clicks()).toBe(3);
  await page.screenshot({ path: 'test/e2e/artefacts/task-blocked-users.png' });

  await row(blocked)
    .getByRole('checkbox', { name: /^Access of/ })
    .click();
  await row(blocked).waitFor({ state: 'detached' });
  const { body } = await it.service.request(['GET', `/api/service/users/${blocked}/access`]);
  expect(body).toMatchObject({ effectiveStatus: 'enabled' });
});
