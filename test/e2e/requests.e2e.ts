import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn } from '../../bench/dashboard-browser.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();
let page: Page;
beforeAll(async () => {
  await it.service.request(['POST', '/api/service/roles/ada/assign'], { body: { role: 'editor' } });
  page = await it.open('/users');
  await logIn(page);
  // Requests of the first page after the login do not count.
  await page.waitForLoadState('networkidle');
});

const pages: readonly [path: string, shown: string][] = [
  ['/users', 'ada'],
  ['/users?q=ada', 'ada'],
  ['/users/ada', 'Role assigned'],
  ['/keys', 'svk_k1_billing'],
  ['/history', 'Role assigned'],
  ['/bulk', 'Bulk change'],
  ['/applications', 'billing'],
  ['/applications/billing', 'access:read'],
  ['/applications/billing?tab=roles', 'editor'],
  ['/applications/billing?tab=users', 'ada'],
  ['/applications/billing?tab=rollout', 'of the users who have no setting'],
  ['/applications/billing?tab=history', 'Role assigned'],
];

test.each(pages)("%s reads nothing twice, and the operator's permissions once", async (path, shown) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.startsWith('/api/')) asked.push(`${request.method()} ${url.pathname}${url.search}`);
  });
  await page.goto(it.dashboard.url + path);
  await page.getByText(shown).first().waitFor();
  // The next poll is after 3 s.
  await page.waitForLoadState('networkidle');
  page.removeAllListeners('request');
  expect(asked.filter((request, at) => asked.indexOf(request) !== at)).toEqual([]);
  expect(asked.filter((request) => request.endsWith('/api/manage/operator'))).toHaveLength(1);
});
