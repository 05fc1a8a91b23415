import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { UserId } from '#shared/contract/fields.ts';
import { dashboardWithUser } from '#test/e2e/support/dashboard-with-user.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { operator } from '#test/support/start-service.ts';
import type { AccountView } from '../contract/login.ts';
import { exampleAccount } from './login-views.ts';

const it = dashboardWithUser();

const section = (page: Page) => page.getByRole('heading', { name: 'Login account' });

/** The page of the user in a deployment with a provider, which answers with these accounts in turn. */
async function enterWith(...accounts: readonly Partial<AccountView>[]): Promise<Page> {
  const page = await it.enter('/users');
  let asked = 0;
  await page.route(/\/account$/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const account = accounts[Math.min(asked++, accounts.length - 1)];
    await route.fulfill({ json: { ...exampleAccount, userId: it.userId, ...account } });
  });
  await page.goto(`${it.dashboard.url}/users/${it.userId}`);
  await section(page).waitFor();
  return page;
}

test('a user without an e-mail address is invited, signed out everywhere, and loses the account', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  await page.getByText('No account. An invitation is sent once the user has an e-mail address.').waitFor();
  await lookAtWidths(page, 'account-none');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Recorded, but no invitation is sent yet.').waitFor();
  await page.getByText('Not set up yet').waitFor();
  await lookAtWidths(page, 'account-recorded');

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Tokens that were issued before last up to five minutes.').waitFor();
  await lookAtWidths(page, 'account-sign-out');
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('Never', { exact: true }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('textbox').fill(it.userId);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('No account.').waitFor();
  const history = page.getByRole('table', { name: 'changes' });
  for (const words of ['User invited', 'User signed out everywhere', 'Account deleted']) {
    await history.getByText(words).waitFor();
  }
  await lookAtWidths(page, 'account-history');
  // The version of the user that the page has is the latest.
  await page.getByRole('checkbox', { name: `Global status of ${it.userId}` }).click();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText("This user can't access any application").waitFor();
});

test('a user with an e-mail address is invited, and invited again', async () => {
  const userId = it.userId as UserId;
  const { updateUser } = await import('#shared/domain/user/users.ts');
  await updateUser({ userId, email: `${userId}@example.com` }, operator);
  const page = await it.enter(`/users/${userId}`);
  await page.getByText(`No account. An invitation is sent to ${userId}@example.com.`).waitFor();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText(`Invited ${userId}. The invitation is sent by e-mail within seconds.`).waitFor();
  await page.getByRole('button', { name: 'Send invitation again' }).click();
  await page.getByText('User invited').nth(1).waitFor();
  await page.getByText('Invited, no password chosen yet').waitFor();
  await lookAtWidths(page, 'account-invited');
});

test('the page waits until the provider has the account, and an invitation can be sent again', async () => {
  const page = await enterWith({ state: 'pending', mfa: [] }, { state: 'invited', mfa: [] });
  await page.getByText('Being set up').waitFor();
  await page.getByText('Invited, no password chosen yet').waitFor();
  await page.getByRole('button', { name: 'Send invitation again' }).click();
  await page.getByText('Recorded, but no invitation is sent yet.').waitFor();
});

test('a confirmed account shows its second factors, and a disabled one why', async () => {
  const page = await enterWith({});
  await page.getByText('Confirmed').waitFor();
  await page.getByText('Authenticator app').waitFor();
  expect(await page.getByRole('button', { name: /nvit/ }).count()).toBe(0);
  await lookAtWidths(page, 'account-confirmed');
  const other = await enterWith({ state: 'disabled' });
  await other.getByText('Disabled, because the user is inactive').waitFor();
  expect(await other.getByRole('button', { name: 'Sign out everywhere' }).count()).toBe(0);
});

test("a user's account is read once, after the applications", async () => {
  const page = await it.enter('/users');
  await page.route(/\/access$|\/access\?/, async (route) => {
    // Later than all other answers.
    await page.waitForTimeout(1000);
    await route.continue();
  });
  const seen: string[] = [];
  page.on('request', (request) => seen.push(`asked ${new URL(request.url()).pathname}`));
  page.on('response', (response) => seen.push(`answered ${new URL(response.url()).pathname}`));
  await page.goto(`${it.dashboard.url}/users/${it.userId}`);
  await section(page).waitFor();
  await page.getByText('No account.').waitFor();
  const user = `/api/manage/users/${it.userId}`;
  expect(seen.filter((each) => /\/ac(?:cess|count)$/.test(each))).toEqual([
    `asked ${user}/access`,
    `answered ${user}/access`,
    `asked ${user}/account`,
    `answered ${user}/account`,
  ]);
});

test('a user without an account shows none where there is no login; one that was recorded is shown', async () => {
  const page = await it.enter('/users');
  await page.route(/\/account$/, (route) =>
    route.fulfill({ json: { ...exampleAccount, state: 'none', issuer: null } }),
  );
  const answered = page.waitForResponse(/\/account$/);
  await page.goto(`${it.dashboard.url}/users/${it.userId}`);
  await answered;
  await section(page).waitFor({ state: 'detached' });
  const recorded = await enterWith({ state: 'pending', issuer: null, error: 'This deployment has no login.' });
  await recorded.getByText('This deployment has no login.').waitFor();
});

test("a confirmed account shows the company's provider at which the user logs in", async () => {
  const page = await enterWith({ provider: 'Example', mfa: [] });
  await page.getByText('Logs in at').waitFor();
});

test('a viewer sees the account, and no button', async () => {
  const page = await it.enter(`/users/${it.userId}`, 'dorothy');
  await page.getByText('No account.').waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
