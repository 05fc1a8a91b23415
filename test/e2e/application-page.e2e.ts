import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { AppId } from '#shared/contract/fields.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardForTests();

test('creates and renames an application, which allows every user by default', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByLabel('Name').fill('Payroll');
  await page.getByLabel('Application ID').fill('Not An Id');
  await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
  await page.getByText('must be 2–40 lower-case letters').first().waitFor();
  await page.getByLabel('Application ID').fill('payroll');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payroll', level: 1 }).waitFor();
  await page.getByText('No API keys yet.').waitFor();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Payroll EU');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Payroll EU', level: 1 }).waitFor();
  await page.goto(`${it.dashboard.url}/users/ada`);
  await page.getByTestId('access-payroll').getByText('Allowed', { exact: true }).last().waitFor();
});

test('creates an application that blocks all users at first, and allows one of them', async () => {
  const page = await it.enter('/applications');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByLabel('Name').fill('CRM');
  await page.getByLabel('Application ID').fill('crm');
  await page.getByRole('checkbox', { name: 'Block all users at first' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
  await page.getByText('crm · Rollout: 0%').waitFor();
  await page.goto(`${it.dashboard.url}/users/ada`);
  const card = page.getByTestId('access-crm');
  await card.getByText('Blocked', { exact: true }).last().waitFor();
  await card.getByText('Rollout at 0%: only users with a setting are allowed.').waitFor();
  await card.getByText('Not set', { exact: true }).waitFor();
  const toggle = card.getByRole('checkbox', { name: 'Access of ada to CRM' });
  expect(await toggle.isChecked()).toBe(false);
  await toggle.click();
  await page.getByText('Allowed ada to use CRM.').waitFor();
  await page.getByRole('table', { name: 'changes' }).getByText('Status: Not set → Allowed').waitFor();
  const key = await it.service.issueKey('crm', ['access:read']);
  const { body } = await it.service.request(['GET', '/api/service/users/ada/access'], { key });
  expect(body).toMatchObject({ effectiveStatus: 'enabled', decidedBy: 'explicit' });
});

test('raises a rollout by slider and input, and lowers it only after a confirmation', async () => {
  const page = await it.enter('/applications/wiki?tab=rollout');
  const [slider, input] = [page.getByRole('slider'), page.getByLabel('Percentage of users')];
  const save = page.getByRole('button', { name: 'Save percentage' });
  expect([await slider.inputValue(), await input.inputValue(), await save.isEnabled()]).toEqual(['100', '100', false]);
  await input.fill('2.555');
  await page.getByText('Enter a number from 0 to 100').waitFor();
  expect(await save.isEnabled()).toBe(false);
  await page.getByRole('button', { name: 'Count users' }).click();
  await input.fill('100');
  await page.getByText(/^100% allows (\d+) of \1 active users? without a setting of their own\.$/).waitFor();
  await input.fill('2.5');
  const [, excluded] = /^2\.5% shuts out (\d+) users?: /.exec(await page.getByText('2.5% shuts out').innerText()) ?? [];
  expect(Number(excluded)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Users by percentage' }).click();
  await page.getByRole('table', { name: 'Users by percentage' }).getByRole('row').nth(11).waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/rollout-forecast.png', fullPage: true });
  await expectAccessible(page, 'the forecast of a rollout');
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Lower the rollout of wiki' });
  await dialog.getByText(new RegExp(`shuts out ${excluded} of \\d+ active users`)).waitFor();
  await expectAccessible(page, 'the question before a rollout is lowered');
  await page.screenshot({ path: 'test/e2e/artefacts/rollout-lowered.png' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('wiki allows 100% of the users').waitFor();
  await save.click();
  await dialog.getByLabel('Reason (optional)').fill('pilot failed');
  await dialog.getByLabel('Ticket (optional)').fill('INC-7');
  await dialog.getByRole('button', { name: 'Lower to 2.5%' }).click();
  await page.getByText('Rollout: 2.5%', { exact: true }).waitFor();
  const notice = page.getByText('Rollout of wiki changed from 100% to 2.5%.');
  await notice.waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('wiki allows 100% of the users').waitFor();
  expect(await input.inputValue()).toBe('100');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('wiki allows 2.5% of the users').waitFor();
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  expect(await input.inputValue()).toBe('4');
  await save.click();
  await page.getByText('wiki allows 4% of the users').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/rollout.png' });
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Rollout: 2.5% → 4%').waitFor();
  await page.getByText('pilot failed · INC-7').waitFor();
  expect(await page.getByText('Rollout: 100% → 2.5%').count()).toBe(2);
  await page.getByRole('button', { name: 'Undo: Application updated, wiki' }).click();
  await page.getByText('Rollout: 4% → 2.5%').waitFor();
  // Its history would keep polling during the tests that count requests.
  await page.close();
});

test('a rollout that someone else modified is shown and not overwritten', async () => {
  const page = await it.enter('/applications/wiki?tab=rollout');
  const [shown, input] = [page.getByText('wiki allows'), page.getByLabel('Percentage of users')];
  await shown.waitFor();
  const { updateApplication } = await import('#shared/domain/application/applications.ts');
  await updateApplication({ appId: 'wiki' as AppId, rolloutPercent: 30 }, operator);
  await input.fill('40');
  await page.getByRole('button', { name: 'Save percentage' }).click();
  await page.getByText('wiki allows 30% of the users').waitFor();
  await page.getByRole('button', { name: 'Save percentage' }).click();
  await page.getByText('wiki allows 40% of the users').waitFor();
  await updateApplication({ appId: 'wiki' as AppId, rolloutPercent: 100 }, operator);
});

test('users who only have a role are shown with the status that the rollout decides', async () => {
  const { updateApplication } = await import('#shared/domain/application/applications.ts');
  await it.service.request(['POST', '/api/service/roles/alan/assign'], {
    key: it.service.wikiKey,
    body: { role: 'editor' },
  });
  await updateApplication({ appId: 'wiki' as AppId, rolloutPercent: 1 }, operator);
  const page = await it.enter('/applications/wiki?tab=users');
  await page.getByText('All others: Allowed for 1% by the rollout.').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'alan' });
  await row.getByText('Rollout: not yet among the 1% of users who are allowed.').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/rollout-users.png' });
  await updateApplication({ appId: 'wiki' as AppId, rolloutPercent: 100 }, operator);
});

test('issues a key, tries it with the shown command, rotates it, and revokes it after its last characters are typed', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Issue key' }).first().click();
  const issuing = page.getByRole('dialog', { name: 'Issue API key' });
  expect(await issuing.getByRole('checkbox', { checked: true }).count()).toBe(1);
  expect(await issuing.getByLabel('access:read').isChecked()).toBe(true);
  expect(await issuing.getByLabel('90 days from now').isChecked()).toBe(true);
  await issuing.getByText('Read who is allowed to use the application').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/key-issuing.png' });
  await expectAccessible(page, 'issuing a key');
  await issuing.getByLabel('access:write').check();
  await issuing.getByLabel('30 days from now').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  const keyId = /svk_\w+?_wiki_[0-9A-Z]{26}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  await shown.getByRole('button', { name: 'Try it' }).click();
  expect(await runSigned(shown)).toMatchObject({ status: 200, body: { userId: 'ada', appId: 'wiki' } });
  await shown.getByRole('button', { name: /Read a user's access/ }).click();
  await page.getByRole('option', { name: /^Block a user/ }).click();
  expect(await runSigned(shown)).toMatchObject({ status: 200, body: { status: 'disabled', changed: true } });
  await page.screenshot({ path: 'test/e2e/artefacts/key-issued.png', mask: [shown.getByText(/svs_/)] });
  await expectAccessible(page, 'a secret');
  await closeUncopied(shown);
  expect(await page.locator('body').textContent()).not.toContain('svs_');
  // A successor names its predecessor too.
  const row = page.getByRole('row').filter({ has: page.getByText(keyId, { exact: true }) });
  await row.getByText('access:read, access:write').waitFor();
  await row.getByText(/\((?:30 d 0 h|29 d 23 h) left\)/).waitFor();
  await rotate(page, row, '1 hour');
  await row.getByText(/\((?:1 h 0 min|59 min \d+ s) left\)/).waitFor();
  // The new key gets the lifetime of the old one.
  await page.getByText(/\((?:30 d 0 h|29 d 23 h) left\)/).waitFor();
  const successor = page.getByRole('row').filter({ hasText: `Replaces ${keyId}` });
  const [successorId = ''] = /svk_\w+?_wiki_[0-9A-Z]{26}/.exec((await successor.textContent()) ?? '') ?? [];
  await page
    .getByRole('row')
    .filter({ hasText: `Replaced by ${successorId}` })
    .getByText(keyId, { exact: true })
    .waitFor();
  await rotate(page, row, '7 days', 'Never');
  await page.getByRole('row').nth(1).getByText('No expiry').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/keys-rotated.png', fullPage: true });
  await row.getByRole('button', { name: /^Revoke/ }).click();
  const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke key' });
  expect(await revoke.isEnabled()).toBe(false);
  await page.getByRole('dialog').getByRole('textbox').fill(keyId.slice(-6));
  await revoke.click();
  await row.getByText(/^Revoked/).waitFor();
});

test('a retry of issuing a key sends the same request, with the same expiry', async () => {
  const page = await it.enter('/applications/wiki');
  await page.getByRole('button', { name: 'Issue key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('30 days from now').check();
  const submit = async () => {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Issue key' }).click();
    const request = (await answered).request();
    await dialog.getByText('The service is temporarily unavailable').waitFor();
    return { key: request.headers()['idempotency-key'], body: request.postData() };
  };
  const body = { code: 'unavailable', title: 'The service is temporarily unavailable', detail: 'Try again.' };
  it.dashboard.refuse = (method) => (method === 'POST' ? { status: 503, body } : undefined);
  const first = await submit();
  expect(await submit()).toEqual(first);
  await dialog.getByLabel('roles:write').check();
  const changed = await submit();
  expect([changed.key === first.key, changed.body === first.body]).toEqual([false, false]);
  it.dashboard.refuse = undefined;
});

test('defines a role, lists its members, and deletes it only after a second confirmation', async () => {
  const page = await it.enter('/applications/billing?tab=roles');
  await page.getByRole('button', { name: 'Define role' }).first().click();
  await page.getByLabel('Name').fill('auditor');
  await page.getByLabel('Description (optional)').fill('Reads everything');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'auditor' });
  await row.getByText('Reads everything').waitFor();
  await it.service.request(['POST', '/api/service/roles/grace/assign'], { body: { role: 'auditor' } });
  await row.getByRole('button', { name: 'View members of auditor' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'grace' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await row.getByRole('button', { name: 'Delete auditor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
  await page.getByText('auditor is assigned to users').waitFor();
  const confirmed = page.getByRole('button', { name: 'Remove from all users and delete' });
  it.dashboard.refuse = (method) =>
    method === 'DELETE' ? { status: 202, body: { changed: true, complete: false } } : undefined;
  await confirmed.click();
  await page.getByText('waiting for running requests to finish…').waitFor();
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

test('polls the history only while it is visible, and after a failure keeps the rows and the polling', async () => {
  await it.service.request(['PUT', '/api/service/users/alan/access'], { body: { status: 'disabled', reason: 'kept' } });
  const page = await it.enter('/applications/billing?tab=history');
  const row = page.getByRole('row').filter({ hasText: 'kept' });
  await row.waitFor();
  await setVisibility(page, 'hidden');
  await page.waitForLoadState('networkidle');
  let reads = 0;
  it.dashboard.refuse = (_, path) => {
    if (!path.endsWith('/changes')) return;
    reads++;
    return {
      status: 503,
      body: { code: 'unavailable', title: 'The service is temporarily unavailable', detail: 'Try again.' },
    };
  };
  await page.waitForTimeout(6500);
  expect(reads).toBe(0);
  await setVisibility(page, 'visible');
  await page.getByText('The service is temporarily unavailable').waitFor();
  await page.waitForTimeout(4000);
  expect(reads).toBeGreaterThan(1);
  expect(await row.count()).toBe(1);
  it.dashboard.refuse = undefined;
  await page.getByText('The service is temporarily unavailable').waitFor({ state: 'detached' });
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

/** Simulates the operator's switch to another tab or back. */
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
    await page.getByRole('dialog').getByLabel('Set an expiry for the new key').check();
    await page.getByRole('dialog').getByLabel(expires).check();
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await closeUncopied(page.getByRole('dialog', { name: 'Your new API key' }));
}

async function closeUncopied(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
}

/** Sends the request that the panel's command would. */
async function runSigned(panel: Locator): Promise<{ status: number; body: unknown }> {
  await panel.getByRole('button', { name: 'Sign request', exact: true }).click();
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
