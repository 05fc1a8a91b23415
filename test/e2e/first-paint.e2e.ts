import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn } from '../../bench/dashboard-browser.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { type TrafficWatch, watchTraffic } from './support/page-traffic.ts';

const maxRequests = 25;
const maxBytes = 280 * 1024;
const maxLoginBytes = 60 * 1024;
const maxHistoryRequests = 12;

const it = dashboardForTests();

test('a first visit takes at most 25 requests and 280 KB until the users page is usable, and the history at most 12 more', async () => {
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

test('the login page takes at most 60 KB, and with the login the users page at most 25 requests and 280 KB', async () => {
  const page = await it.open('/config.json');
  const traffic = await watchAsNew(page);
  await page.goto(`${it.dashboard.url}/users`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(report('The login page', traffic).bytes).toBeLessThanOrEqual(maxLoginBytes);
  await logIn(page);
  await expectUsable(page);
  const { requests, bytes } = report('The users page after a login', traffic);
  expect(requests).toBeGreaterThan(10);
  expect(requests).toBeLessThanOrEqual(maxRequests);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});

/**
 * Leaves the page, and counts from the next visit, which finds an empty cache. Parts that are loaded while the browser is idle
 * do not count.
 */
async function watchAsNew(page: Page): Promise<TrafficWatch> {
  await page.addInitScript('globalThis.requestIdleCallback = () => 0;');
  await page.goto('about:blank');
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

describe('before its scripts and styles have arrived', () => {
  test.each([
    ['/users', 'Users', 1440],
    ['/applications', 'Applications', 720],
    ['/keys', 'API keys', 1440],
    ['/history', 'History', 360],
  ])('%s shows its title, %s, where it stays, %d px wide', async (path, title, width) => {
    const page = await it.enter('/bulk', 'edith', { viewport: { width, height: 900 } });
    const release = await visitWithoutAssets(page, path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    const first = await measure(page);
    await expectAccessible(page, `the first paint of ${path}`);
    await release();
    await expectTitleAt(first, page, title);
  });

  test('a page without a fixed title shows the bar', async () => {
    const page = await it.enter('/users');
    const release = await visitWithoutAssets(page, '/users/ada');
    expect(await page.locator('#app').innerText()).toBe('Access administration\n\nLoading…');
    await release();
  });

  test('without a session the login page shows its title, where it stays, and no bar', async () => {
    const page = await it.open('/config.json');
    const release = await visitWithoutAssets(page, '/users');
    expect(await page.locator('#app').innerText()).toBe('Access administration\n\nLoading…');
    const first = await measure(page);
    await release('button');
    expect(Math.abs((await measure(page)).left - first.left)).toBeLessThanOrEqual(1);
  });

  const backgrounds = { light: 'rgb(255, 255, 255)', dark: 'rgb(22, 29, 38)' };
  test.each([
    { system: 'light', setting: '', shown: 'light' },
    { system: 'dark', setting: '', shown: 'dark' },
    { system: 'dark', setting: 'system', shown: 'dark' },
    { system: 'dark', setting: 'light', shown: 'light' },
    { system: 'light', setting: 'dark', shown: 'dark' },
  ] as const)(
    'with the theme $system in the system and "$setting" in the settings the page is $shown',
    async (themes) => {
      const page = await it.open('/config.json', { colorScheme: themes.system });
      await page.evaluate((theme) => localStorage.setItem('theme', theme), themes.setting);
      await visitWithoutAssets(page, '/users');
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(backgrounds[themes.shown]);
    },
  );

  test('a path that names no page shows no title', async () => {
    const page = await it.enter('/users');
    await visitWithoutAssets(page, '/constructor');
    expect(await page.locator('#app').innerText()).toBe('Access administration\n\nLoading…');
  });

  test.each([
    ['open', 'status', 'The dashboard could not be loaded.'],
    ['start', 'alert', "This page couldn't be loaded. Check your connection and try again."],
  ] as const)('a script that cannot be loaded is explained: %s', async (script, role, words) => {
    const page = await it.enter('/users');
    await page.route(new RegExp(`/assets/${script}-`), (route) => route.abort());
    await page.reload();
    await page.getByRole(role).getByText(words).waitFor();
  });
});

describe('the users page while the scripts of the dashboard are on their way', () => {
  const lists = /\/api\/manage\/users(?:\?|$)/;

  /** Visits the users page with its first script alone; counts the reads of the list. */
  async function visit(path = '/users', viewport = { width: 1440, height: 900 }) {
    const page = await it.enter('/bulk', 'edith', { viewport });
    const reads: string[] = [];
    page.on('request', (request) => lists.test(request.url()) && reads.push(request.url()));
    const release = await holdBack(page, /\/assets\/(?:start|libraries)-/);
    await page.goto(it.dashboard.url + path, { waitUntil: 'commit' });
    const dashboard = async () => {
      release();
      await page.locator('#bar header').first().waitFor();
    };
    return { page, reads, dashboard };
  }

  test.each([1440, 720, 360])('has the list and its search, accessible, where they stay, %d px wide', async (width) => {
    const { page, reads, dashboard } = await visit('/users', { width, height: 900 });
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    const order = await names(page);
    const first = await measure(page);
    await expectAccessible(page, `the list before the dashboard, ${width} px wide`);
    await dashboard();
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await expectTitleAt(first, page, 'Users');
    expect(reads).toHaveLength(1);
    expect(order.length).toBeGreaterThan(5);
    expect(await names(page)).toEqual(order);
  });

  test('a search stays, with its text, its answer and the focus', async () => {
    const { page, reads, dashboard } = await visit();
    const search = page.getByRole('searchbox', { name: 'Find users by name, e-mail or user ID' });
    await search.pressSequentially('ad');
    await expectOnly(page, 'ada');
    expect(new URL(page.url()).search).toBe('?q=ad');
    await dashboard();
    await page.getByRole('button', { name: 'Create user' }).waitFor();
    await page.keyboard.type('a');
    expect(await search.inputValue()).toBe('ada');
    await page.waitForURL('**/users?q=ada');
    await expectOnly(page, 'ada');
    expect(reads.map((url) => new URL(url).search)).toEqual(['', '?q=ad', '?q=ada']);
  });

  test('says that nobody matches', async () => {
    const { page } = await visit('/users?q=nobody-at-all');
    await page.getByText('No users match.').waitFor();
  });

  test('a user who is chosen is shown by the dashboard, and the list afterwards is read again', async () => {
    const { page, reads, dashboard } = await visit();
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    await page.getByText('Loading…').waitFor();
    expect(new URL(page.url()).pathname).toBe('/users/ada');
    await dashboard();
    await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor();
    await page.goBack();
    await page.getByRole('table', { name: 'users' }).getByRole('link', { name: 'ada', exact: true }).waitFor();
    expect(reads.length).toBeGreaterThan(1);
  });

  test.each(['/users?status=inactive', '/users?cursor=c', '/users/ada'])('leaves %s to the dashboard', async (path) => {
    const { page, reads } = await visit(path);
    await page.waitForRequest(/\/assets\/start-/);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(reads).toEqual([]);
  });

  /** The users of the list, in its order. */
  async function names(page: Page): Promise<readonly string[]> {
    return await page.locator('main a[href^="/users/"]').allTextContents();
  }

  /** Of the list, one row is left. */
  async function expectOnly(page: Page, userId: string): Promise<void> {
    const table = page.getByRole('table', { name: 'users' });
    await table.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: userId, exact: true }).waitFor();
  }
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

/** Keeps these files from a page until the function that it returns is called. */
async function holdBack(page: Page, files: RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** Visits a page whose assets stay away until `release` is called, and waits for its first paint. */
async function visitWithoutAssets(page: Page, path: string): Promise<(shown?: string) => Promise<void>> {
  const release = await holdBack(page, /\/assets\//);
  await page.goto(it.dashboard.url + path, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  return async (shown = '#bar header') => {
    release();
    await page.locator(shown).first().waitFor();
    await page.waitForLoadState('networkidle');
  };
}

/** The page has this title where it was first, and a bar of that height. */
async function expectTitleAt(first: Measures, page: Page, title: string): Promise<void> {
  const loaded = await measure(page);
  expect(loaded).toMatchObject({ title, bar: first.bar });
  expect(Math.abs(loaded.left - first.left)).toBeLessThanOrEqual(1);
  expect(Math.abs(loaded.middle - first.middle)).toBeLessThanOrEqual(2);
}

interface Measures {
  readonly title: string;
  /** The height of the bar. */
  readonly bar: number | undefined;
  readonly left: number;
  readonly middle: number;
}

/** Where the words of the title are, in CSS pixels. */
async function measure(page: Page): Promise<Measures> {
  await page.locator('h1').first().waitFor();
  return await page.evaluate(`(() => {
    const words = document.createRange();
    words.selectNodeContents(document.querySelector('h1'));
    const { left, top, height } = words.getBoundingClientRect();
    const bar = document.querySelector('#bar, .first-bar')?.getBoundingClientRect().height;
    // The total appears with the list.
    const title = words.toString().replace(/ \\(.+\\)$/, '');
    return { title, bar, left, middle: top + height / 2 };
  })()`);
}
