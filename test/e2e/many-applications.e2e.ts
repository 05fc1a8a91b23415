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

test('the exceptions of a hundred applications are first, the others fit in rows of 40 px, and the blocked ones can be found', async () => {
  const page = await it.enter(`/users/${userId}`, 'edith', { viewport: { width: 1440, height: 900 } });
  await page.getByText('2 blocked, 1 with roles of 103 applications').waitFor();
  const rows = page.locator('.accesses > li');
  const names = await rows.evaluateAll((all) => all.slice(0, 4).map((row) => row.querySelector('a')?.textContent));
  expect(names).toEqual(['Application many-roles', 'Many 1', 'Many 99', 'billing']);
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(heights).toHaveLength(100);
  expect(Math.max(...heights.slice(3))).toBeLessThanOrEqual(41);
  const target = await page.getByTestId('access-many-50').getByRole('checkbox').locator('xpath=../..').boundingBox();
  expect(target?.height).toBeGreaterThanOrEqual(20);
  await page.screenshot({ path: 'test/e2e/artefacts/user-many.png' });
  await page.getByRole('button', { name: 'Page 2' }).click();
  await page.getByTestId('access-wiki').waitFor();
  expect(await rows.count()).toBe(3);
  await page.getByLabel('Blocked only').check();
  expect(await rows.count()).toBe(2);
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
  const ofCore = asked.filter((one) => one === path || one === `${path}/changes`);
  expect(ofCore.sort()).toEqual([path, `${path}/changes`]);
  // 103 applications are two pages.
  expect(asked.filter((one) => one === `${path}/access`)).toHaveLength(2);
});
