import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { launchBrowser, logIn } from '../../bench/dashboard-browser.ts';
import { startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { seedExample } from '../../local/seed-example.ts';
import { logIn as loginTokens } from '../local/log-in.ts';

/** `npm run build:pictures` sets `docs/images`; otherwise the pictures are discarded. */
const target = process.env.PICTURES_FOLDER ?? join(import.meta.dirname, 'artefacts');
const dashboard = join(import.meta.dirname, '../../dashboard/dist');
const root = Buffer.alloc(32, 7).toString('base64');
const now = Date.now();
/** In pixels; if narrower, the bar shows only an icon for the operator. */
const width = 1360;
const viewport = { width, height: 800 };
/** At 16:24 in UTC. */
const yesterday = Math.floor(now / 86_400_000) * 86_400_000 - 7.6 * 3_600_000;
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

let page: Page;
let stack: RunningStack;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  closers.unshift(() => dynamodb.stop());
  const assembly = process.env.TEST_ASSEMBLY ?? '';
  stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'pictures', root, dashboard });
  closers.unshift(() => stack.close());
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-pictures-'));
  closers.unshift(() => rm(folder, { recursive: true }));
  await seedExample({ ...stack, baseUrl: stack.url, file: join(folder, 'example.json') });
  await workADay();
  const browser = await launchBrowser();
  closers.unshift(() => browser.close());
  page = await enter(browser);
});
afterAll(async () => {
  for (const close of closers) await close();
});

interface Picture {
  readonly name: string;
  readonly path: string;
  /** The element that shows that the page is ready. */
  readonly ready: () => Locator;
  /** Leads to the state of the picture. Default: the page as it opens. */
  readonly act?: () => Promise<void>;
  /** Default: the whole page. */
  readonly height?: number;
}

const pictures: readonly Picture[] = [
  { name: 'users', path: '/users', ready: () => page.getByRole('link', { name: 'priya' }) },
  { name: 'user', path: '/users/ada', ready: () => page.getByText('Role assigned').first() },
  {
    name: 'history',
    path: '/history?action=access.changed,user.status.changed',
    ready: () => page.getByText('Left the company'),
  },
  {
    name: 'many-users',
    path: '/bulk?action=disable&app=crm',
    act: async () => {
      await page.getByLabel('Reason (optional)').fill('The customers move to another team');
      await page.getByRole('textbox', { name: 'Users' }).fill('ada\ngrace\npriya.nair@example.com\nsam@example.com');
    },
    ready: () => page.getByText('Preview of 4 users: nothing has changed yet.'),
  },
  {
    name: 'application-keys',
    path: '/applications/billing',
    ready: () => page.getByText('access:read').first(),
  },
  {
    name: 'application-roles',
    path: '/applications/billing?tab=roles',
    ready: () => page.getByText('Writes and corrects invoices'),
  },
  {
    name: 'application-review',
    path: '/applications/billing?tab=review',
    ready: () => page.getByText('Grace Mbeki'),
  },
  { name: 'overview', path: '/overview', ready: () => page.getByRole('link', { name: '3 Billing' }) },
  {
    // The last, because its text stays.
    name: 'search',
    path: '/users',
    act: async () => {
      await page.getByRole('link', { name: 'priya' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('cr');
    },
    ready: () => page.getByRole('option', { name: 'Cristina Duarte' }),
    height: 385,
  },
];

test.each(pictures)('takes the picture $name', async ({ name, path, ready, act, height }) => {
  await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
  await act?.();
  await ready().waitFor();
  await page.waitForLoadState('networkidle');
  // What sticks to the end of the window would cover a part of a page that is higher.
  const whole = height ?? (await page.evaluate<number>('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height: Math.max(whole, viewport.height) });
  const part = height === undefined ? { fullPage: true } : { clip: { x: 0, y: 0, width, height } };
  const picture = await page.screenshot({ path: join(target, `${name}.png`), ...part });
  expect(picture.byteLength).toBeGreaterThan(10_000);
});

/** Changes by operators with their tokens, so that histories name them. */
async function workADay(): Promise<void> {
  const edith = await operator('edith');
  await edith('PUT', '/users/cristina', { displayName: 'Cristina Duarte', email: 'cristina.duarte@example.com' });
  const overlap = await edith('POST', '/applications/billing/keys', { label: 'Web shop', scopes: ['access:read'] });
  await edith('POST', `/applications/billing/keys/${overlap.keyId}/rotate`, { overlap: 'P7D' });
  await edith('PUT', '/users/ada/roles/billing/editor');
  await edith('PUT', '/users/ada/roles/billing/admin', { expiresAt: inHours(72) });
  await edith('PUT', '/users/ada/roles/crm/sales');
  await edith('DELETE', '/users/ada/roles/crm/sales');
  await edith('PUT', '/users/mei/access/billing', { status: 'disabled', reason: 'Audit', until: inHours(24) });
  const reason = 'Laptop reported stolen';
  await edith('PUT', '/users/ada/access/billing', { status: 'disabled', reason, until: inHours(4) });
}

async function operator(id: string) {
  const { access_token: token } = await loginTokens(stack.issuer, { operator: id });
  return async (method: string, path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${stack.url}/api/manage${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
}

/** Changes of the last thirty days, fewer at weekends. */
const busyDays = Array.from({ length: 30 }, (_, ago) => {
  const at = new Date(now - ago * 86_400_000);
  const isWeekend = at.getUTCDay() % 6 === 0;
  const blocks = isWeekend ? 0 : (ago * 5) % 4;
  const changes = isWeekend ? ago % 3 : 8 + ((ago * 7) % 19);
  return { date: at.toISOString().slice(0, 10), changes, blocks, unblocks: Math.min(blocks, ago % 3) };
}).toReversed();

/** The dashboard, logged in, with retouched responses. */
async function enter(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    colorScheme: 'light',
    timezoneId: 'UTC',
  });
  const entered = await context.newPage();
  await entered.route('**/api/manage/**', retouch);
  await entered.goto(stack.dashboardUrl ?? '');
  await logIn(entered);
  return entered;
}

/**
 * Everything was seeded within a second by one identity: makes each item of a list but the first seem a day older than the
 * previous one, and gives the overview changes on other days too.
 */
async function retouch(route: Route): Promise<void> {
  const response = await route.fetch();
  const text = await response.text();
  const answer = JSON.parse(
    text
      .replaceAll('000000000000:user/local', '111122223333:role/provisioning')
      .replaceAll(stack.issuer, 'https://login.example.com'),
  );
  if (response.ok() && Array.isArray(answer.days))
    return await route.fulfill({ response, json: { ...answer, days: busyDays } });
  if (!response.ok() || !Array.isArray(answer.items)) return await route.fulfill({ response });
  const items = answer.items.map((item: Record<string, unknown>, at: number) => {
    if (at === 0) return item;
    const moments = ['at', 'createdAt', 'lastUsedAt'].filter((name) => typeof item[name] === 'string');
    const moment = new Date(yesterday - (at - 1) * 24.4 * 3_600_000).toISOString();
    return { ...item, ...Object.fromEntries(moments.map((name) => [name, moment])) };
  });
  await route.fulfill({ response, json: { ...answer, items } });
}
