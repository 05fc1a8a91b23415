import { beforeAll, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { newUser } from '../../support/new-user.ts';
import type { Key } from '../../support/send-request.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { lookAtWidths } from '../support/look-at-widths.ts';

const it = dashboardForTests();
const userIds = Array.from({ length: 30 }, (_, n) => `reader-${n}`);

let key: Key;
beforeAll(async () => {
  await createApplication({ appId: 'news' as AppId, name: 'News', rolloutPercent: 0 }, operator);
  key = await it.service.issueKey('news', ['access:read']);
  await Promise.all(userIds.map((userId) => newUser(userId)));
});

/** How many of the thirty users the service lets in. */
async function admitted(): Promise<number> {
  const answers = await Promise.all(
    userIds.map((userId) => it.service.request(['GET', `/api/service/users/${userId}/access`], { key })),
  );
  return answers.filter(({ body }) => body.effectiveStatus === 'enabled').length;
}

test('an application is opened in three steps, with the users counted before each, in 10 clicks from the list of users', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  await page.locator('#bar').getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: 'News' }).click();
  await page.getByRole('tab', { name: 'Rollout' }).click();
  await page.getByText('News allows 0% of the users').waitFor();
  await page.getByRole('button', { name: 'Count users' }).click();
  await page.getByText(/^0% allows 0 of \d+ active users/).waitFor();
  let before = 0;
  for (const percent of [10, 50, 100]) {
    const input = page.getByLabel('Percentage of users');
    await input.click({ clickCount: 1 });
    await page.keyboard.press('Control+A');
    await page.keyboard.type(String(percent));
    const effect = await page.getByText(new RegExp(`^${percent}% adds \\d+ users?: it allows`)).innerText();
    await page.getByRole('button', { name: 'Save percentage' }).click();
    await page.getByText(`News allows ${percent}% of the users`).waitFor();
    const now = await admitted();
    expect([percent, now > before]).toEqual([percent, true]);
    before = now;
    expect(effect).toMatch(/of \d+ active users without a setting of their own\.$/);
  }
  expect([before, clicks()]).toEqual([30, 10]);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Rollout: 50% → 100%').waitFor();
});

test('the counted users of a rollout are accessible at each width and in both themes', async () => {
  const page = await it.enter('/applications/wiki?tab=rollout');
  await page.getByLabel('Percentage of users').fill('37.5');
  await page.getByRole('button', { name: 'Count users' }).click();
  await page.getByText(/^37\.5% shuts out/).waitFor();
  await page
    .getByText(/^Dot: saved, 100% allows \d+ users\. Dashed line: entered, 37\.5% allows \d+ users\.$/)
    .waitFor();
  for (const label of ['Users allowed', '25%', '75%'])
    await page.getByText(label, { exact: true }).filter({ visible: true }).first().waitFor();
  await lookAtWidths(page, 'rollout-count');
  await page.getByRole('button', { name: 'Users by percentage' }).click();
  await page.getByRole('table', { name: 'Users by percentage' }).waitFor();
  await lookAtWidths(page, 'rollout-count-table');
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
