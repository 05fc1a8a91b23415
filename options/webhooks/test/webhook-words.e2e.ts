import { expect, test } from '@jest/globals';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newWebhook } from './new-webhook.ts';

const it = dashboardForTests();

test('the tab of webhooks stands before the history, which names the webhook of a change', async () => {
  const appId = await newApplication();
  await newWebhook(appId, {}, 'backend');
  const page = await it.enter(`/applications/${appId}`);
  const tabs = page.getByRole('tab');
  await tabs.first().waitFor();
  expect((await tabs.allTextContents()).slice(-2)).toEqual(['Webhooks', 'History']);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Webhook created').waitFor();
  await page.getByText('backend', { exact: true }).waitFor();
});

test('each scope is described where a key is issued, with that of webhooks', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Issue key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Issue API key' });
  await dialog.getByText("Set up the application's webhooks").waitFor();
  for (const scope of await dialog.getByRole('checkbox').all())
    expect(await scope.getAttribute('aria-describedby')).toBeTruthy();
});
