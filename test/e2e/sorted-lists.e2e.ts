import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { readPeople } from '#shared/csv/read-people.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { eventually } from '../support/eventually.ts';
import { grantRole, setStatus } from '../support/new-application.ts';
import { operator } from '../support/start-service.ts';
import { brokenWords } from './support/broken-words.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardForTests();
beforeAll(async () => {
  // The ids are in the opposite order of the names.
  for (let n = 1; n <= 30; n++) {
    const appId = `app-${String(99 - n)}` as AppId;
    await createApplication({ appId, name: `Team ${n}` }, operator);
    const userId = `person-${99 - n}`;
    const displayName = n === 7 ? 'Thomas van den Berg' : `Person ${n}`;
    await createUser({ userId: userId as UserId, displayName, email: null }, operator);
    await setStatus(userId, 'wiki', n % 2 === 0 ? 'disabled' : 'enabled', 'for the test');
  }
  await grantRole('person-98', 'billing', 'editor');
});

/** The texts of the first column, from the top. */
const names = async (page: Page) => {
  await page.waitForLoadState('networkidle');
  return await page.getByRole('rowheader').allInnerTexts();
};
/** Waits until this is the first row. */
const begins = async (page: Page, name: string) => {
  const first = async () => (await names(page))[0]?.split('\n')[0];
  expect(await eventually(first, (found) => found === name)).toBe(name);
};
const pager = (page: Page) => page.getByRole('button', { name: 'Next page' });

test('applications are sorted by name, say their total, and can be sorted by each column, which the URL keeps', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('heading', { name: 'Applications (32)' }).waitFor();
  expect((await names(page)).slice(0, 4)).toEqual(['billing', 'Team 1', 'Team 2', 'Team 3']);
  const table = await page.getByRole('table').boundingBox();
  expect(((await pager(page).boundingBox())?.y ?? 0) > (table?.y ?? 0) + (table?.height ?? 0) - 60).toBe(true);
  await pager(page).click();
  await page.getByRole('link', { name: 'wiki' }).waitFor();
  expect(await names(page)).toHaveLength(7);
  await page.getByRole('columnheader', { name: 'ID' }).getByRole('button').click();
  await begins(page, 'Team 30');
  await page.getByRole('columnheader', { name: 'ID' }).getByRole('button').click();
  await begins(page, 'wiki');
  expect(new URL(page.url()).search).toBe('?sort=-id');
  await page.getByRole('link', { name: 'Team 2', exact: true }).click();
  await page.getByRole('heading', { name: 'Team 2', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'wiki' }).waitFor();
  await begins(page, 'wiki');
  await page.reload();
  await page.getByRole('link', { name: 'wiki' }).waitFor();
  await begins(page, 'wiki');
  await expectAccessible(page, 'sorted applications');
});

test('a list of users that is longer than a page has the order of the server until it is loaded as a whole', async () => {
  const page = await it.enter('/users?status=active');
  await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'User' }).getByRole('button').count()).toBe(0);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Users');
  await page.screenshot({ path: 'test/e2e/artefacts/users-paged.png', fullPage: true });
  await page.getByRole('button', { name: 'Load all users, to sort and count them' }).click();
  await page.getByRole('heading', { name: /^Users \(3\d\)$/ }).waitFor();
  const people = (await names(page)).map((name) => name.split('\n')[0]).filter((name) => name?.startsWith('Person'));
  expect(people.slice(0, 3)).toEqual(['Person 1', 'Person 2', 'Person 3']);
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
  await begins(page, 'Person 30');
});

test("an application's users are found by a part of their names, and narrowed by their access", async () => {
  const page = await it.enter('/applications/wiki?tab=users');
  await page.getByRole('searchbox').fill('berg');
  await page.getByRole('link', { name: 'Thomas van den Berg' }).waitFor();
  await page.getByRole('heading', { name: 'Users (1)' }).waitFor();
  // Also users for whom nothing was ever set.
  await page.getByRole('searchbox').fill('grace');
  await page.getByRole('link', { name: 'grace' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'grace' }).getByText('Default: no setting for this user.').waitFor();
  await page.getByRole('searchbox').fill('person-9');
  await page.getByRole('button', { name: /Users to show/ }).click();
  await page.getByRole('option', { name: 'Blocked', exact: true }).click();
  await page.getByRole('heading', { name: 'Users (4)' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Users (4)' }).waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/application-users-found.png', fullPage: true });
});

test("an application's users are exported as CSV, as the list is narrowed, and a bulk change reads the file", async () => {
  const page = await it.enter('/applications/wiki?tab=users');
  await page
    .getByRole('link', { name: /^Person/ })
    .first()
    .waitFor();
  const save = async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^users-of-wiki-\d{4}-\d\d-\d\d\.csv$/);
    return await readFile(await download.path(), 'utf8');
  };
  const all = await save();
  await page.getByText('Exported 30 users.').waitFor();
  expect(readPeople(all)).toHaveLength(30);
  expect(all).toContain('person-92,Thomas van den Berg,,Allowed,Setting,Active,Allowed,,for the test');
  await page.getByRole('searchbox').fill('thomas');
  await page.getByRole('heading', { name: 'Users (1)' }).waitFor();
  expect(readPeople(await save()).flatMap(({ names }) => names)).toEqual(['person-92']);
});

test('the top bar marks the current page, and the tab of the browser is named after what is shown', async () => {
  const page = await it.enter('/users');
  const marked = () => page.locator('#bar a[aria-current=page]').filter({ visible: true }).allInnerTexts();
  const title = async (text: string) => {
    const begins = async () => (await page.title()).slice(0, text.length);
    expect(await eventually(begins, (found) => found === text)).toBe(text);
  };
  await title('Users · ');
  expect(await marked()).toEqual(['Users']);
  await page.locator('#bar').getByRole('link', { name: 'Applications' }).click();
  await title('Applications · ');
  expect(await marked()).toEqual(['Applications']);
  await page.getByRole('link', { name: 'Team 3', exact: true }).click();
  await title('Team 3 · Access administration');
  expect(await marked()).toEqual(['Applications']);
  await page.getByRole('tab', { name: 'Roles' }).click();
  await title('Team 3 · Roles · ');
  await page.goto(`${it.dashboard.url}/users/person-92`);
  await title('Thomas van den Berg · ');
  expect(await marked()).toEqual(['Users']);
  await page.goto(`${it.dashboard.url}/keys`);
  await title('API keys · ');
  expect(await marked()).toEqual(['Keys']);
  await page.screenshot({ path: 'test/e2e/artefacts/current-page.png' });
  // The bar renders its links again when the width changes.
  await page.setViewportSize({ width: 720, height: 900 });
  await page.locator('#bar').getByRole('button', { name: 'Menu' }).click();
  await page.locator('#bar a[aria-current=page]').filter({ hasText: 'Keys', visible: true }).waitFor();
});

const screens = [360, 720, 1200, 1440];

test.each([
  '/applications',
  '/users',
  '/keys',
  '/history',
  '/users/person-92',
  '/applications/wiki?tab=users',
  '/applications/wiki?tab=history',
  '/applications/billing?tab=roles',
])('at no width does a list break a word of its own at %s', async (path) => {
  const page = await it.enter(path);
  for (const width of screens) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('main').getByRole('link').or(page.getByRole('main').getByText('editor')).first().waitFor();
    await page.waitForLoadState('networkidle');
    const name = path.replaceAll(/\W+/g, '-').slice(1);
    await page.screenshot({ path: `test/e2e/artefacts/list-${name}-${width}.png`, fullPage: width === 360 });
    expect([width, await brokenWords(page)]).toEqual([width, []]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  }
});

test('on a narrow screen a list without column headers can be sorted too', async () => {
  const page = await it.enter('/applications', 'edith', { viewport: { width: 360, height: 740 } });
  await page.getByRole('link', { name: 'Team 1', exact: true }).waitFor();
  await page.getByRole('button', { name: /Sort by/ }).click();
  await page.getByRole('option', { name: 'Application, descending' }).click();
  await page.getByRole('link', { name: 'wiki' }).waitFor();
  expect(new URL(page.url()).search).toBe('?sort=-name');
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
