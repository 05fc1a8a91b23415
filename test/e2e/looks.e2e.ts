import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { UserId } from '#shared/contract/fields.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { logIn } from '../../bench/dashboard-browser.ts';
import { operator } from '../support/start-service.ts';
import { brokenWords } from './support/broken-words.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const artefacts = join(import.meta.dirname, 'artefacts');
const dist = join(import.meta.dirname, '../../dashboard/dist');

const it = dashboardForTests();
beforeAll(async () => {
  await createUser({ userId: long as UserId, displayName: 'y'.repeat(100), email: null }, operator);
  const block = { status: 'disabled', reason: 'left the team', until: new Date(Date.now() + 7_200_000).toISOString() };
  await it.service.request(['POST', '/api/service/roles/ada/assign'], { body: { role: 'editor' } });
  await it.service.request(['POST', '/api/service/roles/ada/assign'], {
    body: { role: 'viewer', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  await it.service.request(['PUT', '/api/service/users/ada/access'], { body: block });
});

/** An ID and a name of the maximum length, without a place to break. */
const long = `auth0|${'x'.repeat(122)}`;

/** A state of a page: its path, the element that shows it is loaded, and the actions that lead to the state. */
interface State {
  readonly name: string;
  readonly path: string;
  readonly ready: (page: Page) => Locator;
  readonly act?: (page: Page) => Promise<void>;
}

const link = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true });
const text = (words: string) => (page: Page) => page.getByText(words).first();
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first();
const click = (name: string) => (page: Page) => button(name)(page).click();
/** Opens a dialog by its button, and does something in it. */
const dialog = (name: string, act?: (dialog: Locator, page: Page) => Promise<void>) => async (page: Page) => {
  await click(name)(page);
  const opened = page.getByRole('dialog');
  await opened.waitFor();
  await act?.(opened, page);
};
/** Opens the dialog of the first key. */
const keyDialog = (verb: string) => async (page: Page) => {
  const first = page.getByRole('button', { name: new RegExp(`^${verb} `) }).first();
  await first.click();
  await page.getByRole('dialog').waitFor();
};

const states: readonly State[] = [
  { name: 'users', path: '/users', ready: link('ada') },
  { name: 'users-empty', path: '/users?q=nobody', ready: text('No users match.') },
  { name: 'users-refused', path: '/users?cursor=edited', ready: text('This page of the list does not exist') },
  {
    name: 'users-search',
    path: '/users',
    ready: link('ada'),
    act: async (page) => {
      await page.keyboard.press('/');
      await page.locator('#bar input:focus').waitFor();
      await page.keyboard.type('ada');
      await page.getByRole('option', { name: /ada@/ }).waitFor();
    },
  },
  {
    name: 'users-settings',
    path: '/users',
    ready: link('ada'),
    act: async (page) => {
      // On a narrow screen the settings are part of the menu.
      const menu = page.locator('#bar').getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByText('Keyboard').waitFor();
    },
  },
  {
    name: 'users-create',
    path: '/users',
    ready: button('Create user'),
    act: dialog('Create user', async (opened) => {
      await opened.getByLabel('User ID').fill('not an id');
      await opened.getByRole('button', { name: 'Create user' }).click();
      await opened.getByText('Must be 1 to 128').waitFor();
    }),
  },
  {
    name: 'many-users',
    path: '/bulk?action=disable&app=wiki',
    ready: (page) => page.getByRole('textbox', { name: 'Users' }),
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Users' }).fill('ada\nnobody@example.net\ngrace');
      await page.getByText('Will change').filter({ visible: true }).first().waitFor();
    },
  },
  { name: 'user', path: '/users/ada', ready: text('Role assigned') },
  { name: 'user-long', path: `/users/${encodeURIComponent(long)}`, ready: text('User created') },
  {
    name: 'user-block',
    path: '/users/ada',
    ready: button('Reason and end of the block of ada in billing'),
    act: dialog('Reason and end of the block of ada in billing', (opened) =>
      opened.getByLabel('Date', { exact: true }).waitFor(),
    ),
  },
  {
    name: 'user-assign-role',
    path: '/users/ada',
    ready: (page) => page.getByTestId('access-wiki').getByRole('checkbox'),
    act: async (page) => {
      await page.getByRole('button', { name: 'Assign a role in billing' }).click();
      await page.getByText('Choose a role', { exact: true }).click();
      await page.getByRole('option', { name: 'editor' }).waitFor();
    },
  },
  { name: 'user-edit', path: `/users/${encodeURIComponent(long)}`, ready: button('Edit'), act: dialog('Edit') },
  { name: 'user-delete', path: `/users/${encodeURIComponent(long)}`, ready: button('Delete'), act: dialog('Delete') },
  { name: 'user-unknown', path: '/users/nobody', ready: text('There is no such user') },
  { name: 'applications', path: '/applications', ready: link('billing') },
  {
    name: 'applications-create',
    path: '/applications',
    ready: button('Create application'),
    act: dialog('Create application'),
  },
  { name: 'application-keys', path: '/applications/billing', ready: text('access:read') },
  { name: 'keys', path: '/keys', ready: text('access:read') },
  { name: 'application-rename', path: '/applications/billing', ready: button('Rename'), act: dialog('Rename') },
  {
    name: 'application-limit',
    path: '/applications/billing',
    ready: button('Limit requests'),
    act: dialog('Limit requests'),
  },
  { name: 'application-delete', path: '/applications/billing', ready: button('Delete'), act: dialog('Delete') },
  {
    name: 'application-issue-key',
    path: '/applications/wiki',
    ready: button('Issue key'),
    act: dialog('Issue key'),
  },
  { name: 'key-rotate', path: '/applications/billing', ready: text('access:read'), act: keyDialog('Rotate') },
  { name: 'key-revoke', path: '/applications/billing', ready: text('access:read'), act: keyDialog('Revoke') },
  { name: 'key-label', path: '/keys', ready: text('access:read'), act: keyDialog('Label') },
  { name: 'application-roles', path: '/applications/billing?tab=roles', ready: text('editor') },
  {
    name: 'application-define-role',
    path: '/applications/billing?tab=roles',
    ready: button('Define role'),
    act: dialog('Define role'),
  },
  {
    name: 'application-members',
    path: '/applications/billing?tab=roles',
    ready: button('View members of editor'),
    act: dialog('View members of editor', (opened) => opened.getByRole('link', { name: 'ada' }).waitFor()),
  },
  {
    name: 'application-delete-role',
    path: '/applications/billing?tab=roles',
    ready: button('Delete editor'),
    act: dialog('Delete editor', async (opened) => {
      await opened.getByRole('button', { name: 'Delete role' }).click();
      await opened.getByText('is assigned to users').waitFor();
    }),
  },
  { name: 'application-users', path: '/applications/billing?tab=users', ready: link('ada') },
  {
    name: 'application-rollout',
    path: '/applications/billing?tab=rollout',
    ready: text('who have no setting of their own'),
  },
  {
    name: 'application-rollout-lower',
    path: '/applications/billing?tab=rollout',
    ready: text('who have no setting of their own'),
    act: async (page) => {
      await page.getByLabel('Percentage of users').fill('12.5');
      await dialog('Save percentage')(page);
    },
  },
  { name: 'application-review', path: '/applications/billing?tab=review', ready: link('ada') },
  {
    name: 'application-mark',
    path: '/applications/billing?tab=review',
    ready: link('ada'),
    act: dialog('Mark as reviewed'),
  },
  { name: 'application-history', path: '/applications/billing?tab=history', ready: text('Role assigned') },
  {
    name: 'history',
    path: '/history?range=custom&by=edith',
    ready: (page) => page.getByLabel('From'),
  },
  { name: 'history-all', path: '/history', ready: text('Role assigned') },
  { name: 'no-page', path: '/elsewhere', ready: text('Page not found') },
];

const wide = { width: 1440, height: 900 };
const half = { width: 720, height: 900 };
const narrow = { width: 360, height: 740 };
/** Narrower than the tables, but not yet cards. */
const medium = { width: 768, height: 900 };

describe('each state is accessible and fits the screens in both themes', () => {
  let page: Page;
  beforeAll(async () => {
    page = await it.open('/', { viewport: wide });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await look(page, 'login', async () => true);
    await page.setViewportSize(wide);
    await logIn(page);
  });

  test.each(states)('$name', async ({ name, path, ready, act }) => {
    await look(page, name, async () => {
      await visit(page, path);
      await ready(page).waitFor();
      await act?.(page);
      return act === undefined;
    });
  });
});

/** Operators read Allowed and Blocked instead. */
const apiWords = /\b(?:enabled|disabled|turn(?:ed)? (?:on|off))\b|^\s*(?:on|off)\s*$/im;

const isTitleCut = `[...document.querySelectorAll('#bar a[href="/"] *')].some(
  ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`;

/** With `LOOKS=all` each state is checked in both themes on three screens, otherwise on two and alternately in one of them. */
const isWhole = process.env.LOOKS === 'all';
const screens = isWhole ? { wide, half, narrow } : { wide, narrow };
const themes = ['dark', 'light'] as const;
let turn = 0;

/** Checks a state on each screen; `enter` leads to it and returns whether the whole page is worth a screenshot. */
async function look(page: Page, name: string, enter: () => Promise<boolean>): Promise<void> {
  turn += 1;
  for (const [at, [screen, viewport]] of Object.entries(screens).entries()) {
    await page.setViewportSize(viewport);
    const fullPage = await enter();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await page.locator('body').innerText()).not.toMatch(apiWords);
    expect([name, screen, await brokenWords(page)]).toEqual([name, screen, []]);
    expect([name, screen, await page.evaluate(isTitleCut)]).toEqual([name, screen, false]);
    const looks = isWhole ? themes : themes.filter((_, theme) => (turn + at + theme) % 2 === 0);
    for (const colorScheme of looks) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(artefacts, `${name}-${screen}-${colorScheme}.png`), fullPage });
      await expectAccessible(page, `${name}, ${screen}, ${colorScheme}`);
    }
  }
}

test.each([
  ['/applications/billing', 'Revoke'],
  ['/applications/billing?tab=roles', 'Delete'],
])('at 768 px the actions of %s are visible', async (path, action) => {
  const page = await it.enter(path, 'edith', { viewport: medium });
  const button = page.getByRole('table').getByText(action, { exact: true }).first();
  const box = await button.boundingBox();
  await page.screenshot({ path: join(artefacts, `medium-${action}.png`) });
  expect((box?.x ?? 9999) + (box?.width ?? 0)).toBeLessThanOrEqual(medium.width);
});

test("a theme chosen in the settings overrides the system's and survives a reload", async () => {
  const page = await it.enter('/users', 'edith', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click();
  await page.locator('body.awsui-dark-mode').waitFor();
  await page.reload();
  await page.locator('body.awsui-dark-mode').waitFor();
});

test('the build is a production build in any environment', () => {
  const scripts = globSync('assets/*.js', { cwd: dist }).map((name) => readFileSync(join(dist, name), 'utf8'));
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((script) => /jsxDEV|\/dashboard\/[\w/-]+\.tsx/.test(script))).toEqual([]);
});

test('the page links to the licences of the packages in the build, with their notices', () => {
  const [, file = ''] =
    /<link rel="license" href="\/(assets\/[^"]+)"/.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? [];
  const notice = readFileSync(join(dist, file), 'utf8');
  for (const name of ['react-dom', '@cloudscape-design/components', '@cloudscape-design/global-styles', 'valibot']) {
    expect(notice).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, 'm'));
  }
  expect(notice).toContain('SIL OPEN FONT LICENSE');
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

/** Navigates without reloading the scripts, unless the page is already there with a dialog of the previous test. */
async function visit(page: Page, path: string): Promise<void> {
  const url = new URL(path, it.dashboard.url).href;
  if (page.url() === url) await page.reload();
  else await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}
