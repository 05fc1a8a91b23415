import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import type { AppId, BulkId, RoleName, UserId } from '#shared/contract/fields.ts';
import { setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { press } from '#test/e2e/support/tab-to.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';

const artefacts = join(import.meta.dirname, '../../../test/e2e/artefacts');
const it = dashboardForTests();
const asFile = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

beforeAll(async () => {
  await defineRole({ appId: 'wiki' as AppId, role: 'author' as RoleName, description: null }, operator);
  await createUser({ userId: 'leaver' as UserId, displayName: 'Lea Ver' }, operator);
  await setUserStatus({ userId: 'leaver' as UserId, status: 'inactive', reason: 'left' }, operator);
});

/** A thousand users with a role each, twenty of them mistyped. */
const rows = Array.from({ length: 1000 }, (_, n) => {
  const isWrong = n % 50 === 7;
  return `joiner-${n},Joiner Number ${n},joiner-${n}@example.net,wiki,${isWrong ? 'autor' : 'author'}`;
});
const file = ['userId,displayName,email,application,role', ...rows, ''].join('\n');

test('a sample file shows the columns, and what of it fits is offered', async () => {
  const page = await it.enter('/import');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download a sample' }).click();
  const sample = await download;
  expect(sample.suggestedFilename()).toBe('users.csv');
  await page.locator('input[type=file]').setInputFiles(await sample.path());
  await page.getByText('The application has no role "editor".').or(page.getByText('No application')).first().waitFor();
  await page.screenshot({ path: join(artefacts, 'import-sample.png'), fullPage: true });
});

test('a thousand users with roles are imported, twenty wrong rows corrected and imported, in nine clicks', async () => {
  const page = await it.enter('/users');
  page.setDefaultTimeout(540_000);
  const clicks = await countClicks(page);
  const choose = (name: string, content: string) =>
    page.locator('input[type=file]').setInputFiles(asFile(name, content));
  await page.getByRole('button', { name: 'Import…' }).click();
  await choose('joiners.csv', file);
  await page.getByText('980 users will be created').waitFor();
  await page.getByText('980 users will get the role author in wiki').waitFor();
  await page.getByText('20 of 1,000 rows rejected and left out.').waitFor();
  await page.getByText('The application has no role "autor".').first().waitFor();
  await expectAccessible(page, 'preview of an import');
  await page.screenshot({ path: join(artefacts, 'import-preview.png'), fullPage: true });
  await page.getByRole('button', { name: 'Import 980 users' }).click();
  const result = page.getByText(/^Imported .* users\./);
  await result.waitFor();
  await page.screenshot({ path: join(artefacts, 'import-result.png'), fullPage: true });
  expect(await result.textContent()).toBe('Imported 980 users.');
  await expectAccessible(page, 'result of an import');
  await page.screenshot({ path: join(artefacts, 'import-result.png'), fullPage: true });

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download rejected rows' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('joiners.rejected.csv');
  const rejected = readFileSync(await saved.path(), 'utf8');
  expect(rejected.split('\r\n')).toHaveLength(22);
  await page.getByRole('button', { name: 'Import another file' }).click();
  await choose('joiners.rejected.csv', rejected.replaceAll(',autor,', ',author,'));
  await page.getByText('All 20 rows accepted.').waitFor();
  await page.getByRole('button', { name: 'Import 20 users' }).click();
  await page.getByText('Imported 20 users.').waitFor();
  // Choosing a file takes two: the button, and the file in the operating system's dialog.
  expect(clicks() + 4).toBe(9);

  await page.getByRole('button', { name: 'Undo for 20 users' }).click();
  await page.getByText('Undone for 20 users.').waitFor();
  await page.getByText('User created, Role assigned author').first().waitFor();
  await page.screenshot({ path: join(artefacts, 'import-undo.png'), fullPage: true });
});

test('a file that reactivates a leaver names that, and is imported only once it is confirmed', async () => {
  const page = await it.enter('/import');
  await page
    .locator('input[type=file]')
    .setInputFiles(asFile('people.csv', 'userId,displayName,status,phone\nleaver,Lea Ver,active,1\n'));
  const confirm = page.getByRole('checkbox', { name: '1 user will be reactivated' });
  await confirm.waitFor();
  await page.getByText('Columns that an import does not know are ignored: phone.').waitFor();
  expect(await page.getByRole('button', { name: 'Import 1 user' }).isDisabled()).toBe(true);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.screenshot({ path: join(artefacts, 'import-confirm-360.png'), fullPage: true });
  await confirm.check();
  await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('back from leave');
  await page.getByRole('button', { name: 'Import 1 user' }).click();
  await page.getByText('Imported 1 user.').waitFor();
  await page.goto(`${it.dashboard.url}/users/leaver`);
  await page.getByText('Active').first().waitFor();
});

test('a file is imported by keyboard alone', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await press(page, page.getByRole('button', { name: 'Import…' }), 'Enter');
  const choosing = page.waitForEvent('filechooser');
  await press(page, page.getByRole('button', { name: 'Choose a file' }), 'Enter');
  await (await choosing).setFiles(asFile('keys.csv', 'userId,displayName\nby-keys,Key Board\n'));
  await press(page, page.getByRole('button', { name: 'Import 1 user' }), 'Enter');
  await page.getByText('Imported 1 user.').waitFor();
  expect(clicks()).toBe(0);
});

test('a file that cannot be read says why, and a viewer is not offered an import', async () => {
  const page = await it.enter('/import');
  await page.locator('input[type=file]').setInputFiles(asFile('people.csv', 'email\nada@example.org\n'));
  await page.getByText('There is no column userId.').waitFor();
  const viewer = await it.enter('/users', 'dorothy');
  await viewer.getByRole('link', { name: 'ada' }).waitFor();
  expect(await viewer.getByRole('button', { name: 'Import…' }).count()).toBe(0);
});

test('the reason typed for an import or for undoing a bulk change is not lost by leaving', async () => {
  const page = await it.enter('/import');
  const buffer = Buffer.from('userId,displayName\nnewcomer,New Comer\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await expectReasonKept(page, 'Import users');
  const bulkId = newBulkId(Date.now()) as BulkId;
  const userIds = [(await newUser()) as UserId];
  const setting = { status: 'disabled', reason: null, until: null } as const;
  await setAccessInBulk({ userIds, bulkId, appId: 'wiki' as AppId, setting }, operator);
  const undo = await it.enter(`/bulk/${bulkId}/undo?app=wiki`);
  await expectReasonKept(undo, 'Undo bulk change');
});

async function expectReasonKept(page: Page, heading: string): Promise<void> {
  const reason = page.getByLabel('Reason (optional)');
  await reason.fill('wave two');
  const history = page.locator('#bar').getByRole('link', { name: 'History' });
  await history.click();
  const asking = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await asking.getByRole('button', { name: 'Keep editing' }).click();
  expect([await reason.inputValue(), await page.getByRole('heading', { name: heading, level: 1 }).count()]).toEqual([
    'wave two',
    1,
  ]);
  await history.click();
  await asking.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
}
