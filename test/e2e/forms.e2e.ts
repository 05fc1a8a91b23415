import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId } from '#shared/contract/fields.ts';
import { updateApplication } from '#shared/domain/application/applications.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();

test('a form focuses its first field, and shows an error only at the field, without sending a request', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  const dialog = page.getByRole('dialog');
  expect(await focused(page)).toBe('Name');
  const writes = countWrites(page);
  await page.keyboard.type('Payroll');
  await dialog.getByLabel('Application ID').fill('Not An Id');
  await page.keyboard.press('Enter');
  await dialog.getByText('Must be 2–40 lower-case letters').waitFor();
  expect(await dialog.getByText(/must be 2–40 lower-case/i).count()).toBe(1);
  expect([await focused(page), await dialog.getByRole('alert').count(), writes()]).toEqual(['Application ID', 0, 0]);
  await dialog.getByLabel('Name').fill('');
  await page.keyboard.press('Enter');
  await dialog.getByText('Must not be empty.').waitFor();
  expect(await focused(page)).toBe('Name');
});

test('a form keeps its input while offline, and can be sent once online', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Archive');
  await dialog.getByLabel('Application ID').fill('archive');
  await page.context().setOffline(true);
  await page.keyboard.press('Enter');
  await dialog.getByText("Can't reach the service").waitFor();
  expect(await dialog.getByLabel('Application ID').inputValue()).toBe('archive');
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Create application' }).click();
  await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor();
});

test('a form whose resource was modified says so, keeps its input, and can overwrite the change', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Handbook');
  await updateApplication({ appId: 'wiki' as AppId, name: 'Notes' }, operator);
  await page.keyboard.press('Enter');
  await dialog.getByText('Changed by someone else').waitFor();
  await page.getByRole('heading', { name: 'Notes', level: 1, includeHidden: true }).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Handbook');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Handbook', level: 1 }).waitFor();
});

test('the dialogs for a block and a role keep their input after a failure and can be retried', async () => {
  const page = await it.enter('/users/ada');
  const card = page.getByTestId('access-billing');
  const dialog = page.getByRole('dialog');
  await card.getByRole('checkbox').click();
  await card.getByRole('button', { name: /^Reason and end/ }).click();
  await dialog.getByText('256 characters left').waitFor();
  expect(await focused(page)).toBe('Reason (optional)');
  await dialog.getByLabel('Reason (optional)').fill('x'.repeat(257));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('1 character too long. Shorten the reason.').waitFor();
  await dialog.getByLabel('Reason (optional)').fill('on leave');
  it.dashboard.refuse = unavailable;
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('The service is temporarily unavailable').waitFor();
  expect(await page.getByText('The service is temporarily unavailable').count()).toBe(1);
  expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('on leave');
  it.dashboard.refuse = undefined;
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Reason: on leave').waitFor();
  await page.getByRole('button', { name: 'Assign a role in billing' }).click();
  await page.getByText('Choose a role', { exact: true }).click();
  await page.getByRole('option', { name: 'editor' }).click();
  it.dashboard.refuse = unavailable;
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await dialog.getByText('The service is temporarily unavailable').waitFor();
  it.dashboard.refuse = undefined;
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await card.getByRole('button', { name: 'Remove editor in billing' }).waitFor();
  expect(await dialog.count()).toBe(0);
});

const unavailable = (method: string) =>
  method === 'GET'
    ? undefined
    : {
        status: 503,
        body: { code: 'unavailable', title: 'The service is temporarily unavailable', detail: 'Try again.' },
      };

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

/** The label of the focused field. */
async function focused(page: Page): Promise<string | undefined> {
  return await page.evaluate('document.activeElement?.labels?.[0]?.innerText');
}

function countWrites(page: Page): () => number {
  let writes = 0;
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes += 1;
  });
  return () => writes;
}
