import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn } from '../../bench/dashboard-browser.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();

test('pages and dialogs are preloaded, and open even offline', async () => {
  const page = await it.enter('/users');
  await page.getByRole('link', { name: 'ada' }).waitFor();
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /rollout-tab/.test(name)),
  );
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('dialog').getByLabel('User ID').fill('kept');
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click();
  await page.getByText("Can't reach the service").waitFor();
  expect(await page.getByRole('dialog').getByLabel('User ID').inputValue()).toBe('kept');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'ada', exact: true }).click();
  await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
  await page.getByText("Can't reach the service").first().waitFor();
  await page.context().setOffline(false);
});

test("the other parts are preloaded only after the first page's data", async () => {
  const page = await it.enter('/users');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/api\/manage\/users/, async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await page.getByText('Loading users…').first().waitFor();
  const isPreloading = () => performance.getEntriesByType('resource').some(({ name }) => /history-page/.test(name));
  // Longer than a browser is busy without data.
  await page.waitForTimeout(1000);
  expect(await page.evaluate(isPreloading)).toBe(false);
  release();
  await page.waitForFunction(isPreloading);
});

test('a loaded part is shown at once, without a fallback', async () => {
  const page = await it.enter('/users');
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /history-tab/.test(name)),
  );
  await page.waitForLoadState('networkidle');
  // Lists announce the loading of their items too, but in lower case.
  await page.evaluate(`
    globalThis.stoodIn = [];
    new MutationObserver(() => stoodIn.push(...(document.body.textContent.match(/Loading [A-Z]\\w+…/g) ?? [])))
      .observe(document.body, { childList: true, subtree: true });
  `);
  await page.evaluate(`
    history.pushState(null, '', '/applications/billing?tab=history');
    dispatchEvent(new PopStateEvent('popstate'));
  `);
  await page.getByRole('table', { name: 'changes' }).waitFor();
  expect(await page.evaluate('stoodIn')).toEqual([]);
});

test('when a dialog fails to load, the page stays as it is, and a retry opens the dialog', async () => {
  const page = await it.open('/users');
  await page.route(/create-user-dialog/, (route) => route.abort());
  await logInTo(page);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText("This part of the dashboard couldn't be loaded.").waitFor();
  expect(await page.getByRole('link', { name: 'ada' }).isVisible()).toBe(true);
  await page.unroute(/create-user-dialog/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').getByLabel('User ID').waitFor();
  await page.getByText("This part of the dashboard couldn't be loaded.").waitFor({ state: 'detached' });
});

test('when a page fails to load, the previous page stays, and a retry opens it', async () => {
  const page = await it.open('/users');
  await page.route(/user-page/, (route) => route.abort());
  await logInTo(page);
  await page.getByRole('link', { name: 'ada', exact: true }).click();
  await page.getByText("This part of the dashboard couldn't be loaded.").waitFor();
  expect(await page.getByRole('table', { name: 'users' }).isVisible()).toBe(true);
  await page.unroute(/user-page/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
});

test('a search that was just typed does not navigate away from the page that is being opened', async () => {
  const page = await it.open('/users');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/user-page/, async (route) => {
    await held;
    await route.continue();
  });
  await logInTo(page);
  await page.getByRole('searchbox').fill('ada');
  await page.getByRole('link', { name: 'ada', exact: true }).click();
  // Longer than the search waits for more input.
  await page.waitForTimeout(500);
  release();
  await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/users/ada');
});

async function logInTo(page: Page): Promise<void> {
  await logIn(page);
  await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
}
