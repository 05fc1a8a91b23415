import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { clickTwiceSlowly } from '#test/e2e/support/click-twice.ts';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { grantRole, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';

const artefacts = join(import.meta.dirname, '../../../test/e2e/artefacts');
const crowd = Array.from({ length: 500 }, (_, n) => `crowd-${String(n).padStart(3, '0')}`);
const ten = crowd.slice(0, 10);
const addressOf = (userId: string) => `${userId}@example.net`;

const it = dashboardForTests();
beforeAll(async () => {
  for (let from = 0; from < crowd.length; from += 10) {
    const batch = crowd.slice(from, from + 10);
    await Promise.all(
      batch.map((userId) =>
        createUser({ userId: userId as UserId, displayName: null, email: addressOf(userId) }, operator),
      ),
    );
  }
  await defineRole({ appId: 'wiki' as AppId, role: 'admin' as RoleName, description: null }, operator);
  await grantRole('crowd-499', 'wiki', 'admin');
});

const asFile = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

describe('a task of the help desk, from the list of users:', () => {
  test('allows the 500 users of a file in six clicks, and undoes it in one more', async () => {
    await setStatus('crowd-000', 'wiki', 'disabled', 'before');
    const page = await it.enter('/users');
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Bulk change…' }).click();
    const content = `\uFEFFName;E-Mail\r\n${crowd.map((userId) => `Somebody;${addressOf(userId)}`).join('\r\n')}\r\nNobody;nobody@example.net\r\n`;
    await page.locator('input[type=file]').setInputFiles(asFile('people.csv', content));
    await page.getByText('500 users found, 1 not recognized: nobody@example.net').waitFor();
    await page.getByRole('button', { name: /^Application/ }).click();
    await page.getByRole('option', { name: 'wiki' }).click();
    await page.getByRole('button', { name: 'Allow 500 users' }).click();
    await page.getByText('Changed 500 users.').waitFor({ timeout: 150_000 });
    // Choosing the file takes two: the button, and the file in the operating system's dialog.
    expect(clicks() + 2).toBe(6);
    await page.screenshot({ path: join(artefacts, 'bulk-result.png'), fullPage: true });

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download failures' }).click();
    const failed = readFileSync(await (await download).path(), 'utf8');
    expect(failed).toMatch(
      /^\uFEFFuserId,displayName,email,code,detail\r\nnobody@example\.net,,,user_not_found,.+\r\n$/,
    );

    await setStatus('crowd-001', 'wiki', 'disabled', 'changed since');
    await page.getByRole('button', { name: 'Undo for 500 users' }).click();
    await page.getByText('Undone for 499 users.').waitFor({ timeout: 150_000 });
    // With the button that downloads the failures.
    expect(clicks() + 2).toBe(8);
    await page
      .getByRole('radio', { name: /^Can't be undone/ })
      .or(page.getByRole('button', { name: /^Can't be undone/ }))
      .first()
      .click();
    await page.getByText('Modified since.').waitFor();
  });

  test('assigns a role to ten pasted users in six clicks', async () => {
    const page = await it.enter('/users');
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Applications' }).click();
    await page.getByRole('link', { name: 'wiki' }).click();
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'View members of admin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add users…' }).click();
    await page.getByRole('textbox', { name: 'Users' }).waitFor();
    await page.keyboard.insertText(ten.map(addressOf).join('\n'));
    await page.getByRole('button', { name: 'Assign role to 10 users' }).click();
    await page.getByText('Changed 10 users.').waitFor();
    expect(clicks()).toBe(6);
  });
});

test('the admins of an application are three clicks away from the list of users', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await page.getByRole('combobox', { name: 'Find a user, application or role' }).click();
  await page.keyboard.type('Wiki');
  await page.getByRole('option', { name: 'Roles of wiki' }).click();
  await page.getByRole('button', { name: 'View members of admin' }).click();
  await page.getByRole('dialog').getByText(addressOf('crowd-499')).waitFor();
  expect(clicks()).toBe(3);
  await page.screenshot({ path: join(artefacts, 'role-members.png') });
});

test('deactivates users selected on two pages after a preview', async () => {
  const page = await it.enter('/users?q=crowd-2');
  await page.getByRole('checkbox', { name: 'Select crowd-200' }).check();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('checkbox', { name: 'Select crowd-225' }).check();
  await page.getByRole('button', { name: 'Change 2 users…' }).click();
  await page.getByRole('radio', { name: 'Deactivate' }).check();
  await page.getByRole('button', { name: 'Deactivate 2 users' }).waitFor();
  await page.getByText('Preview of 2 users: nothing has changed yet.').waitFor();
  await page.screenshot({ path: join(artefacts, 'bulk-preview.png'), fullPage: true });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.screenshot({ path: join(artefacts, 'bulk-preview-360.png'), fullPage: true });
  await page.getByRole('button', { name: 'Deactivate 2 users' }).click();
  await page.getByText('Changed 2 users.').waitFor();
  await page.goBack();
  await page.getByRole('checkbox', { name: 'Select crowd-225' }).waitFor();
});

test('changes each of several people on a line, and nobody if a line is something else', async () => {
  const page = await it.enter('/bulk?action=deactivate');
  const users = page.getByRole('textbox', { name: 'Users' });
  const people = `crowd-301; Crowd, Two <${addressOf('crowd-302')}>\ncrowd-303`;
  await users.fill(people);
  await page.getByText('Line 1 is not a list of user IDs or e-mail addresses').waitFor();
  expect(await page.getByText('No users added').count()).toBe(1);
  await users.fill(people.replace('Crowd, Two', '"Crowd, Two"'));
  await page.getByText('3 users found').waitFor();
  await page.screenshot({ path: join(artefacts, 'several-on-a-line.png'), fullPage: true });
  await users.fill('crowd-301;crowd-302,crowd-303');
  await page.getByText('3 users found').waitFor();
  await page.getByRole('button', { name: 'Deactivate 3 users' }).click();
  await page.getByText('Changed 3 users.').waitFor();
});

test('a bulk change without an answer is continued as the same bulk, and its preview and button are in view', async () => {
  const page = await it.enter('/bulk?action=disable&app=wiki', 'edith', { viewport: { width: 1440, height: 900 } });
  const ids = new Set<string>();
  let isAnswering = false;
  await page.route('**/api/manage/applications/wiki/access', async (route) => {
    const { bulkId, dryRun } = JSON.parse(route.request().postData() ?? '{}');
    if (dryRun !== true) ids.add(bulkId);
    await (dryRun === true || isAnswering ? route.fallback() : route.fulfill(unavailable));
  });
  await page.getByRole('textbox', { name: 'Users' }).fill('crowd-310\ncrowd-311\nnobody\n');
  await page.getByText("nothing has changed yet. Will change: 2 · Can't be changed: 1").waitFor();
  const button = await page.getByRole('button', { name: 'Block 2 users' }).boundingBox();
  expect(button?.y).toBeLessThan(860);
  const first = await page.getByRole('table', { name: 'Preview' }).getByRole('row').nth(1).boundingBox();
  expect(first?.y).toBeLessThan(800);
  await lookAtWidths(page, 'bulk-preview');
  await page.getByRole('button', { name: 'Block 2 users' }).click();
  await page.getByText('Changed 0 users. No answer for 2 users.').waitFor();
  isAnswering = true;
  await page.getByRole('button', { name: 'Continue for 2 users' }).click();
  await page.getByText('Changed 2 users.').waitFor();
  expect(ids.size).toBe(1);
  await page.goto(`${it.dashboard.url}/bulk/${[...ids][0]}?app=wiki`);
  await page.getByText('crowd-311').waitFor();
});

const unavailable = { status: 503, contentType: 'application/json', body: '{"message":"Service Unavailable"}' };

test('a viewer is not offered a bulk change', async () => {
  const page = await it.enter('/users', 'dorothy');
  await page.getByRole('link', { name: 'ada' }).waitFor();
  expect(await page.getByRole('button', { name: 'Bulk change…' }).count()).toBe(0);
});

test('the names typed for a bulk change are not lost by leaving', async () => {
  const page = await it.enter('/users');
  await page.getByRole('button', { name: 'Bulk change…' }).click();
  await page.getByRole('textbox', { name: 'Users' }).fill('ada\ngrace');
  await page.goBack();
  const asking = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await asking.getByRole('button', { name: 'Keep editing' }).click();
  expect(await page.getByRole('textbox', { name: 'Users' }).inputValue()).toBe('ada\ngrace');
  await page.goBack();
  await asking.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: /^Users/, level: 1 }).waitFor();
});

test('two clicks run a bulk change once', async () => {
  const userId = await newUser();
  const page = await it.enter('/bulk?action=disable&app=wiki');
  await page.getByRole('textbox', { name: 'Users' }).fill(`${userId}\n`);
  const button = page.getByRole('button', { name: 'Block 1 user' });
  const sent = await clickTwiceSlowly(page, button, { outcome: () => page.getByText('Changed 1 user.').waitFor() });
  expect(sent.filter((call) => !call.includes('resolve'))).toHaveLength(1);
});
