import { expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { AppId } from '#shared/contract/fields.ts';
import { issueKey } from '#shared/domain/api-key/manage-keys.ts';
import { listKeys } from '#shared/domain/api-key/owned-keys.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { clickTwiceSlowly, recordWrites } from './support/click-twice.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();

const keysOf = async (appId: string) =>
  (await listKeys({ appId: appId as AppId, limit: 100 })).items.map(({ keyId }) => keyId);

const submit = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const secretIsShown = (page: Page) => page.getByText(/is shown only once/).waitFor();
const isClosed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });
const opens = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();

async function enter(path: string): Promise<Page> {
  const page = await it.enter(path, 'edith', { permissions: ['clipboard-write'] });
  return page;
}

test.each([6, 20].flatMap((rate) => [0, 40, 120].map((gap) => ({ rate, gap }))))(
  'two clicks $gap ms apart issue one key on a computer that is $rate times slower',
  async ({ rate, gap }) => {
    const appId = await newApplication();
    const page = await enter(`/applications/${appId}`);
    await page.getByRole('button', { name: 'Issue key' }).first().click();
    const sent = await clickTwiceSlowly(page, submit(page, 'Issue key'), { rate, gap, outcome: secretIsShown });
    expect(sent).toEqual([`POST /api/manage/applications/${appId}/keys`]);
    expect(await keysOf(appId)).toHaveLength(1);
  },
);

/** An application with a key, whose rotation with an end is about to be submitted. */
async function openRotation() {
  const appId = await newApplication();
  const { keyId } = await issueKey(
    { appId: appId as AppId, label: null, scopes: ['access:read'], expiresAt: null },
    operator,
  );
  const page = await enter(`/applications/${appId}`);
  await page.getByRole('button', { name: `Rotate ${keyId}` }).click();
  await page.getByRole('checkbox', { name: 'Set an expiry for the new key' }).check();
  return { page, appId, keyId };
}

test('two clicks rotate a key once, with an end that counts from now', async () => {
  const { page, appId, keyId } = await openRotation();
  const sent = await clickTwiceSlowly(page, submit(page, 'Rotate key'), { outcome: secretIsShown });
  expect(sent).toEqual([`POST /api/manage/applications/${appId}/keys/${keyId}/rotate`]);
  expect(await keysOf(appId)).toHaveLength(2);
});

test('a rotation whose answer was lost is repeated as the same request, and rotates the key once', async () => {
  const { page, appId } = await openRotation();
  const writes = recordWrites(page);
  await page.route('**/rotate', loseAnswer, { times: 1 });
  await submit(page, 'Rotate key').click();
  await page.getByText("Can't reach the service").waitFor();
  await submit(page, 'Rotate key').click();
  await secretIsShown(page);
  expect([writes().length, new Set(writes().map(({ key }) => key)).size]).toEqual([2, 1]);
  expect(await keysOf(appId)).toHaveLength(2);
});

async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

test('two clicks create one application', async () => {
  const page = await enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByLabel('Name').fill('Twice');
  await page.getByLabel('Application ID').fill('twice');
  const sent = await clickTwiceSlowly(page, submit(page, 'Create application'), { outcome: opens('Twice') });
  expect(sent).toEqual(['POST /api/manage/applications']);
});

test('two clicks create one webhook', async () => {
  const page = await enter('/applications/wiki?tab=webhooks');
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  await page.getByRole('radio', { name: 'A backend that ends sessions' }).check();
  await page.getByLabel('Webhook ID').fill('orders');
  await page.getByLabel('URL').fill('https://app.example.com/hooks');
  const sent = await clickTwiceSlowly(page, submit(page, 'Create webhook'), { outcome: secretIsShown });
  expect(sent).toEqual(['POST /api/manage/applications/wiki/webhooks']);
});

test('two clicks create one user', async () => {
  const page = await enter('/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('dialog').getByLabel('User ID').fill('twin');
  const sent = await clickTwiceSlowly(page, submit(page, 'Create user'), { outcome: opens('twin') });
  expect(sent).toEqual(['PUT /api/manage/users/twin']);
});

test('two clicks set the end of a block once, to a time that counts from now', async () => {
  const userId = await newUser();
  const page = await enter(`/users/${userId}`);
  await page.getByTestId('access-wiki').getByRole('checkbox').click();
  await page
    .getByTestId('access-wiki')
    .getByRole('button', { name: /^Reason and end/ })
    .click();
  await page.getByLabel('1 hour from now').check();
  const sent = await clickTwiceSlowly(page, submit(page, 'Save'), { outcome: isClosed });
  expect(sent).toEqual([`PUT /api/manage/users/${userId}/access/wiki`]);
});

test('two clicks assign a role once, until a time that counts from now', async () => {
  const appId = await newApplication(['editor']);
  const userId = await newUser();
  const page = await enter(`/users/${userId}`);
  await page.getByRole('button', { name: `Assign a role in Application ${appId}` }).click();
  await page.getByText('Choose a role', { exact: true }).click();
  await page.getByRole('option', { name: 'editor' }).click();
  await page.getByLabel('1 hour from now').check();
  const sent = await clickTwiceSlowly(page, submit(page, 'Assign role'), { outcome: isClosed });
  expect(sent).toEqual([`PUT /api/manage/users/${userId}/roles/${appId}/editor`]);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
