import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type DashboardTest, startDashboard } from './support/start-dashboard.ts';

let it: DashboardTest;
beforeAll(async () => {
  it = await startDashboard();
});
afterAll(() => it.stop());

test('an application is created and renamed, and every user has access to it by default', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByLabel('Name').fill('Payroll');
  await page.getByLabel('Application id').fill('Not An Id');
  await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
  await page.getByText('must be a lower-case letter').first().waitFor();
  await page.getByLabel('Application id').fill('payroll');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payroll', level: 1 }).waitFor();
  await page.getByText('No API keys found.').waitFor();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Payroll EU');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payroll EU', level: 1 }).waitFor();
  await page.goto(`${it.dashboard.url}/users/ada`);
  await page.getByTestId('access-payroll').getByText('Enabled').waitFor();
});

test('a key is issued, tried with the shown command, rotated, and revoked after its last characters are typed', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await page.getByRole('dialog').getByLabel('roles:write').uncheck();
  await page.getByRole('dialog').getByLabel('In 1 day').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  const keyId = /svk_\w+?_wiki_[0-9A-Z]{26}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  await shown.getByRole('button', { name: 'Try it' }).click();
  expect(await runSigned(shown)).toMatchObject({ status: 200, body: { userId: 'ada', appId: 'wiki' } });
  await shown.getByRole('button', { name: /Read a user's access/ }).click();
  await page.getByRole('option', { name: /^Disable a user/ }).click();
  expect(await runSigned(shown)).toMatchObject({ status: 200, body: { status: 'disabled', changed: true } });
  await page.screenshot({ path: 'test/e2e/artefacts/key-issued.png', mask: [shown.getByText(/svs_/)] });
  await shown.getByRole('button', { name: 'I have saved the secret' }).click();
  expect(await page.locator('body').textContent()).not.toContain('svs_');
  const row = page.getByRole('row').filter({ hasText: keyId });
  await row.getByText('access:read, access:write').waitFor();
  await row.getByText(/\((?:1 d 0 h|23 h 59 min) left\)/).waitFor();
  await rotate(page, row, '1 hour');
  await row.getByText(/\((?:1 h 0 min|59 min \d+ s) left\)/).waitFor();
  // The new key lives as long as the old one was to live.
  await page.getByText(/\((?:1 d 0 h|23 h 59 min) left\)/).waitFor();
  await rotate(page, row, '7 days', 'Never');
  await page.getByRole('row').nth(1).getByText('Active, no expiry').waitFor();
  await row.getByRole('button', { name: /^Revoke/ }).click();
  const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke key' });
  expect(await revoke.isEnabled()).toBe(false);
  await page.getByRole('dialog').getByRole('textbox').fill(keyId.slice(-6));
  await revoke.click();
  await row.getByText(/^Revoked/).waitFor();
});

test('issuing a key again after a failure sends the same request, with the end that was chosen first', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('In 1 hour').check();
  const submit = async () => {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Issue key' }).click();
    const request = (await answered).request();
    await dialog.getByText('The service cannot answer now').waitFor();
    return { key: request.headers()['idempotency-key'], body: request.postData() };
  };
  const body = { code: 'unavailable', title: 'The service cannot answer now', detail: 'Try again.' };
  it.dashboard.refuse = (method) => (method === 'POST' ? { status: 503, body } : undefined);
  const first = await submit();
  expect(await submit()).toEqual(first);
  await dialog.getByLabel('roles:write').uncheck();
  const changed = await submit();
  expect([changed.key === first.key, changed.body === first.body]).toEqual([false, false]);
  it.dashboard.refuse = undefined;
});

test('a role is defined, its members are listed, and it is deleted only after a second confirmation', async () => {
  const page = await it.enter('/applications/billing?tab=roles');
  await page.getByRole('button', { name: 'Define role' }).click();
  await page.getByLabel('Name').fill('auditor');
  await page.getByLabel('Description (optional)').fill('Reads everything');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'auditor' });
  await row.getByText('Reads everything').waitFor();
  await it.service.request(['POST', '/api/service/roles/grace/assign'], { body: { role: 'auditor' } });
  await row.getByRole('button', { name: 'Members of auditor' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'grace' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await row.getByRole('button', { name: 'Delete auditor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('auditor is assigned to users').waitFor();
  const confirmed = page.getByRole('button', { name: 'Revoke from all users and delete' });
  it.dashboard.refuse = () => ({ status: 202, body: { changed: true, complete: false } });
  await confirmed.click();
  await page.getByText('waiting until running requests have ended…').waitFor();
  expect(await confirmed.isVisible()).toBe(true);
  it.dashboard.refuse = undefined;
  await row.waitFor({ state: 'detached' });
});

test('the history shows new changes of an application automatically', async () => {
  const page = await it.enter('/applications/billing?tab=history');
  await page.getByRole('table', { name: 'changes' }).waitFor();
  await it.service.request(['PUT', '/api/service/users/alan/access'], { body: { status: 'disabled', reason: 'live' } });
  const row = page.getByRole('row').filter({ hasText: 'live' });
  await row.getByText(/^billing, key …/).waitFor();
  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('row').filter({ hasText: 'alan' }).getByText('Reason: live').waitFor();
});

test('the history is polled only while it is visible, and keeps its rows when that fails', async () => {
  await it.service.request(['PUT', '/api/service/users/alan/access'], { body: { status: 'disabled', reason: 'kept' } });
  const page = await it.enter('/applications/billing?tab=history');
  const row = page.getByRole('row').filter({ hasText: 'kept' });
  await row.waitFor();
  await setVisibility(page, 'hidden');
  await page.waitForLoadState('networkidle');
  let reads = 0;
  it.dashboard.refuse = () => {
    reads++;
    return { status: 503, body: { code: 'unavailable', title: 'The service cannot answer now', detail: 'Try again.' } };
  };
  await page.waitForTimeout(6500);
  expect(reads).toBe(0);
  await setVisibility(page, 'visible');
  await page.getByText('The service cannot answer now').waitFor();
  await page.waitForTimeout(4000);
  expect(reads).toBe(1);
  expect(await row.count()).toBe(1);
  it.dashboard.refuse = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The service cannot answer now').waitFor({ state: 'detached' });
});

test('no page broke its Content-Security-Policy or failed', () => expect(it.complaints).toEqual([]));

/** As the browser does when the operator goes to another tab or comes back. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);
}

async function rotate(page: Page, row: Locator, overlap: string, expires?: string): Promise<void> {
  await row.getByRole('button', { name: /^Rotate/ }).click();
  await page.getByRole('dialog').getByText('1 day').click();
  await page.getByRole('option', { name: overlap }).click();
  if (expires !== undefined) {
    await page.getByRole('dialog').getByLabel('Set when the new key expires').check();
    await page.getByRole('dialog').getByLabel(expires).check();
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
}

/** Sends what the panel's command would. */
async function runSigned(panel: Locator): Promise<{ status: number; body: unknown }> {
  await panel.getByRole('button', { name: 'Sign', exact: true }).click();
  const curl = await panel.getByLabel('Signed request').inputValue();
  const [, method = ''] = /-X (\w+)/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name = '', value = '']) => [name, value]);
  const [, body] = /-d '([^']*)'/.exec(curl) ?? [];
  const [, url = ''] = /'(http[^']*)'$/.exec(curl) ?? [];
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, body: await answer.json() };
}
