import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn } from '../../bench/dashboard-browser.ts';
import { type TrafficWatch, watchTraffic } from '../../bench/page-traffic.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const maxRequests = 25;
const maxBytes = 350 * 1024;
const maxHistoryRequests = 12;

const it = dashboardForTests();

test('a first visit takes at most 25 requests and 350 KB until the users page is usable, and the history at most 12 more', async () => {
  const page = await it.enter('/users');
  const traffic = await watchAsNew(page);
  await page.goto(`${it.dashboard.url}/users`);
  await expectUsable(page);
  const { requests, bytes } = report('The users page of a logged-in operator', traffic);
  expect(requests).toBeGreaterThan(5);
  expect(requests).toBeLessThanOrEqual(maxRequests);
  expect(bytes).toBeGreaterThan(200 * 1024);
  expect(bytes).toBeLessThanOrEqual(maxBytes);

  await page.locator('#bar').getByRole('link', { name: 'History' }).click();
  await page.getByRole('table', { name: 'changes' }).getByText('User created').first().waitFor();
  await page.waitForLoadState('networkidle');
  const history = report('The history after it', traffic);
  expect(history.requests).toBeGreaterThan(2);
  expect(history.requests).toBeLessThanOrEqual(maxHistoryRequests);
});

test('a first visit with its login takes at most 25 requests and 350 KB until the users page is usable', async () => {
  const page = await it.open('/config.json');
  const traffic = await watchAsNew(page);
  await page.goto(`${it.dashboard.url}/users`);
  await logIn(page);
  await expectUsable(page);
  const { requests, bytes } = report('The users page after a login', traffic);
  expect(requests).toBeGreaterThan(10);
  expect(requests).toBeLessThanOrEqual(maxRequests);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});

/** Counts from the next visit, which finds an empty cache. Parts that are loaded while the browser is idle do not count. */
async function watchAsNew(page: Page): Promise<TrafficWatch> {
  await page.waitForLoadState('networkidle');
  await page.addInitScript('globalThis.requestIdleCallback = () => 0;');
  const traffic = await watchTraffic(page);
  await traffic.clearCache();
  return traffic;
}

/** The list is visible and the search takes the focus. */
async function expectUsable(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.locator('#bar input:focus').waitFor();
  await page.waitForLoadState('networkidle');
}

function report(what: string, traffic: TrafficWatch) {
  const counted = traffic.count();
  console.info(`${what}: ${counted.requests} requests, ${Math.ceil(counted.bytes / 1024)} KB.`);
  return counted;
}

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
