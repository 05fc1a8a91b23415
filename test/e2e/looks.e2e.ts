import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type DashboardTest, logIn, startDashboard } from './support/start-dashboard.ts';

const artefacts = join(import.meta.dirname, 'artefacts');
const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const maxScriptBytes = 350 * 1024;
const dist = join(import.meta.dirname, '../../dashboard/dist');

let it: DashboardTest;
beforeAll(async () => {
  it = await startDashboard();
  const block = { status: 'disabled', reason: 'left the team', until: new Date(Date.now() + 7_200_000).toISOString() };
  await it.service.request(['POST', '/api/service/roles/ada/assign'], { body: { role: 'editor' } });
  await it.service.request(['POST', '/api/service/roles/ada/assign'], {
    body: { role: 'viewer', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  await it.service.request(['PUT', '/api/service/users/ada/access'], { body: block });
});
afterAll(() => it.stop());

/** Every page, what shows that it is there, and how to get to a state worth a look. */
const pages = [
  { name: 'users', path: '/users', ready: (page: Page) => page.getByRole('link', { name: 'ada' }) },
  { name: 'user', path: '/users/ada', ready: (page: Page) => page.getByText('Role assigned').first() },
  {
    name: 'user-turn-off',
    path: '/users/ada',
    ready: (page: Page) => page.getByTestId('access-wiki').getByRole('checkbox'),
    act: async (page: Page) => {
      await page.getByTestId('access-wiki').getByRole('checkbox').click();
      await page.getByLabel('At a specific time').check();
    },
  },
  {
    name: 'user-assign-role',
    path: '/users/ada',
    ready: (page: Page) => page.getByTestId('access-wiki').getByRole('checkbox'),
    act: async (page: Page) => {
      await page.getByRole('button', { name: 'Assign a role in billing' }).click();
      await page.getByText('Choose a role').click();
      await page.getByRole('option', { name: 'editor' }).waitFor();
    },
  },
  {
    name: 'user-unknown',
    path: '/users/nobody',
    ready: (page: Page) => page.getByText('There is no such user').first(),
  },
  { name: 'applications', path: '/applications', ready: (page: Page) => page.getByRole('link', { name: 'billing' }) },
  {
    name: 'application-keys',
    path: '/applications/billing',
    ready: (page: Page) => page.getByText('access:read').first(),
  },
  {
    name: 'application-roles',
    path: '/applications/billing?tab=roles',
    ready: (page: Page) => page.getByText('editor'),
  },
  {
    name: 'application-users',
    path: '/applications/billing?tab=users',
    ready: (page: Page) => page.getByRole('link', { name: 'ada' }),
  },
  {
    name: 'application-rollout',
    path: '/applications/billing?tab=rollout',
    ready: (page: Page) => page.getByText('without a setting of their own'),
  },
  {
    name: 'application-rollout-lower',
    path: '/applications/billing?tab=rollout',
    ready: (page: Page) => page.getByText('without a setting of their own'),
    act: async (page: Page) => {
      await page.getByLabel('Percent of the users').fill('12.5');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Lower to 12.5 %' }).waitFor();
    },
  },
  {
    name: 'application-history',
    path: '/applications/billing?tab=history',
    ready: (page: Page) => page.getByText('Role assigned').first(),
  },
  { name: 'no-page', path: '/elsewhere', ready: (page: Page) => page.getByText('Page not found') },
] as const;

const narrow = { width: 360, height: 740 };
const wide = { width: 1280, height: 900 };
/** Narrow, the menus and the tabs fold: axe looks at that on these. */
const axeOnNarrow: readonly string[] = ['user', 'application-keys'];

describe('each page is accessible in both themes, and fits a narrow screen', () => {
  let page: Page;
  beforeAll(async () => {
    page = await it.open('/');
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await look(page, 'login');
    await logIn(page);
  });

  test.each(pages)('$name', async ({ name, path, ready, ...rest }) => {
    await visit(page, path);
    await ready(page).waitFor();
    if ('act' in rest) await rest.act(page);
    await look(page, name, !('act' in rest));
  });
});

async function look(page: Page, name: string, fullPage = true): Promise<void> {
  const takePicture = (screen: string) => page.screenshot({ path: join(artefacts, `${name}-${screen}.png`), fullPage });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(colorScheme);
    await expectAccessible(page, `${name}, ${colorScheme}`);
  }
  await page.setViewportSize(narrow);
  await takePicture('narrow');
  if (axeOnNarrow.includes(name)) await expectAccessible(page, `${name}, narrow`);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.setViewportSize(wide);
}

test('the theme can be chosen against the system', async () => {
  const page = await it.enter('/users', 'edith', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click();
  await page.locator('body.awsui-dark-mode').waitFor();
  await page.reload();
  await page.locator('body.awsui-dark-mode').waitFor();
});

test('the users page loads at most 350 KB of compressed script', async () => {
  const page = await it.enter('/users');
  await page.getByRole('link', { name: 'ada' }).waitFor();
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => (/\.js$/.test(name) ? [new URL(name).pathname] : [])),
  );
  const sizes = await Promise.all(loaded.map(async (path) => gzipSync(await readFile(join(dist, path))).byteLength));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.info(`The users page loads ${Math.ceil(bytes / 1024)} KB of compressed script in ${loaded.length} files.`);
  expect(bytes).toBeLessThanOrEqual(maxScriptBytes);
});

test('what is built is for production, wherever it was built', () => {
  const scripts = globSync('assets/*.js', { cwd: dist }).map((name) => readFileSync(join(dist, name), 'utf8'));
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((script) => /jsxDEV|\/dashboard\/[\w/-]+\.tsx/.test(script))).toEqual([]);
});

test('no page broke its Content-Security-Policy or failed', () => expect(it.complaints).toEqual([]));

/** Without loading the scripts anew, unless it is where the page is already, with a dialog of the test before. */
async function visit(page: Page, path: string): Promise<void> {
  const url = it.dashboard.url + path;
  if (page.url() === url) await page.reload();
  else await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Runs axe in the page past its Content-Security-Policy, which holds for the page and not for its tester. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axeSource, 'utf8'));
  const violations = await page.evaluate(async () => {
    const axe = Reflect.get(globalThis, 'axe') as { run(options: object): Promise<{ violations: AxeViolation[] }> };
    const found = await axe.run({ resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' | ')}`);
  });
  expect([name, violations]).toEqual([name, []]);
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
