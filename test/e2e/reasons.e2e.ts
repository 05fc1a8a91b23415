import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId } from '#shared/contract/fields.ts';
import { updateApplication } from '#shared/domain/application/applications.ts';
import { newApplication } from '../support/new-application.ts';
import { operator } from '../support/start-service.ts';
import { dashboardWithUser } from './support/dashboard-with-user.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardWithUser();
const shot = (page: Page, name: string) => page.screenshot({ path: `test/e2e/artefacts/${name}.png`, fullPage: true });

test('an application that requires reasons gets one for a role, its removal and the undo, with the ticket in the history', async () => {
  const appId = await newApplication(['editor']);
  const page = await it.enter(`/applications/${appId}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Require reasons' }).click();
  await dialog.getByLabel('Operators', { exact: true }).check();
  await shot(page, 'require-reasons');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Reasons required of operators').waitFor();

  await page.goto(`${new URL(page.url()).origin}/users/${it.userId}`);
  const card = page.getByTestId(`access-${appId}`);
  await card.getByRole('checkbox').click();
  expect(await dialog.getByRole('button', { name: 'Block' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await card.getByRole('button', { name: /^Assign a role/ }).click();
  await dialog.getByText('Choose a role', { exact: true }).click();
  await page.getByRole('option', { name: 'editor' }).click();
  const assign = dialog.getByRole('button', { name: 'Assign role' });
  expect(await assign.isDisabled()).toBe(true);
  await dialog.getByLabel('Reason', { exact: true }).fill('covers for Grace');
  await dialog.getByLabel('Ticket (optional)').fill('INC 1');
  await assign.click();
  await dialog.getByText(/must be 1–64 letters, digits or/i).waitFor();
  await dialog.getByLabel('Ticket (optional)').fill('INC-1234');
  await shot(page, 'assign-with-reason');
  await expectAccessible(page, 'a required reason');
  await assign.click();

  await card.getByRole('button', { name: /^Remove editor/ }).click();
  expect(await dialog.getByRole('button', { name: 'Remove role' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason', { exact: true }).fill('Grace is back');
  await dialog.getByRole('button', { name: 'Remove role' }).click();
  await card.getByText('editor').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await dialog.getByText(/^This undoes: Removed editor/).waitFor();
  expect(await dialog.getByRole('button', { name: 'Undo change' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason', { exact: true }).fill('removed too early');
  await shot(page, 'undo-with-reason');
  await dialog.getByRole('button', { name: 'Undo change' }).click();
  await card.getByRole('button', { name: /^Remove editor/ }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/applications/${appId}?tab=history`);
  const changes = page.getByRole('table', { name: 'changes' });
  for (const why of ['covers for Grace · INC-1234', 'Grace is back', 'removed too early']) {
    await changes.getByText(why, { exact: true }).waitFor();
  }
  await shot(page, 'history-with-reasons');
});

test('an application that requires reasons only since the page was opened is asked for one at the second click', async () => {
  const appId = await newApplication();
  const page = await it.enter(`/users/${it.userId}`);
  const card = page.getByTestId(`access-${appId}`);
  await card.getByRole('checkbox').waitFor();
  await updateApplication({ appId: appId as AppId, requireReason: 'operators' }, operator);
  await card.getByRole('checkbox').click();
  await card.getByRole('alert').waitFor();
  expect(await card.getByRole('checkbox').isChecked()).toBe(true);
  await card.getByRole('checkbox').click();
  await page.getByRole('dialog').getByLabel('Reason').fill('left the team');
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await card.getByText('Reason: left the team').waitFor();
});

test('where no reason is required, a block can have one and a ticket, and the page shows both', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const card = page.getByTestId('access-billing');
  await card.getByRole('checkbox').click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add reason' }).click();
  await dialog.getByLabel('Reason (optional)').fill('left the team');
  await dialog.getByLabel('Ticket (optional)').fill('INC-1234');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Reason: left the team').waitFor();
  await card.getByText(/Ticket: INC-1234/).waitFor();
  await page.reload();
  await card.getByText(/Ticket: INC-1234/).waitFor();
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
