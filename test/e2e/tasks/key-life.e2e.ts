import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';

const it = dashboardForTests();
const permissions = ['clipboard-read', 'clipboard-write'];

/** Copies the secret of the new key, and returns the key. */
async function take(page: Page) {
  const shown: Locator = page.getByRole('dialog', { name: 'Your new API key' });
  const text = await shown.getByText(/^svs_/).innerText();
  // The new key stands below the one that it replaces.
  const keyId = await shown.getByText(/^svk_/).last().innerText();
  await shown.getByRole('button', { name: 'Copy secret and close' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
  return { keyId, secret: text };
}

test('from the list of users, a key is issued in 5 clicks, rotated in 3, and its predecessor revoked in 2', async () => {
  const page = await it.enter('/users', 'edith', { permissions });
  const clicks = await countClicks(page);
  await page.locator('#bar').getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: 'wiki' }).click();
  await page.getByRole('button', { name: 'Issue key' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
  const first = await take(page);
  expect(clicks()).toBe(5);
  const may = async (key: { keyId: string; secret: string }) =>
    (await it.service.request(['GET', '/api/service/users/ada/access'], { key })).status;
  expect(await may(first)).toBe(200);

  await page.getByRole('button', { name: `Rotate ${first.keyId}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  const second = await take(page);
  expect(clicks()).toBe(8);
  expect([await may(first), await may(second)]).toEqual([200, 200]);

  await page.getByRole('button', { name: `Revoke ${first.keyId}` }).click();
  await page.getByRole('dialog').getByText('are rejected immediately').waitFor();
  await page.keyboard.type(first.keyId.slice(-6));
  await page.screenshot({ path: 'test/e2e/artefacts/task-revoke.png' });
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(clicks()).toBe(10);
  expect([await may(first), await may(second)]).toEqual([401, 200]);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
