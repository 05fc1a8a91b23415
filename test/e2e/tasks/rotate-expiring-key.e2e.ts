import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { tabTo } from '../support/tab-to.ts';

const permissions = ['clipboard-read', 'clipboard-write'];
const day = 86_400_000;
const it = dashboardForTests();
let ending: string;
beforeAll(async () => {
  await it.service.issueKey('billing', ['access:read'], new Date(Date.now() + 90 * day).toISOString());
  ending = (await it.service.issueKey('wiki', ['access:read'], new Date(Date.now() + 20 * day).toISOString())).keyId;
});

/** The content of the clipboard. */
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');
const secretOf = async (dialog: Locator) => /svs_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0];

test('finds a key that expires soon and rotates it in four clicks from the list of users', async () => {
  const page = await it.enter('/users', 'edith', { permissions });
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'Expires soon' }).click();
  const row = page.getByRole('row').filter({ hasText: ending });
  await row.getByText('Expires soon').waitFor();
  await row.getByText(/\((?:20 d 0 h|19 d 23 h) left\)/).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.screenshot({ path: 'test/e2e/artefacts/keys-ending.png' });
  await row.getByRole('button', { name: /^Rotate/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  const secret = await secretOf(shown);
  expect([clicks(), secret]).toEqual([4, expect.any(String)]);
  await shown.getByRole('button', { name: 'Copy secret and close' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await clipboard(page)).toBe(secret);
  expect(new URL(page.url()).search).toBe('?show=ends-soon');
});

test('does the same with the keyboard alone', async () => {
  const keyId = (await it.service.issueKey('wiki', ['access:read'], new Date(Date.now() + 5 * day).toISOString()))
    .keyId;
  const page = await it.enter('/users', 'edith', { permissions });
  const clicks = await countClicks(page);
  await tabTo(page, page.getByRole('link', { name: 'Keys', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Active', exact: true }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const rotate = page.getByRole('button', { name: `Rotate ${keyId}` });
  await rotate.waitFor();
  await tabTo(page, rotate);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rotate key' }).waitFor();
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }));
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  await shown.getByText('This secret is shown only once').waitFor();
  const secret = await secretOf(shown);
  await tabTo(page, shown.getByRole('button', { name: 'Copy secret and close' }));
  await page.keyboard.press('Enter');
  await shown.waitFor({ state: 'detached' });
  expect([clicks(), await clipboard(page)]).toEqual([0, secret]);
});

test('dismissing an uncopied secret asks for confirmation', async () => {
  const page = await it.enter('/keys', 'edith', { permissions });
  const rotate = async () => {
    await page
      .getByRole('button', { name: /^Rotate/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new API key' });
    await shown.waitFor();
    return shown;
  };
  const shown = await rotate();
  await page.keyboard.press('Escape');
  await shown.getByText('The secret was not copied').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/secret-uncopied.png', mask: [shown.getByText(/svs_/)] });
  await shown.getByRole('button', { name: 'Back to the secret' }).click();
  await shown.getByText('The secret was not copied').waitFor({ state: 'detached' });
  await shown.getByRole('button', { name: 'Close', exact: true }).last().click();
  await shown.getByText('The secret was not copied').waitFor();
  await shown.getByRole('button', { name: 'Copy Secret', exact: true }).click();
  await shown.getByText('The secret was not copied').waitFor({ state: 'detached' });
  await shown.getByRole('button', { name: 'Close', exact: true }).last().click();
  await shown.waitFor({ state: 'detached' });
  // Selecting the text and copying it with the keyboard counts too.
  const again = await rotate();
  await again.getByText(/^svs_/).selectText();
  await page.keyboard.press('Control+C');
  await again.getByRole('button', { name: 'Copy secret and close' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await again.waitFor({ state: 'detached' });
});

test('going Back or closing the tab asks for confirmation until the secret is copied', async () => {
  const page = await it.enter('/users', 'edith', { permissions });
  const warnings: string[] = [];
  page.on('dialog', (dialog) => {
    warnings.push(dialog.type());
    void dialog.dismiss();
  });
  const issue = async () => {
    await page.getByRole('link', { name: 'Applications' }).click();
    await page.getByRole('link', { name: 'wiki' }).click();
    // An anchor must not add a history entry: the router could not tell how far Back went.
    await page.getByRole('tab', { name: 'API keys' }).waitFor();
    await page.getByText('Skip to content').press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id + location.hash')).toBe('main');
    await page.getByRole('button', { name: 'Issue key' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new API key' });
    await shown.waitFor();
    return shown;
  };
  const shown = await issue();
  const secret = await shown.getByText(/^svs_/).innerText();
  const question = shown.getByText('The secret was not copied');
  const pressBack = async () => {
    await page.evaluate('history.back()');
    await question.waitFor();
    expect(await shown.getByText(secret).isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/applications/wiki');
  };
  await pressBack();
  await pressBack();
  await shown.getByRole('button', { name: 'Back to the secret' }).click();
  await question.waitFor({ state: 'detached' });
  await page.close({ runBeforeUnload: true });
  await eventually(
    async () => warnings.length,
    (count) => count > 0,
  );
  expect([warnings, await shown.getByText(secret).isVisible()]).toEqual([['beforeunload'], true]);
  await pressBack();
  await shown.getByRole('button', { name: 'Close without copying' }).click();
  await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
  expect(await shown.count()).toBe(0);

  const again = await issue();
  await again.getByRole('button', { name: 'Copy Secret', exact: true }).click();
  await again.getByRole('button', { name: 'Copy secret and close' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
  expect(await again.count()).toBe(0);
  await page.close({ runBeforeUnload: true });
  expect(warnings).toEqual(['beforeunload']);
});

test('labels a key, and the list of its application shows the label too', async () => {
  const page = await it.enter('/keys');
  const { keyId } = await it.service.issueKey('billing', ['access:read']);
  await page.reload();
  await page
    .getByRole('row')
    .filter({ hasText: keyId })
    .getByRole('button', { name: /^Label/ })
    .click();
  await page.getByRole('dialog').getByLabel('Label').fill('Nightly report');
  await page.keyboard.press('Enter');
  await page.getByRole('row').filter({ hasText: keyId }).getByText('Nightly report').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/keys.png', fullPage: true });
  await page.goto(`${it.dashboard.url}/applications/billing?tab=keys`);
  await page.getByRole('row').filter({ hasText: keyId }).getByText('Nightly report').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/keys-tab.png', fullPage: true });
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
