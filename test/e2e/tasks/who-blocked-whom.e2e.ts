import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { eventually } from '../../support/eventually.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';

const it = dashboardForTests();
beforeAll(async () => {
  const edith = {
    kind: 'operator',
    via: 'token',
    role: 'support',
    id: 'sub-edith',
    email: 'edith@example.com',
  } as const;
  for (let n = 10; n < 40; n++) {
    const userId = (await newUser(`many-${n}`)) as UserId;
    const setting = { status: 'disabled', reason: `=unpaid ${n}`, until: null } as const;
    await setAccess({ userId, appId: 'billing' as AppId, setting }, { ...operator, caller: edith });
  }
});

async function chooseBlocks(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  // Creating users is not an access change: seen before the choice, since an empty list has no such row either.
  const created = page.getByRole('row').filter({ hasText: 'User created' }).first();
  await created.waitFor();
  await page.getByRole('button', { name: /^Action/ }).click();
  await page.getByRole('option', { name: 'Access changed' }).click();
  await created.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'many-39' }).waitFor();
}

test('who blocked whom last week is three clicks away from the list of users, five with the export', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await chooseBlocks(page);
  const [newest] = await page.getByRole('row').filter({ hasText: 'many-39' }).allInnerTexts();
  for (const text of ['Access changed', 'billing', 'edith@example.com', '=unpaid 39']) expect(newest).toContain(text);
  expect(clicks()).toBe(3);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const saved = await saving;
  expect(clicks()).toBe(5);
  expect(saved.suggestedFilename()).toMatch(/^changes-\d{4}-\d\d-\d\d\.csv$/);
  const { data } = Papa.parse<Record<string, string>>(await readFile(await saved.path(), 'utf8'), { header: true });
  const rows = data.filter(({ userId }) => userId);
  expect(rows.map((row) => [row.userId, row.byName, row.reason])).toEqual(
    Array.from({ length: 30 }, (_, n) => [`many-${39 - n}`, 'edith@example.com', `'=unpaid ${39 - n}`]),
  );
  await page.getByText('Exported 30 changes.').first().waitFor();
});

test('the filters of the history survive a reload and Back, and each is a chip that can be removed alone', async () => {
  const page = await it.enter('/users');
  await chooseBlocks(page);
  await page.getByLabel('Changed by', { exact: true }).fill('EDITH');
  await page.getByLabel('User', { exact: true }).fill('many-20');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'many-39' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Time/ }).click();
  await page.getByRole('option', { name: 'Last 24 hours' }).click();
  await page.waitForURL(/user=many-20/);
  await page.reload();
  await page.getByRole('link', { name: 'many-20' }).waitFor();
  const { searchParams } = new URL(page.url());
  const filters = { action: 'access.changed', by: 'EDITH', user: 'many-20', range: '24h' };
  expect(Object.fromEntries(searchParams)).toEqual(filters);
  expect(await page.getByLabel('Changed by', { exact: true }).inputValue()).toBe('EDITH');
  await page.getByRole('link', { name: 'many-20' }).click();
  await page.getByRole('heading', { name: 'many-20' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'many-20' }).waitFor();
  const chip = (label: string) => page.getByRole('button', { name: `Remove ${label}`, exact: true });
  await chip('many-20').click();
  await page.getByRole('link', { name: 'many-39' }).waitFor();
  await chip('Access changed').click();
  await page.waitForURL((url) => url.search === '?by=EDITH&range=24h');
  await chip('By EDITH').click();
  await page.waitForURL((url) => url.search === '?range=24h');
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0);
  const field = page.getByLabel('Changed by', { exact: true });
  expect(
    await eventually(
      () => field.inputValue(),
      (by) => by === '',
    ),
  ).toBe('');
  await field.fill('nobody');
  await page.getByText('No changes match.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'many-39' }).first().waitFor();
  expect(new URL(page.url()).search).toBe('?range=all');
});

test('a name in the user filter of the history suggests the user', async () => {
  await updateUser({ userId: 'many-17' as UserId, displayName: 'Chidi Thomas', email: null }, operator);
  const page = await it.enter('/history?action=access.changed');
  await page.getByLabel('User', { exact: true }).fill('thomas');
  await page.getByRole('option', { name: 'Chidi Thomas (many-17)' }).click();
  await page.getByRole('link', { name: 'many-39' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Chidi Thomas' }).first().waitFor();
  expect(new URL(page.url()).search).toBe('?action=access.changed&user=many-17');
});

test('an e-mail address in the user filter finds its user, although it could be a user ID', async () => {
  await updateUser({ userId: 'many-18' as UserId, displayName: null, email: 'eighteen@example.com' }, operator);
  const page = await it.enter('/history?action=access.changed&user=many-17');
  await page.getByRole('link', { name: 'Chidi Thomas' }).first().waitFor();
  const field = page.getByLabel('User', { exact: true });
  await field.fill('eighteen@example.com');
  // Without the earlier user, until another one is chosen.
  await page.getByRole('link', { name: 'many-39' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'many-39' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'many-18' }).waitFor();
  expect(new URL(page.url()).search).toBe('?action=access.changed&user=many-18');
});

test('the changes of today are a choice, and those of yesterday another', async () => {
  const page = await it.enter('/history?action=access.changed');
  await page.getByRole('button', { name: /^Time/ }).click();
  await page.getByRole('option', { name: 'Today' }).click();
  await page.getByRole('link', { name: 'many-39' }).waitFor();
  await page.getByRole('button', { name: /^Time/ }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await page.getByText('No changes match.').waitFor();
});

const isTyped = (date: string) => /^\d{4}-/.test(date);

test('the URL keeps the days, the application and the page, and the user field explains an invalid user ID', async () => {
  const page = await it.enter('/history?range=custom&from=2026-01-01&to=2026-01-02&app=billing');
  await page.getByText('No changes match.').waitFor();
  const to = page.getByLabel('To', { exact: true });
  await to.click();
  // In use, the field shows the date as it is typed.
  expect(await eventually(() => to.inputValue(), isTyped)).toBe('2026-01-02');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2099-12-31');
  await page.getByRole('link', { name: 'many-39' }).waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'many-14' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'many-14' }).waitFor();
  await page.getByLabel('User', { exact: true }).fill('not an id');
  await page.getByText('No users match. Enter a name, an e-mail or a complete user ID.').waitFor();
  await page.getByRole('link', { name: 'many-14' }).waitFor();
});

test('an export shows its progress, can be cancelled, and says why it failed', async () => {
  const page = await it.enter('/history');
  await page.getByRole('link', { name: 'many-39' }).first().waitFor();
  let release = () => undefined as undefined;
  await page.route('**/api/manage/changes?*limit=100*', async (route) => {
    await new Promise<void>((resolve) => {
      release = () => void resolve() as undefined;
    });
    await route.continue().catch(() => undefined);
  });
  const start = async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
  };
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await start();
  await page.getByText('Exporting changes…').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Exporting changes…').first().waitFor({ state: 'detached' });
  release();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const body = { code: 'unavailable', title: 'Later', detail: 'Try again.' };
  it.dashboard.refuse = (_, path) => (path.endsWith('/changes') ? { status: 503, body } : undefined);
  await start();
  await page.getByText('The export failed. Later: Try again.').first().waitFor();
  it.dashboard.refuse = undefined;
  expect(downloads).toBe(0);
  await start();
  await page
    .getByText(/^Exported \d+ changes\.$/)
    .first()
    .waitFor();
  expect(downloads).toBe(1);
});
