import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';
import { newConnection } from './support/new-connection.ts';

const it = dashboardForTests();
const artefacts = join(import.meta.dirname, '../../../test/e2e/artefacts');

test('creates a connection, issues a token that works, rotates it and revokes the old one', async () => {
  const page = await it.enter('/keys');
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Create connection' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Choose what you connect.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create connection' }).isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'nginx, Caddy or another proxy' }).check();
  await dialog.getByText('Choose at least one application.').waitFor();
  await dialog.getByLabel('Name').fill('API gateway');
  await dialog.getByLabel('Connection ID').fill('gateway');
  await dialog.getByRole('button', { name: /^Applications/ }).click();
  await page.getByRole('option', { name: 'wiki' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByText('Enter the issuer and the audience of the tokens.').waitFor();
  await dialog.getByLabel('Issuer').fill('http://login.example.com');
  await dialog.getByLabel('Audience').fill('gateway');
  await lookAtWidths(page, 'connection-create');
  await dialog.getByRole('button', { name: 'Create connection' }).click();
  await dialog.getByText('must be an https URL without a query').first().waitFor();
  await dialog.getByLabel('Issuer').fill('https://login.example.com');
  await dialog.getByRole('button', { name: 'Create connection' }).click();
  await dialog.getByText('This token is shown only once').waitFor();
  await dialog.getByText(`${it.service.url}/access/v1/authorize?application=wiki`).waitFor();
  await lookAtWidths(page, 'connection-connected');
  await dialog.getByRole('button', { name: 'Copy token and close' }).click();
  await page.getByRole('heading', { name: 'API gateway', level: 1 }).waitFor();
  await page.getByText('gateway · May ask about wiki · Users by tokens of https://login.example.com').waitFor();

  await page.getByRole('button', { name: 'Issue token' }).first().click();
  await dialog.getByLabel('Label (optional)').fill('nginx');
  await dialog.getByRole('button', { name: 'Issue token' }).click();
  await dialog.getByText('This token is shown only once').waitFor();
  const shown = async () => /svt_c1_[a-z]+_[0-9A-Z]{26}_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
  const token = await shown();
  await dialog.getByRole('button', { name: 'Copy token and close' }).click();
  const question = {
    subject: { type: 'user', id: 'ada' },
    action: { name: 'enter' },
    resource: { type: 'application', id: 'wiki' },
  };
  const ask = async (with_: string) =>
    (await sendWithToken(it.service, ['POST', '/access/v1/evaluation'], { token: with_, body: question })).status;
  expect(await ask(token)).toBe(200);
  await page.getByRole('row', { name: /nginx/ }).waitFor();
  await expectAccessible(page, 'connection');
  await page.screenshot({ path: join(artefacts, 'connection.png') });

  await page.getByRole('button', { name: 'Rotate nginx' }).click();
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  await dialog.getByText('This token is shown only once').waitFor();
  const next = await shown();
  await dialog.getByRole('button', { name: 'Copy token and close' }).click();
  await page.getByText(/^Replaces svc_/).waitFor();
  await page.getByRole('button', { name: 'Revoke nginx' }).last().click();
  await dialog.getByText(/last six characters/).waitFor();
  await dialog.getByRole('textbox').fill(/Type (\w{6}) /.exec((await dialog.textContent()) ?? '')?.[1] ?? '');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked').waitFor();
  expect([await ask(token), await ask(next)].sort()).toEqual([200, 401]);
});

test('changes what a connection may ask about, and deletes it', async () => {
  await newConnection(['wiki'], 'second');
  const page = await it.enter('/connections/second');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Second gateway');
  await dialog.getByRole('button', { name: /^Applications/ }).click();
  await page.getByRole('option', { name: 'billing' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('May ask about wiki, billing').waitFor();
  await page.goto(`${it.dashboard.url}/connections`);
  await page.getByRole('row', { name: /Second gateway/ }).waitFor();
  await expectAccessible(page, 'connections');
  await page.screenshot({ path: join(artefacts, 'connections.png') });
  await page.getByRole('link', { name: 'Second gateway' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('textbox').fill('second');
  await dialog.getByRole('button', { name: 'Delete connection' }).click();
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  await page.getByRole('row', { name: /Second gateway/ }).waitFor({ state: 'detached' });
  await page.goto(`${it.dashboard.url}/history`);
  await page.getByText('Connection deleted').first().waitFor();
});
