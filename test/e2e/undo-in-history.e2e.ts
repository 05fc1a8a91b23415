import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { dashboardWithUser } from './support/dashboard-with-user.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardWithUser();

const accessPath = () => `/api/service/users/${it.userId}/access`;
const block = (reason: string) => it.service.request(['PUT', accessPath()], { body: { status: 'disabled', reason } });
const readAccess = async () => (await it.service.request(['GET', accessPath()])).body;

const openHistory = (): Promise<Page> => it.enter(`/history?user=${it.userId}`);

/** The rows about the user, the newest first. */
const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'changes' }).getByRole('row').filter({ hasText: it.userId });
const undoIn = (row: Locator) => row.getByRole('button', { name: `Undo: Access changed, billing, for ${it.userId}` });
const isFocused = (locator: Locator) => locator.and(locator.page().locator(':focus')).waitFor();

test("undoes a change with the keyboard in an application's history, and focuses the new change", async () => {
  await block('one');
  await block('two');
  const page = await it.enter('/applications/billing?tab=history');
  await rowsOf(page).filter({ hasText: 'two' }).first().waitFor();
  expect(await undoIn(rowsOf(page).filter({ hasText: 'one' }).last()).count()).toBe(0);
  await undoIn(rowsOf(page).first()).press('Enter');
  await page.getByText(`Undone: Access changed, billing, for ${it.userId}.`).waitFor();
  expect(await readAccess()).toMatchObject({ status: 'disabled', reason: 'one', version: 3 });
  await isFocused(undoIn(rowsOf(page).first()));
  expect(await rowsOf(page).nth(1).getByText('Undone', { exact: true }).count()).toBe(1);
  expect(await undoIn(rowsOf(page)).count()).toBe(1);
  await expectAccessible(page, 'an undone change');

  // The undo can be undone in its row too.
  await page.keyboard.press('Enter');
  await rowsOf(page).nth(3).waitFor();
  expect(await readAccess()).toMatchObject({ reason: 'two', version: 4 });
});

test('undoes a change in the global history, which then updates and keeps the focus in the row', async () => {
  await block('one');
  await block('two');
  const page = await openHistory();
  await rowsOf(page).filter({ hasText: 'two' }).first().waitFor();
  expect(await undoIn(rowsOf(page)).count()).toBe(1);
  await undoIn(rowsOf(page).first()).press('Enter');
  await isFocused(rowsOf(page).getByText('Undone', { exact: true }));
  await expectAccessible(page, 'an undone change in the global history');
  expect(await readAccess()).toMatchObject({ reason: 'one', version: 3 });
  await undoIn(rowsOf(page).first()).waitFor();
  expect(await rowsOf(page).count()).toBe(4);
  await isFocused(rowsOf(page).nth(1).getByText('Undone', { exact: true }));
});

test('a change modified since is not undone: a notice says why, and the list shows the new change', async () => {
  await block('one');
  const page = await openHistory();
  await undoIn(rowsOf(page)).waitFor();
  await block('two');
  await undoIn(rowsOf(page)).click();
  await page
    .getByText(`Could not undo: Access changed, billing, for ${it.userId}. It has been modified since.`)
    .waitFor();
  expect(await readAccess()).toMatchObject({ reason: 'two', version: 2 });
  await undoIn(rowsOf(page).filter({ hasText: 'two' })).waitFor();
  expect(await undoIn(rowsOf(page)).count()).toBe(1);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
