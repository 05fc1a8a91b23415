import { beforeAll, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();
let userId: string;
beforeAll(async () => {
  for (let n = 0; n < 100; n++) await createApplication({ appId: `many-${n}` as AppId, name: `Many ${n}` }, operator);
  userId = await newUser();
  const withRole = await newApplication(['editor'], 'many-roles');
  await grantRole(userId, withRole, 'editor');
  await setStatus(userId, 'many-1', 'disabled', 'unpaid');
  await setStatus(userId, 'many-99', 'disabled', 'left');
});

test('a hundred applications fit in rows of 40 px with switches 24 px high, and can be filtered to the blocked ones', async () => {
  const page = await it.enter(`/users/${userId}`, 'edith', { viewport: { width: 1440, height: 900 } });
  const table = page.getByRole('table', { name: 'applications' });
  await table.getByText('Many 50', { exact: true }).waitFor();
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(rows).toHaveLength(100);
  expect(Math.max(...rows.toSorted((one, other) => one - other).slice(0, 97))).toBeLessThanOrEqual(41);
  const target = await table.getByTestId('access-many-50').getByRole('checkbox').locator('xpath=../..').boundingBox();
  expect(target?.height).toBeGreaterThanOrEqual(20);
  await page.screenshot({ path: 'test/e2e/artefacts/user-many.png' });
  await page.getByRole('button', { name: 'Page 2' }).click();
  await table.getByText('wiki', { exact: true }).waitFor();
  expect(await table.locator('tbody tr').count()).toBe(3);
  await page.getByLabel('Blocked only').check();
  expect(await table.locator('tbody tr').count()).toBe(2);
  await page.screenshot({ path: 'test/e2e/artefacts/user-many-blocked.png' });
});

test("a user's page reads each resource once", async () => {
  const page = await it.enter('/applications');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/manage/users')) asked.push(new URL(request.url()).pathname);
  });
  await page.goto(`${it.dashboard.url}/users/${userId}`);
  await page.getByRole('table', { name: 'changes' }).getByText('User created').waitFor();
  await page.waitForLoadState('networkidle');
  const path = `/api/manage/users/${userId}`;
  expect(asked.filter((one) => one !== `${path}/access`).sort()).toEqual([path, `${path}/changes`]);
  // 103 applications are two pages.
  expect(asked.filter((one) => one === `${path}/access`)).toHaveLength(2);
});
