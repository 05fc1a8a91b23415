import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId } from '#shared/contract/fields.ts';
import { updateApplication } from '#shared/domain/application/applications.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();

test('a form begins in its first field, and names what is wrong once, at the field, without sending it', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  const dialog = page.getByRole('dialog');
  expect(await focused(page)).toBe('Name');
  const writes = countWrites(page);
  await page.keyboard.type('Payroll');
  await dialog.getByLabel('Application id').fill('Not An Id');
  await page.keyboard.press('Enter');
  await dialog.getByText('Must be a lower-case letter').waitFor();
  expect(await dialog.getByText(/lower-case letter and/i).count()).toBe(1);
  expect([await focused(page), await dialog.getByRole('alert').count(), writes()]).toEqual(['Application id', 0, 0]);
  await dialog.getByLabel('Name').fill('');
  await page.keyboard.press('Enter');
  await dialog.getByText('Must not be empty.').waitFor();
  expect(await focused(page)).toBe('Name');
});

test('without a connection a form keeps what was typed, and is sent when there is one again', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Archive');
  await dialog.getByLabel('Application id').fill('archive');
  await page.context().setOffline(true);
  await page.keyboard.press('Enter');
  await dialog.getByText('The service cannot be reached').waitFor();
  expect(await dialog.getByLabel('Application id').inputValue()).toBe('archive');
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Create application' }).click();
  await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor();
});

test('a form whose subject was changed meanwhile keeps what was typed, says so, and can replace the change', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Handbook');
  await updateApplication({ appId: 'wiki' as AppId, name: 'Notes' }, operator);
  await page.keyboard.press('Enter');
  await dialog.getByText('Changed by someone else meanwhile').waitFor();
  await page.getByRole('heading', { name: 'Notes', level: 1, includeHidden: true }).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Handbook');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Handbook', level: 1 }).waitFor();
});

test('a block and a role that cannot be saved keep their dialog, with what was typed, and can be sent again', async () => {
  const page = await it.enter('/users/ada');
  const card = page.getByTestId('access-billing');
  const dialog = page.getByRole('dialog');
  await card.getByRole('checkbox').click();
  await dialog.getByText('256 of 256 characters left').waitFor();
  expect(await focused(page)).toBe('Reason (optional)');
  await dialog.getByLabel('Reason (optional)').fill('x'.repeat(257));
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByText('1 characters too long').waitFor();
  await dialog.getByLabel('Reason (optional)').fill('on leave');
  it.dashboard.refuse = unavailable;
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByText('The service cannot answer right now').waitFor();
  expect(await page.getByText('The service cannot answer right now').count()).toBe(1);
  expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('on leave');
  it.dashboard.refuse = undefined;
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await card.getByText('Reason: on leave').waitFor();
  await page.getByRole('button', { name: 'Assign a role in billing' }).click();
  await page.getByText('Choose a role').click();
  await page.getByRole('option', { name: 'editor' }).click();
  it.dashboard.refuse = unavailable;
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await dialog.getByText('The service cannot answer right now').waitFor();
  it.dashboard.refuse = undefined;
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await card.getByRole('button', { name: 'Revoke editor in billing' }).waitFor();
  expect(await dialog.count()).toBe(0);
});

const unavailable = (method: string) =>
  method === 'GET'
    ? undefined
    : {
        status: 503,
        body: { code: 'unavailable', title: 'The service cannot answer right now', detail: 'Try again.' },
      };

test('no page broke its Content-Security-Policy or failed', () => expect(it.complaints).toEqual([]));

/** The label of the field that has the focus. */
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
