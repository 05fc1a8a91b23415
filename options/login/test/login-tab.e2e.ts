import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { newApplication } from '#test/support/new-application.ts';
import type { LoginView } from '../contract/login.ts';
import { exampleLogin } from './login-views.ts';

const it = dashboardForTests();

/** The tab in a deployment with a provider, which answers with these logins in turn. */
async function enterWith(appId: string, ...logins: readonly Partial<LoginView>[]): Promise<Page> {
  const page = await it.enter('/applications');
  let asked = 0;
  await page.route(new RegExp(`/api/manage/applications/${appId}/login$`), async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const login = logins[Math.min(asked++, logins.length - 1)];
    await route.fulfill({ json: { ...exampleLogin, appId, ...login } });
  });
  await page.goto(`${it.dashboard.url}/applications/${appId}?tab=login`);
  return page;
}

test('a login is set up, gets a client ID and a secret, is edited and deleted, and the history says it', async () => {
  const appId = await newApplication();
  const page = await it.enter(`/applications/${appId}?tab=login`);
  await page.getByText('With a login, people enter this application').waitFor();
  await lookAtWidths(page, 'login-none');
  await page.getByRole('button', { name: 'Set up login' }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Set up login' });
  await save.click();
  await dialog.getByText('Must have at least one address.').waitFor();
  await dialog.getByRole('radio', { name: 'Confidential' }).check();
  await dialog.getByLabel('Redirect addresses').fill('https://app.example.com/callback\n\nhttp://app.example.com/old');
  await save.click();
  await dialog.getByText('http://app.example.com/old: must be an https address').waitFor();
  await lookAtWidths(page, 'login-set-up');
  await dialog.getByLabel('Redirect addresses').fill('https://app.example.com/callback\n\nhttp://app.example.com/new');
  // About an address that nobody has sent, it says nothing.
  expect(await dialog.getByText('must be an https address').count()).toBe(0);
  await dialog.getByLabel('Redirect addresses').fill('https://app.example.com/callback\nhttp://localhost:8080/cb');
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('http://localhost:8080/cb').waitFor();
  await page.getByRole('button', { name: 'Copy Client ID' }).waitFor();
  await page.getByRole('button', { name: 'Add secret' }).click();
  await dialog.getByText('This secret is shown only once').waitFor();
  await lookAtWidths(page, 'login-secret');
  await dialog.getByRole('button', { name: 'Copy secret and close' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
  await dialog.getByLabel('Logout addresses').fill('https://app.example.com/');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('https://app.example.com/', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await dialog.getByRole('textbox').fill(appId);
  await dialog.getByRole('button', { name: 'Delete login' }).click();
  await page.getByText('With a login, people enter this application').waitFor();

  await page.goto(`${it.dashboard.url}/applications/${appId}?tab=history`);
  await page.getByText('Login deleted').waitFor();
  await page.getByText('Login secret added').waitFor();
  expect(await page.getByText('Login changed').count()).toBe(2);
  await lookAtWidths(page, 'login-history');
  await page.getByText('Logout addresses: https://app.example.com/', { exact: true }).waitFor();
});

test('while the provider sets up the client, the page waits; then it shows the client ID and code to copy', async () => {
  const appId = await newApplication();
  const page = await enterWith(appId, { clientId: null }, { clientId: null }, {});
  await page.getByText('Being set up').waitFor();
  await page.getByText('client-1', { exact: true }).waitFor();
  await page.getByText('https://login.example.com/pool/.well-known/openid-configuration').waitFor();
  const code = page.getByRole('textbox', { name: /^Code for / });
  expect(await code.inputValue()).toContain('import * as oidc from');
  for (const [framework, part] of [
    ['Next.js', 'NextAuth'],
    ['Python', 'OAuth(app)'],
    ['Go', 'oidc.NewProvider'],
    ['Grafana', '[auth.generic_oauth]'],
  ] as const) {
    await page.getByRole('button', { name: framework }).click();
    expect(await code.inputValue()).toContain(part);
  }
  await lookAtWidths(page, 'login-ready');
});

test('a deployment without a login says that what is set has no effect yet', async () => {
  const error = 'This deployment has no login: see its setting login.';
  const page = await enterWith(await newApplication(), { issuer: null, clientId: null, error });
  await page.getByText('It takes effect once the setting login of the deployment is on.').waitFor();
  expect(await page.getByText('Client ID').count()).toBe(0);
  await lookAtWidths(page, 'login-recorded');
});

test('the page shows what the provider refused', async () => {
  const page = await enterWith(await newApplication(), { error: 'The address is reserved.' });
  await page.getByText('The address is reserved.').waitFor();
  expect(await page.getByRole('button', { name: 'Add secret' }).count()).toBe(0);
  await lookAtWidths(page, 'login-refused');
});

test('a viewer sees that there is no login, and no button', async () => {
  const appId = await newApplication();
  const page = await it.enter(`/applications/${appId}?tab=login`, 'dorothy');
  await page.getByText('With a login, people enter this application').waitFor();
  expect(await page.getByRole('button', { name: 'Set up login' }).count()).toBe(0);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
