import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { press } from '#test/e2e/support/tab-to.ts';
import { allNumbered } from '#test/support/all-numbered.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { root } from '#test/support/source-files.ts';
import { newWebhook } from './new-webhook.ts';
import { startReceiver, verifyDelivery, type WebhookReceiver } from './webhook-receiver.ts';

process.env.WEBHOOK_LOOPBACK = 'allowed';

const it = dashboardForTests();
let receiver: WebhookReceiver;
let samples: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  receiver = await startReceiver();
  samples = mkdtempSync(join(root, 'test/e2e/artefacts/receiver-'));
});
afterAll(async () => {
  for (const process of started) process.kill();
  rmSync(samples, { recursive: true });
  await receiver.close();
});

const webhookPath = (appId: string, webhookId: string) => `/applications/${appId}/webhooks/${webhookId}`;
const secretIn = async (page: Page) =>
  /whsec_[\w+/]{43}=/.exec((await page.getByRole('dialog').textContent()) ?? '')?.[0] ?? '';

/** Runs the code of the dialog as a team would. */
async function runSample(code: string, secret: string, port: number): Promise<string[]> {
  const file = join(samples, 'receiver.mjs');
  writeFileSync(file, code);
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const sample = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(sample);
  const lines: string[] = [];
  sample.stdout.on('data', (chunk) => lines.push(String(chunk)));
  const answers = () =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).then(
      ({ status }) => status,
      () => 0,
    );
  expect(await eventually(answers, (status) => status !== 0)).toBe(401);
  return lines;
}

test('a webhook is created, and the receiver that the dialog shows accepts a test event and no forged one', async () => {
  const appId = await newApplication();
  const port = await freePort();
  const page = await it.enter(`/applications/${appId}?tab=webhooks`);
  await page.getByText('No webhooks yet.').waitFor();
  await lookAtWidths(page, 'webhooks-empty');
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create webhook' });
  await dialog.getByText('Choose what receives the changes.').waitFor();
  expect(await create.isDisabled()).toBe(true);
  await lookAtWidths(page, 'webhook-choose');
  await dialog.getByRole('radio', { name: 'A backend that ends sessions' }).check();
  await dialog.getByText('Enter the URL.').waitFor();
  expect(await create.isDisabled()).toBe(true);
  await dialog.getByLabel('Webhook ID').fill('backend');
  await dialog.getByLabel('URL').fill('http://intranet.example.com/hook');
  await create.click();
  await dialog.getByText('Must be an https URL.').waitFor();
  await lookAtWidths(page, 'webhook-create');
  await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`);
  await dialog.getByRole('button', { name: 'Remove Role removed' }).click();
  await create.click();
  await dialog.getByText('This secret is shown only once').waitFor();
  await dialog.getByText('webhook-signature', { exact: true }).waitFor();
  const secret = await secretIn(page);
  await dialog.getByRole('button', { name: 'Verify deliveries in Node' }).click();
  const lines = await runSample(await dialog.getByLabel('Receiver').inputValue(), secret, port);
  await lookAtWidths(page, 'webhook-secret');
  await dialog.getByRole('button', { name: 'Copy secret and close' }).click();

  await page.getByRole('heading', { name: 'backend', level: 1 }).waitFor();
  await page.getByText('User deleted, Global status changed, Access changed', { exact: true }).waitFor();
  await page.getByText('webhook-signature', { exact: true }).waitFor();
  await page.getByText('No attempts yet.').waitFor();
  await lookAtWidths(page, 'webhook-new');
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('A test event is sent.').waitFor();
  await page.getByRole('row', { name: /Test event.*Delivered.*Status 204/ }).waitFor();
  expect(lines.join('')).toContain('webhook.test');

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByText('each delivery is signed with the old secret too').waitFor();
  expect(await secretIn(page)).not.toBe(secret);
  await page.keyboard.press('Escape');
  await dialog.getByText('The secret was not copied').waitFor();
  await dialog.getByRole('button', { name: 'Copy secret and close' }).click();
  await page.getByText('Old secret signs until').waitFor();
  // The receiver has only the old secret.
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(
    eventually(
      () => page.getByRole('row', { name: /Test event.*Delivered/ }).count(),
      (count) => count === 2,
    ),
  ).resolves.toBe(2);

  await page.goto(`${it.dashboard.url}/applications/${appId}?tab=history`);
  await page.getByText('Webhook secret rotated').waitFor();
  await page.getByText('Events: User deleted, Global status changed, Access changed').waitFor();
  await page.getByText('Deliveries: active').waitFor();
});

test('from the list of users, a webhook is set up and tried in 8 clicks, and by keyboard alone', async () => {
  const appId = await newApplication();
  receiver.answer = () => 204;
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  const dialog = page.getByRole('dialog');
  const isDelivered = page.getByRole('row', { name: /Test event.*Delivered/ });
  await page.locator('#bar').getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: `Application ${appId}` }).click();
  await page.getByRole('tab', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  await dialog.getByRole('radio', { name: 'A backend that ends sessions' }).click();
  await dialog.getByLabel('URL').click();
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Copy secret and close' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await isDelivered.waitFor();
  expect(clicks()).toBe(8);

  await page.goto(`${it.dashboard.url}/applications/${appId}?tab=webhooks`);
  await press(page, page.getByRole('button', { name: 'Create webhook' }), 'Enter');
  await press(page, dialog.getByRole('radio', { name: 'A backend that ends sessions' }), 'Space');
  await press(page, dialog.getByLabel('URL'), 'ControlOrMeta+A');
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await press(page, dialog.getByRole('button', { name: 'Copy secret and close' }), 'Enter');
  // The ID of the first is taken.
  await page.getByRole('heading', { name: 'sessions-2', level: 1 }).waitFor();
  await press(page, page.getByRole('button', { name: 'Send test event' }), 'Enter');
  await isDelivered.waitFor();
  expect(clicks()).toBe(8);
});

test('software that accepts Security Event Tokens gets no secret; its page says what it needs', async () => {
  const appId = await newApplication();
  const page = await it.enter(`/applications/${appId}?tab=webhooks`);
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Software that accepts Security Event Tokens' }).check();
  expect(await dialog.getByRole('radio', { name: 'All events' }).count()).toBe(0);
  await dialog.getByLabel('URL').fill('https://hooks.example.com/events');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('heading', { name: 'signals', level: 1 }).waitFor();
  await page.getByText(`${it.service.url}/.well-known/jwks.json`, { exact: true }).waitFor();
  expect(await page.getByText('webhook-signature').count()).toBe(0);
  await lookAtWidths(page, 'webhook-signals');
});

test('attempts show what failed, one event or all are sent again, and a webhook is paused, edited and deleted', async () => {
  const [appId, userId] = [await newApplication(), await newUser()];
  // A new webhook is also sent what gets its number after it.
  await allNumbered(it.service);
  const { webhookId, secret } = await newWebhook(appId, { url: receiver.url }, 'backend');
  receiver.received.length = 0;
  receiver.answer = () => 500;
  const page = await it.enter(webhookPath(appId, webhookId));
  await setStatus(userId, appId, 'disabled');
  await page.getByRole('row', { name: /Access changed.*Failed.*500/ }).waitFor();
  await page.getByText('Retrying').waitFor();
  await page.getByText('Failing since').waitFor();
  await lookAtWidths(page, 'webhook-failing');

  receiver.answer = () => 204;
  receiver.received.length = 0;
  await page
    .getByRole('button', { name: /^Send again: \w{26}$/ })
    .first()
    .click();
  await page.getByText('The event is sent again.').waitFor();
  await page
    .getByRole('row', { name: /Access changed.*Delivered.*Status 204/ })
    .first()
    .waitFor();
  const [first] = receiver.received;
  if (first === undefined) throw new Error('nothing was received');
  expect(verifyDelivery(secret, first)).toMatchObject({ type: 'access.changed', data: { userId } });
  const dialog = page.getByRole('dialog');
  // What waits is tried immediately when it is resumed.
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Active').waitFor();
  receiver.received.length = 0;
  await page.getByRole('button', { name: 'Send all again…' }).click();
  await dialog.getByRole('radio', { name: 'Since a specific time' }).check();
  await lookAtWidths(page, 'webhook-resend');
  await dialog.getByRole('radio', { name: 'The last hour' }).check();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  const types = () => Promise.resolve(receiver.received.map(({ body }) => body.type));
  expect(await eventually(types, (all) => all.includes('access.changed'))).toContain('access.changed');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('URL').fill('https://user:password@example.com/');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Must be an https URL without credentials and fragment.').waitFor();
  await dialog.getByLabel('URL').fill('https://hooks.example.com/other');
  await dialog.getByRole('radio', { name: 'Security Event Tokens' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('https://hooks.example.com/other').first().waitFor();
  await page.getByRole('button', { name: 'Rotate secret' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('textbox').fill(webhookId);
  await dialog.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet.').waitFor();
});

test('a webhook that has stopped is announced in the overview, in its list and on its page, where it is resumed', async () => {
  const [appId, userId] = [await newApplication(), await newUser()];
  const { webhookId } = await newWebhook(appId, { url: receiver.url }, 'backend');
  receiver.answer = () => 410;
  const page = await it.enter(webhookPath(appId, webhookId));
  await setStatus(userId, appId, 'disabled');
  await page.getByText('This webhook has stopped').waitFor();
  await page.getByText('because the receiver answered 410 Gone').waitFor();
  await lookAtWidths(page, 'webhook-stopped');
  await page.goto(`${it.dashboard.url}/overview`);
  await page.getByRole('link', { name: /The webhook backend of .* has stopped/ }).waitFor();
  await lookAtWidths(page, 'webhook-stopped-overview');
  await page.getByRole('link', { name: /The webhook backend of .* has stopped/ }).click();
  await page.getByRole('link', { name: `Application ${appId}` }).click();
  await page.getByText('backend has stopped').waitFor();
  await lookAtWidths(page, 'webhooks-stopped');
  await page.getByRole('link', { name: 'See its attempts' }).click();
  receiver.answer = () => 204;
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('This webhook has stopped').waitFor({ state: 'detached' });
  await page.goto(`${it.dashboard.url}/applications/${appId}?tab=history`);
  await page.getByText('Stopped because: the receiver answered 410 Gone', { exact: true }).waitFor();
  await page.getByText('the service').first().waitFor();
});

test('a viewer sees webhooks and attempts, and no button that changes them', async () => {
  const appId = await newApplication();
  const { webhookId } = await newWebhook(appId, { url: receiver.url }, 'backend');
  const page = await it.enter(`/applications/${appId}?tab=webhooks`, 'dorothy');
  await page.getByRole('link', { name: webhookId }).waitFor();
  expect(await page.getByRole('button', { name: 'Create webhook' }).count()).toBe(0);
  await page.getByRole('link', { name: webhookId }).click();
  await page.getByRole('heading', { name: 'Attempts' }).waitFor();
  const buttons = page.getByRole('main').getByRole('button');
  expect(await buttons.filter({ hasText: /Send|Pause|Resume|Edit|Rotate|Delete/ }).count()).toBe(0);
});
