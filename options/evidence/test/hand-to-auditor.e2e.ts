import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import Papa from 'papaparse';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { updateApplication } from '#shared/domain/application/applications.ts';
import { updateUser } from '#shared/domain/user/users.ts';
import { runHere } from '#test/cli/run-here.ts';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { choose, press } from '#test/e2e/support/tab-to.ts';
import { eventually } from '#test/support/eventually.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';

const it = dashboardForTests();
const artefacts = join(import.meta.dirname, '../../../test/e2e/artefacts');
const appId = 'billing' as AppId;
const by = (name: string, ticket?: string) => {
  const caller = { kind: 'operator', via: 'token', role: 'support', id: `sub-${name}`, email: `${name}@example.com` };
  return { ...operator, ticket, caller: { ...operator.caller, ...caller } as typeof operator.caller };
};
const block = (userId: string, reason: string, name: string, ticket?: string) =>
  setAccess(
    { userId: userId as UserId, appId, setting: { status: 'disabled', reason, until: null } },
    by(name, ticket),
  );

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'auth-service-archive-'));
  mkdirSync(join(folder, '.local'));
  const { manageUrl, accessKey } = it.service;
  writeFileSync(join(folder, '.local/example.json'), JSON.stringify({ manageUrl, region: 'local', ...accessKey }));
  // Today, as it was created today: a change more than a day before the previous one begins a new history.
  await updateApplication({ appId, name: 'Billing and invoices' }, operator);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  yesterday.setHours(12, 0, 0, 0);
  // Only the clock: everything else waits as it does.
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'nextTick'] as const;
  jest.useFakeTimers({ now: yesterday, advanceTimers: true, doNotFake: [...timers, 'performance', 'queueMicrotask'] });
  try {
    for (const name of ['ines', 'jan', 'kim']) {
      const userId = await newUser(name);
      await updateUser({ userId: userId as UserId, displayName: `Dr. ${name}` }, operator);
      jest.setSystemTime(Date.now() + 1000);
      await block(userId, `=audit of ${name}`, 'edith');
    }
    await block('jan', 'by another operator', 'ludwig');
    await block('jan', 'again', 'edith', 'INC-7');
  } finally {
    jest.useRealTimers();
  }
  await block('kim', 'today', 'edith');
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (file: string) => runHere(['history', 'verify', file], { cwd: folder });

test('all that one operator did yesterday, for an auditor, is six clicks away from the list of users', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('button', { name: /^Time/ }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await page.getByRole('row').filter({ hasText: 'by another operator' }).waitFor();
  await page.getByLabel('Changed by').click();
  await page.keyboard.type('edith');
  // Three changes concern this user, one is by the operator; while the list is loaded, there is none.
  const rowsOfOneUser = () => page.getByRole('link', { name: 'Dr. kim' }).count();
  await eventually(rowsOfOneUser, (rows) => rows === 1);
  expect(await page.getByRole('row').filter({ hasText: 'by another operator' }).count()).toBe(0);
  expect(await page.getByText('today').count()).toBe(0);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Verified archive (ZIP)' }).click();
  const saved = await saving;
  expect(clicks()).toBe(6);
  await page.getByText('Exported and verified 4 changes. All are as the service wrote them.').first().waitFor();
  await expectAccessible(page, 'a verified export');
  await page.screenshot({ path: join(artefacts, 'verified-archive.png'), fullPage: true });

  expect(saved.suggestedFilename()).toMatch(/^changes-\d{4}-\d\d-\d\d\.zip$/);
  const archive = join(folder, 'changes.zip');
  await saved.saveAs(archive);
  const files = unzipSync(readFileSync(archive));
  const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const { data } = Papa.parse<Record<string, string>>(textOf('changes.csv'), { header: true, skipEmptyLines: true });
  const titles = ['byName', 'userName', 'userId', 'appName', 'before', 'reason', 'ticket'];
  expect(data.map((row) => titles.map((title) => row[title]))).toEqual([
    [
      'edith@example.com',
      'Dr. jan',
      'jan',
      'Billing and invoices',
      expect.stringContaining('Blocked'),
      'again',
      'INC-7',
    ],
    ...['kim', 'jan', 'ines'].map((name) => [
      'edith@example.com',
      `Dr. ${name}`,
      name,
      'Billing and invoices',
      'Status: Not set',
      `'=audit of ${name}`,
      '',
    ]),
  ]);
  expect(textOf('verification.txt')).toContain('Verified by: edith@example.com (');
  expect(textOf('verification.txt')).toContain('gaps between them were not checked');

  const again = await verify(archive);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(again.stdout).toContain('changes.csv says the same as the changes.\nVerified 4 changes in 3 histories.');

  const alter = (name: string, from: string, to: string) =>
    writeFileSync(archive, zipSync({ ...files, [name]: strToU8(textOf(name).replaceAll(from, to)) }));
  alter('changes.csv', 'INC-7', 'INC-8');
  const retold = await verify(archive);
  expect([retold.code, retold.stdout]).toEqual([1, expect.stringMatching(/BROKEN: changes\.csv .*, column ticket\./)]);
  alter('changes.json', 'INC-7', 'INC-8');
  expect((await verify(archive)).stdout).toContain('was altered: its MAC does not match');
  alter('changes.json', '=audit of jan', 'nothing');
  const forged = await verify(archive);
  expect([forged.code, forged.stdout]).toEqual([1, expect.stringContaining('was altered: its MAC does not match')]);
});

test('the same is exported by keyboard alone', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await press(page, page.locator('#bar').getByRole('link', { name: 'History' }), 'Enter');
  await choose(page, page.getByRole('button', { name: /^Time/ }), 'Yesterday');
  await page.getByRole('row').filter({ hasText: 'by another operator' }).waitFor();
  await press(page, page.getByLabel('Changed by'), 'ControlOrMeta+A');
  await page.keyboard.type('edith');
  await page.getByRole('row').filter({ hasText: 'by another operator' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Dr. kim' }).waitFor();
  const saving = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'Export' }), 'Enter');
  await page.getByRole('menuitem', { name: 'Verified archive (ZIP)' }).waitFor();
  while (!(await isFocused(page, 'Verified archive (ZIP)'))) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect((await saving).suggestedFilename()).toMatch(/\.zip$/);
  await page.getByText('Exported and verified 4 changes. All are as the service wrote them.').first().waitFor();
  expect(clicks()).toBe(0);
});

const isFocused = (page: Page, words: string) =>
  page.evaluate((wanted) => document.activeElement?.textContent?.includes(wanted) === true, words);

test('without a filter by operator, the archive also says that there are no gaps', async () => {
  const page = await it.enter('/history?range=all&app=billing');
  await page.getByRole('link', { name: 'Dr. kim' }).first().waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Verified archive (ZIP)' }).click();
  const archive = join(folder, 'billing.zip');
  await (await saving).saveAs(archive);
  const notice = page.getByText(/^Exported and verified /).first();
  await notice.waitFor();
  // Compared afterwards, so that a failed verification says what it found.
  expect(await notice.textContent()).toMatch(
    /^Exported and verified \d+ changes\. All are as the service wrote them\.$/,
  );
  const files = unzipSync(readFileSync(archive));
  expect(strFromU8(files['verification.txt'] ?? new Uint8Array())).toContain('Checked for gaps');
  expect(await verify(archive)).toMatchObject({ code: 0, stderr: '' });
});

test('a change that was altered in the table is named in the notice and in the archive', async () => {
  const userId = await newUser('altered');
  await block(userId, 'the first reason', 'edith');
  const page = await it.enter(`/history?user=${userId}`);
  await page.getByRole('row').filter({ hasText: 'the first reason' }).waitFor();
  await page.route('**/api/manage/changes?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('the first reason', 'another reason') });
  });
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Verified archive (ZIP)' }).click();
  const files = unzipSync(readFileSync(await (await saving).path()));
  await page
    .getByText(/The verification failed\. BROKEN: access\.changed .* was altered/)
    .first()
    .waitFor();
  await page.screenshot({ path: join(artefacts, 'verification-failed.png'), fullPage: true });
  expect(strFromU8(files['verification.txt'] ?? new Uint8Array())).toContain(
    `- access of ${userId} in billing: 1 of 1`,
  );
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
