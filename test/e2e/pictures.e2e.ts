import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import { startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { seedExample } from '../../local/seed-example.ts';
import { logIn as loginTokens } from '../local/log-in.ts';
import { launchBrowser, logIn } from './support/start-dashboard.ts';

/** `npm run build:pictures` names `docs/images`; without it, the pictures are taken and thrown away. */
const target = process.env.PICTURES_FOLDER ?? join(import.meta.dirname, 'artefacts');
const dashboard = join(import.meta.dirname, '../../dashboard/dist');
const root = Buffer.alloc(32, 7).toString('base64');
const now = Date.now();
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

const pictures = [
  { name: 'users', path: '/users', ready: () => page.getByRole('link', { name: 'priya' }) },
  { name: 'user', path: '/users/ada', ready: () => page.getByText('Role assigned').first() },
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
    name: 'application-history',
    path: '/applications/billing?tab=history',
    ready: () => page.getByText('Laptop reported stolen'),
  },
] as const;

test.each(pictures)('takes the picture $name', async ({ name, path, ready }) => {
  await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
  await ready().waitFor();
  const picture = await page.screenshot({ path: join(target, `${name}.png`), fullPage: true });
  expect(picture.byteLength).toBeGreaterThan(10_000);
});

/** What operators do in the dashboard, by their tokens, so that histories name them. */
async function workADay(): Promise<void> {
  const edith = await operator('edith');
  const overlap = await edith('POST', '/applications/billing/keys', { scopes: ['access:read'] });
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

/** The dashboard, logged in, with answers retouched. */
async function enter(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
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

/** All was seeded within a second by one identity: in a list, each item seems a day older than the one before. */
async function retouch(route: Route): Promise<void> {
  const response = await route.fetch();
  const text = await response.text();
  const answer = JSON.parse(text.replaceAll('000000000000:user/local', '111122223333:role/provisioning'));
  if (!response.ok() || !Array.isArray(answer.items)) return await route.fulfill({ response });
  const items = answer.items.map((item: Record<string, unknown>, at: number) => {
    const moments = ['at', 'createdAt', 'lastUsedAt'].filter((name) => typeof item[name] === 'string');
    const moment = new Date(yesterday - at * 24.4 * 3_600_000).toISOString();
    return { ...item, ...Object.fromEntries(moments.map((name) => [name, moment])) };
  });
  await route.fulfill({ response, json: { ...answer, items } });
}
