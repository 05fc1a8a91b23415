import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { newBulkId } from '#shared/contract/bulk-calls.ts';
import type { AppId, BulkId, UserId } from '#shared/contract/fields.ts';
import { setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';

const it = dashboardForTests();
const artefacts = join(import.meta.dirname, '../../../test/e2e/artefacts');
/** Three requests of this many users. */
const perRequest = 10;
const userIds = Array.from({ length: 21 }, (_, n) => `crowd-${n + 10}` as UserId);

beforeAll(async () => {
  for (const userId of userIds) await newUser(userId);
});

/** Blocks all of them in an application of their own, and opens the page that undoes it, with few users in a request. */
async function openUndo(): Promise<Page> {
  const appId = await newApplication();
  const bulkId = newBulkId(Date.now()) as BulkId;
  const setting = { status: 'disabled', reason: null, until: null } as const;
  for (const userId of userIds) {
    await setAccessInBulk({ userIds: [userId], bulkId, appId: appId as AppId, setting }, operator);
  }
  const page = await it.enter('/users');
  await page.route(undoes, (route) => route.fallback({ url: shortened(route.request().url()) }));
  await page.goto(`${it.dashboard.url}/bulk/${bulkId}/undo?app=${appId}`);
  await page.getByRole('button', { name: 'Undo for 21 users' }).waitFor();
  return page;
}

const shortened = (url: string) => url.replace('limit=100', `limit=${perRequest}`);

const undoes = '**/bulks/*/undo?*';
const isDryRun = (route: Route) => JSON.parse(route.request().postData() ?? '{}').dryRun === true;

/** Handles the requests that undo the second page, or a later one, by its number; dry runs are left alone. */
async function fromPage(page: Page, first: number, handle: (route: Route, number: number) => Promise<void>) {
  const cursors: (string | null)[] = [];
  await page.route(undoes, async (route) => {
    if (isDryRun(route)) return await route.fallback();
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    if (!cursors.includes(cursor)) cursors.push(cursor);
    const number = cursors.indexOf(cursor) + 1;
    await (number < first ? route.fallback() : handle(route, number));
  });
}

const unavailable = { status: 503, contentType: 'application/json', body: '{"message":"Service Unavailable"}' };

test('an undo shows its progress, asks before its page is left, and is stopped after the request in progress', async () => {
  const page = await openUndo();
  const held = Promise.withResolvers<void>();
  await fromPage(page, 2, async (route) => {
    await held.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Undo for 21 users' }).click();
  await page.getByText('10 of 21 changes').waitFor();
  await expectAccessible(page, 'undo in progress');
  await page.screenshot({ path: join(artefacts, 'undo-running.png'), fullPage: true });
  await page.locator('#bar').getByRole('link', { name: 'Keys' }).click();
  const question = page.getByRole('dialog', { name: 'Stop and leave?' });
  await question.waitFor();
  await page.screenshot({ path: join(artefacts, 'undo-leaving.png') });
  await question.getByRole('button', { name: 'Stay' }).click();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.reload({ timeout: 3000 }).catch(() => undefined);
  expect(asked).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Stop' }).click();
  held.resolve();
  await page.getByText('Undone for 20 users.').waitFor();
  await page.getByText('Undone for 20 users of 21 users').waitFor();
  await page.getByRole('button', { name: 'Undo for 1 user' }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.screenshot({ path: join(artefacts, 'undo-stopped-360.png'), fullPage: true });
  await page.getByRole('button', { name: 'Undo for 1 user' }).click();
  await page.getByText('Undone for 21 users.').waitFor();
});

test('an undo whose second request got one 503, and whose answer was lost once, is undone for everybody', async () => {
  const page = await openUndo();
  let failures = 0;
  await fromPage(page, 2, async (route) => {
    failures += 1;
    if (failures === 1) return await route.fulfill(unavailable);
    if (failures === 3) await route.fetch({ url: shortened(route.request().url()) });
    await (failures === 3 ? route.fulfill(unavailable) : route.fallback());
  });
  await page.getByRole('button', { name: 'Undo for 21 users' }).click();
  await page.getByText('Undone for 21 users.').waitFor();
  expect(failures).toBeGreaterThan(3);
});

test('an undo that gets no answer midway says exactly for how many users it is done, and is continued', async () => {
  const page = await openUndo();
  // The second page takes effect; the third never does. Neither is answered.
  let isAnswering = false;
  await fromPage(page, 2, async (route, number) => {
    if (isAnswering) return await route.fallback();
    if (number === 2) await route.fetch({ url: shortened(route.request().url()) });
    await route.fulfill(unavailable);
  });
  await page.getByRole('button', { name: 'Undo for 21 users' }).click();
  await page.getByText('Undone for 20 users. No answer for 1 user.').waitFor();
  await page.getByText('Undone for 20 users of 21 users').waitFor();
  expect(await page.getByText(/^Can't be undone/).count()).toBe(0);
  await page.screenshot({ path: join(artefacts, 'undo-incomplete.png'), fullPage: true });
  isAnswering = true;
  await page.getByRole('button', { name: 'Undo for 1 user' }).click();
  await page.getByText('Undone for 21 users.').waitFor();
  await page.screenshot({ path: join(artefacts, 'undo-done.png'), fullPage: true });
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
