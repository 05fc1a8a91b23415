import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn } from '../../bench/dashboard-browser.ts';
import { newUser } from '../support/new-user.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();

test('without a session the page sends no API request and shows no data', async () => {
  const asked: string[] = [];
  it.dashboard.refuse = (_, path) => {
    asked.push(path);
    return undefined;
  };
  const page = await it.open('/users/ada');
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.locator('body').textContent()).not.toMatch(/ada|billing/);
  expect(asked).toEqual([]);
});

test("a login fetches the provider's configuration once, and keeps it only until the provider has redirected back", async () => {
  const page = await it.open('/users');
  const fetched: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('/.well-known/')) fetched.push(pathname);
  });
  await logIn(page);
  await page.getByRole('link', { name: 'ada' }).waitFor();
  expect(fetched).toEqual(['/.well-known/openid-configuration']);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('authorization_endpoint');
});

test('an expired session leaves no data, and a new login returns to the page', async () => {
  const page = await it.enter('/users/ada');
  await page.getByTestId('access-billing').waitFor();
  // A refresh while the history is still loading sends no second request.
  await page.getByText('User created').first().waitFor();
  it.dashboard.refuse = () => ({ status: 401, body: { message: 'Unauthorized' } });
  await page.getByRole('button', { name: 'Refresh the history' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/session-ended.png' });
  expect(await page.locator('body').textContent()).not.toMatch(/ada@example|billing/);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('access_token');
  it.dashboard.refuse = undefined;
  await page.getByRole('button', { name: 'Log in again' }).click();
  await page.getByTestId('access-billing').waitFor();
  expect(new URL(page.url()).pathname).toBe('/users/ada');
});

test('an ended session says that the change it refused was not saved, and what is typed comes back', async () => {
  const userId = await newUser();
  const page = await it.enter(`/users/${userId}`);
  const card = page.getByTestId('access-wiki');
  await card.getByRole('checkbox').click();
  const reasonAndEnd = card.getByRole('button', { name: /^Reason and end/ });
  await reasonAndEnd.click();
  await page.getByLabel('Reason (optional)').fill('left the team');
  it.dashboard.refuse = (method) => (method === 'PUT' ? { status: 401, body: { message: 'Unauthorized' } } : undefined);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.getByText('Not saved').waitFor();
  await page.getByText('Block access: wiki').waitFor();
  expect(await page.locator('body').textContent()).not.toMatch(/changes are saved|left the team/);
  await page.screenshot({ path: 'test/e2e/artefacts/session-ended-unsaved.png' });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.screenshot({ path: 'test/e2e/artefacts/session-ended-unsaved-360.png' });
  it.dashboard.refuse = undefined;
  await page.getByRole('button', { name: 'Log in again' }).click();
  await reasonAndEnd.click();
  await page.getByText('What you typed before your session ended is here again.').waitFor();
});

test('an ended session says how far a bulk change came', async () => {
  const userId = await newUser();
  const page = await it.enter('/bulk?action=disable&app=wiki');
  await page.getByRole('textbox', { name: 'Users' }).fill(`${userId}\nada\n`);
  const button = page.getByRole('button', { name: 'Block 2 users' });
  await button.waitFor();
  it.dashboard.refuse = (method) =>
    method === 'POST' ? { status: 401, body: { message: 'Unauthorized' } } : undefined;
  await button.click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.getByText('Bulk change: 0 of 2 users done').waitFor();
  await page.getByText('Block access: wiki, 2 users').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/session-ended-bulk.png' });
});

test('a rejected token is renewed without a login', async () => {
  const page = await it.enter('/users/ada');
  await page.getByTestId('access-billing').waitFor();
  // A refresh while the history is still loading sends no second request.
  await page.getByText('User created').first().waitFor();
  const before = await accessToken(page);
  let refused = 0;
  it.dashboard.refuse = () => (refused++ === 0 ? { status: 401, body: {} } : undefined);
  await page.getByRole('button', { name: 'Refresh the history' }).click();
  await page.waitForFunction((old) => !JSON.stringify(sessionStorage).includes(old), before);
  await page.getByTestId('access-billing').waitFor();
  expect(refused).toBeGreaterThan(1);
});

test('a reload keeps the session, and renews an expired one', async () => {
  const page = await it.enter('/users');
  const before = await accessToken(page);
  await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:')) ?? '';
    const user = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    sessionStorage.setItem(key, JSON.stringify({ ...user, expires_at: 1 }));
  });
  await page.reload();
  await page.getByRole('link', { name: 'ada' }).waitFor();
  expect(await accessToken(page)).not.toBe(before);
});

test('a new tab needs no login and stores no token, and logging out ends the session of both tabs', async () => {
  const page = await it.enter('/users');
  const other = await page.context().newPage();
  await other.goto(`${it.dashboard.url}/users/ada`);
  await other.getByTestId('access-billing').waitFor();
  expect(await accessToken(other)).toBe(await accessToken(page));
  expect(await other.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain('token');
  await other.getByRole('button', { name: 'Edith Clarke' }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  for (const each of [page, other]) await each.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('access_token');
  await logIn(other);
  await page.getByRole('link', { name: 'ada' }).waitFor();
});

test('a token renewed by one tab reaches the others, whose refresh token is used up', async () => {
  const page = await it.enter('/users');
  const other = await page.context().newPage();
  await other.goto(`${it.dashboard.url}/users/ada`);
  await other.getByText('User created').first().waitFor();
  const before = await accessToken(page);
  for (const renewing of [other, page]) {
    const last = await accessToken(renewing);
    let refused = 0;
    it.dashboard.refuse = () => (refused++ === 0 ? { status: 401, body: {} } : undefined);
    await renewing.reload();
    for (const each of [page, other]) {
      await each.waitForFunction((old) => !JSON.stringify(sessionStorage).includes(old), last);
    }
    expect(await accessToken(page)).toBe(await accessToken(other));
  }
  expect(await accessToken(page)).not.toBe(before);
});

test('after logging out the tokens are gone and another operator can log in', async () => {
  const page = await it.enter('/users');
  await page.getByRole('button', { name: 'Edith Clarke' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('access_token');
  await logIn(page, 'katherine');
  await page.getByRole('button', { name: 'Katherine Johnson' }).waitFor();
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

async function accessToken(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:')) ?? '';
    return JSON.parse(sessionStorage.getItem(key) ?? '{}').access_token;
  });
}
