import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardForTests();
beforeAll(async () => {
  await createUser({ userId: 'u-1' as UserId, displayName: 'Zoë Ångström', email: 'countess@example.net' }, operator);
  for (let n = 10; n < 40; n++) await newUser(`many-${n}`);
  await setUserStatus({ userId: 'many-39' as UserId, status: 'inactive', reason: null }, operator);
});

test('what is typed with pauses on a slow machine is kept whole', async () => {
  const page = await it.enter();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 });
  const text = 'somebody.with.a.long.name@example.com';
  await page.getByRole('searchbox').focus();
  await page.keyboard.type(text, { delay: 260 });
  await page.waitForURL(({ searchParams }) => searchParams.get('q') === text);
  expect(await page.getByRole('searchbox').inputValue()).toBe(text);
});

const unavailable = { code: 'unavailable', title: 'The service is temporarily unavailable', detail: 'Try again.' };
/** Other requests of the page may still be on their way. */
const refuseUsers = (_: string, path: string) =>
  path.startsWith('/api/manage/users') ? { status: 503, body: unavailable } : undefined;

test('pages forward and back through a long list', async () => {
  const page = await it.enter();
  await page.getByRole('searchbox').fill('many-');
  await page.getByRole('link', { name: 'many-34' }).waitFor();
  expect(await page.getByRole('link', { name: /^many-/ }).count()).toBe(25);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'many-35' }).waitFor();
  expect(await page.getByRole('link', { name: /^many-/ }).count()).toBe(5);
  await page.getByRole('button', { name: 'Previous page' }).click();
  await page.getByRole('link', { name: 'many-10' }).waitFor();
});

test('filters a list by status, and shows that no users match or why loading failed', async () => {
  const page = await it.enter();
  await page.getByRole('button', { name: /^Status/ }).click();
  await page.getByRole('option', { name: 'Inactive', exact: true }).click();
  await page.getByRole('link', { name: 'ada' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'many-39' }).waitFor();
  await page.getByRole('searchbox').fill('nobody');
  await page.getByText('No users match.').waitFor();
  it.dashboard.refuse = refuseUsers;
  await page.getByRole('searchbox').fill('ada');
  await page.getByText(unavailable.title).waitFor();
  it.dashboard.refuse = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No users match.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'ada' }).waitFor();
  expect([new URL(page.url()).search, await page.getByRole('searchbox').inputValue()]).toEqual(['', '']);
});

const searchHint =
  'The search matches the beginnings of words in names, e-mail addresses and user IDs, and four letters or more inside names.';

test.each(['angstrom zoe', 'ZOË', 'Countess@Example.net', 'u-1'])(
  'a search for %s matches names, e-mail addresses and IDs, stays in the URL and survives a reload',
  async (q) => {
    const page = await it.enter();
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.getByRole('searchbox').fill(q);
    await page.getByRole('link', { name: 'ada' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Zoë Ångström' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe(q);
    await page.reload();
    await page.getByRole('link', { name: 'Zoë Ångström' }).click();
    await page.getByRole('heading', { name: 'Zoë Ångström', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Zoë Ångström' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe(q);
  },
);

test('a search without matches offers to create a user only if the text is a valid user ID, and fills in an address as the e-mail', async () => {
  const page = await it.enter('/users?q=Ada+King+of+Nowhere');
  const creators = page.getByRole('button', { name: 'Create user' });
  await page.getByText(searchHint).waitFor();
  expect(await creators.count()).toBe(1);
  await page.getByRole('searchbox').fill('nobody-7');
  await creators.nth(1).click();
  expect(await page.getByRole('dialog').getByLabel('User ID').inputValue()).toBe('nobody-7');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('searchbox').fill('nobody@example.net');
  await page.waitForURL(/q=nobody%40example.net/);
  await creators.nth(1).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('User ID').inputValue()).toBe('');
  expect(await dialog.getByLabel('E-mail (optional)').inputValue()).toBe('nobody@example.net');
});

describe('the search in the bar', () => {
  const field = (page: Page) => page.getByRole('combobox', { name: 'Find a user' });

  test('finds a user by e-mail from any page after /', async () => {
    const page = await it.enter('/applications/billing');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('countess@ex');
    const option = page.getByRole('option', { name: /Zoë Ångström/ });
    await option.waitFor();
    expect(await option.textContent()).toMatch(/Zoë Ångström.*Active.*countess@example\.net.*u-1/);
    await page.screenshot({ path: 'test/e2e/artefacts/search-bar.png' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Zoë Ångström', level: 1 }).waitFor();
    expect(await field(page).inputValue()).toBe('');
  });

  test('lists all matching users after Enter, even on the list itself', async () => {
    const page = await it.enter('/applications');
    await field(page).fill('zoe');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/users?q=zoe');
    await page.getByRole('link', { name: 'Zoë Ångström' }).waitFor();
    await field(page).fill('many-3');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'many-31' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('many-3');
  });

  test('suggests applications by the beginning of a word in the name or of the ID, and the tabs of a single match', async () => {
    for (const [appId, name] of [
      ['crm-eu', 'Café Relations'],
      ['crm-us', 'Customer Relations'],
    ] as const) {
      await createApplication({ appId: appId as AppId, name }, operator);
    }
    const page = await it.enter('/users');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/manage/applications?')) asked.push(request.url());
    });
    const offered = async (typed: string, shown: string) => {
      await field(page).fill(typed);
      await page.getByRole('option', { name: shown }).first().waitFor();
      const texts = await page.getByRole('option').allInnerTexts();
      return texts
        .map((text) => text.replace(/\s+/g, ' ').trim())
        .filter((text) => !/^(?:All users|Who has the role)/.test(text));
    };
    expect(await offered('RELA', 'Customer Relations')).toEqual([
      'Café Relations Application crm-eu',
      'Customer Relations Application crm-us',
    ]);
    const sections = ['Roles of Café Relations', 'Users of Café Relations', 'History of Café Relations'];
    expect(await offered('cafe r', 'Roles of')).toEqual(['Café Relations Application crm-eu', ...sections]);
    expect(await offered('crm-e', 'Roles of')).toEqual(['Café Relations Application crm-eu', ...sections]);
    await page.screenshot({ path: 'test/e2e/artefacts/search-bar-application.png' });
    await expectAccessible(page, 'a search for an application');
    await page.getByRole('option', { name: 'Café Relations Application' }).click();
    await page.getByRole('heading', { name: 'Café Relations', level: 1 }).waitFor();
    expect([await field(page).inputValue(), new URL(page.url()).pathname]).toEqual(['', '/applications/crm-eu']);
    expect(asked).toHaveLength(1);
  });

  test('does not read the applications again if the page has just read them', async () => {
    const page = await it.enter('/history');
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    const searched = page.waitForResponse((response) => response.url().includes('/users?q=billing'));
    await field(page).fill('billing');
    await page.getByRole('option', { name: 'Roles of billing' }).waitFor();
    await searched;
    expect(asked.filter((path) => path === '/api/manage/applications')).toHaveLength(1);
  });

  test('shows that no users match, and that the search failed', async () => {
    const page = await it.enter('/applications');
    await field(page).fill('nobody at all');
    await page.getByText('No users match “nobody at all”').waitFor();
    it.dashboard.refuse = refuseUsers;
    await field(page).fill('zoe');
    await page.getByText('The search failed.', { exact: true }).waitFor();
    it.dashboard.refuse = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('option', { name: /Zoë Ångström/ }).waitFor();
  });

  test('is behind a button on a narrow screen, and / opens it too', async () => {
    const page = await it.enter('/applications', 'edith', { viewport: { width: 360, height: 740 } });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('zoe');
    await page.getByRole('option', { name: /Zoë Ångström/ }).waitFor();
    await page.screenshot({ path: 'test/e2e/artefacts/search-bar-narrow.png' });
  });

  test('takes Ctrl-K in fields too, and ? lists the keys', async () => {
    const page = await it.enter('/users', 'edith', { viewport: { width: 1440, height: 900 } });
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.getByRole('searchbox').press('Control+k');
    await page.locator('#bar input:focus').waitFor();
    await page.locator('#main').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await keys.getByText('Ctrl K').waitFor();
    await expectAccessible(page, 'the list of the keys');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('menuitem', { name: /^Documentation/ }).waitFor();
  });

  test('leaves the main places in the bar at 720 px', async () => {
    const page = await it.enter('/users', 'edith', { viewport: { width: 720, height: 900 } });
    for (const name of ['Overview', 'Users', 'Applications'])
      await page.locator('#bar header').getByRole('link', { name, exact: true }).first().waitFor();
  });

  test('ignores / in fields and dialogs, and everywhere once the shortcut is turned off', async () => {
    const page = await it.enter('/users');
    await page.getByRole('link', { name: 'ada' }).waitFor();
    await page.getByRole('searchbox').press('/');
    expect(await page.getByRole('searchbox').inputValue()).toBe('/');
    await page.getByRole('button', { name: 'Create user' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('/');
    expect(await field(page).evaluate((element) => element.matches(':focus'))).toBe(false);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Press / to search' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    expect(await field(page).evaluate((element) => element.matches(':focus'))).toBe(false);
  });
});

test('aborts a request whose response is no longer needed', async () => {
  const page = await it.enter();
  await page.getByRole('link', { name: 'ada' }).waitFor();
  await page.route(/q=many-/, () => undefined);
  const stalled = page.waitForRequest(/q=many-/);
  await page.getByRole('searchbox').fill('many-');
  const [request, aborted] = [await stalled, page.waitForEvent('requestfailed')];
  await page.getByRole('searchbox').fill('ada');
  expect(await aborted).toBe(request);
  await page.getByRole('link', { name: 'ada' }).waitFor();
});

/** A user ID with special characters of URLs, shells and patterns. */
const mary = "o'mary|1&$(x)*;,=!";

test('creates a user, and explains an invalid value at its field', async () => {
  const page = await it.enter();
  await page.getByRole('button', { name: 'Create user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User ID').fill(mary);
  await dialog.getByLabel('Name (optional)').fill('Mary Shelley');
  await dialog.getByLabel('E-mail (optional)').fill('mary@');
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await dialog.getByText('must be an e-mail address').first().waitFor();
  await dialog.getByLabel('E-mail (optional)').fill('mary@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Mary Shelley', level: 1 }).waitFor();
  await page.getByTestId('access-billing').getByText('Allowed', { exact: true }).last().waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel(`Type ${mary}`).fill(mary);
  await page.getByRole('button', { name: 'Delete user' }).click();
  await page.getByText(`Deleted Mary Shelley (${mary}).`).waitFor();
  expect(new URL(page.url()).pathname).toBe('/users');
});

test('a retry after a failure is the same action until the form is changed', async () => {
  const page = await it.enter();
  await page.getByRole('button', { name: 'Create user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User ID').fill('twice');
  const submit = async () => {
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    return (await answered).request().headers()['idempotency-key'];
  };
  it.dashboard.refuse = (method) => (method === 'PUT' ? { status: 503, body: unavailable } : undefined);
  const first = await submit();
  await dialog.getByText(unavailable.title).waitFor();
  expect([first, await submit()]).toEqual([expect.stringMatching(/^"[0-9a-f-]{36}"$/), first]);
  await dialog.getByText(unavailable.title).waitFor();
  await dialog.getByLabel('Name (optional)').fill('Twice');
  it.dashboard.refuse = undefined;
  expect(await submit()).not.toBe(first);
  await page.getByRole('heading', { name: 'Twice', level: 1 }).waitFor();
});

test('a deletion that waits for running requests says so and continues until it is complete', async () => {
  const userId = await newUser();
  const page = await it.enter(`/users/${userId}`);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') keys.push(request.headers()['idempotency-key']);
  });
  let waits = 0;
  it.dashboard.refuse = (method) =>
    method === 'DELETE' && waits++ < 2
      ? { status: 202, body: { changed: true, complete: false }, headers: { 'retry-after': '1' } }
      : undefined;
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel(`Type ${userId}`).fill(userId);
  await page.getByRole('button', { name: 'Delete user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('status').getByText('waiting for running requests to finish…').waitFor();
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await page.screenshot({ path: 'test/e2e/artefacts/user-deleting.png' });
  await page.getByText(`Deleted ${userId}.`).waitFor();
  expect(new URL(page.url()).pathname).toBe('/users');
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
