import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { setUserStatus } from '#shared/domain/user/users.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { expectAccessible } from '#test/e2e/support/expect-accessible.ts';
import { eventually } from '#test/support/eventually.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';

const it = dashboardForTests();
const wiki = 'wiki' as AppId;
let [endless, timed, inactive] = ['', '', ''];
beforeAll(async () => {
  [endless, timed, inactive] = [await newUser(), await newUser(), await newUser()];
  const block = (userId: string, until: string | null) =>
    setAccess(
      { userId: userId as UserId, appId: wiki, setting: { status: 'disabled', reason: null, until } },
      operator,
    );
  await block(endless, null);
  await block(timed, new Date(Date.now() + 86_400_000).toISOString());
  await setUserStatus({ userId: inactive as UserId, status: 'inactive', reason: null }, operator);
});

/** The numbers are counted once the stream has been read. */
async function open(page: Page): Promise<Page> {
  for (;;) {
    await page.goto(`${it.dashboard.url}/`);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const found = page.getByRole('link', { name: '2 wiki', exact: true });
    if (
      await found.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      )
    )
      return page;
  }
}

test('the first page after a login has numbers, each of which leads to its list', async () => {
  const page = await open(await it.enter('/'));
  const follow = async (link: string | RegExp, shown: string | RegExp) => {
    await page.getByRole('link', { name: link }).click();
    await page.locator('#main').getByText(shown).first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  };
  await follow('1 inactive', inactive);
  await follow(/^\d+ active$/, endless);
  await follow('1 block ends within 7 days', timed);
  await follow('2 wiki', endless);
  // What there is nothing to do about has no number.
  await follow(/^No API keys expire within 30 days$/, 'API keys');
  await follow(/^No API keys were unused/, 'API keys');
  await page.getByRole('link', { name: 'No access reviews are overdue' }).click();
  await page.getByRole('heading', { name: /^Applications/, level: 1 }).waitFor();
  await page.goBack();
  await page.getByText(/changes in 30 days \(UTC\): 2 blocks, 0 unblocks\./).waitFor();
  // The axes of the chart.
  for (const label of ['Changes of a day', new Date().toISOString().slice(0, 10)])
    await page.getByText(label, { exact: true }).first().waitFor();
  // Tab reaches the last day, an arrow key the one before it; each says its numbers and leads to its changes.
  const bars = page.getByRole('group', { name: /^Changes of each day/ }).getByRole('link');
  await bars.last().hover();
  await page.getByText(/: \d+ changes, 2 blocks, 0 unblocks$/).waitFor();
  await bars.last().focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByText(/: 0 changes, 0 blocks, 0 unblocks$/).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.locator('#main').getByText('User created').first().waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Changes by day' }).click();
  await follow(new RegExp(`^${new Date().toISOString().slice(0, 10)}$`), 'User created');
  await page.getByText(/^local · \d+\.\d+\.\d+$/).waitFor();
  // The bar has copies of its links for other widths.
  const marked = await page.locator('#bar a[aria-current=page]').allTextContents();
  expect([...new Set(marked)]).toEqual(['Overview']);
});

test.each(['light', 'dark'] as const)(
  'the overview and the blocks that end have no barriers at any width, %s',
  async (colorScheme) => {
    const page = await open(await it.enter('/', 'edith', { colorScheme }));
    for (const [path, name, heading] of [
      ['/overview', 'overview', 'Overview'],
      ['/block-ends', 'block-ends', 'Blocks that end'],
    ] as const) {
      await page.goto(`${it.dashboard.url}${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of [360, 720, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        if (name === 'overview') {
          const expected = width === 1440 ? 1 : 2;
          const shown = await eventually(
            () => besideHeights(page),
            ({ length }) => length === expected,
          );
          expect(shown).toHaveLength(expected);
        }
        await expectAccessible(page, `${name} at ${width} px, ${colorScheme}`);
        await page.screenshot({ path: `test/e2e/artefacts/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
    }
  },
);

/** The different heights of the boxes that are beside each other. */
async function besideHeights(page: Page): Promise<number[]> {
  const boxes = await page.locator('.beside > *').all();
  const heights = await Promise.all(boxes.map((box) => box.boundingBox()));
  return [...new Set(heights.map((box) => Math.round(box?.height ?? 0)))];
}

test('the parts of an ARN that fit into a line stay whole in the history', async () => {
  const id = 'arn:aws:sts::123456789012:assumed-role/AdministratorAccess/grace.hopper@example.com';
  const grace = { ...operator, caller: { ...operator.caller, id } };
  await setUserStatus({ userId: timed as UserId, status: 'inactive', reason: null }, grace);
  const page = await it.enter('/history');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 720, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByText('AdministratorAccess/').last().waitFor();
      await page.screenshot({ path: `test/e2e/artefacts/history-arn-${width}-${colorScheme}.png` });
      expect([width, await brokenParts(page)]).toEqual([width, []]);
    }
  }
});

/** The parts of ids that stand on several lines, though one is wide enough. */
async function brokenParts(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll('.part')].flatMap((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const rects = [...range.getClientRects()];
    const width = rects.reduce((sum, rect) => sum + rect.width, 0);
    let block = part.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    const { paddingLeft, paddingRight } = getComputedStyle(block);
    const room = block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return rects.length > 1 && width <= room ? [part.textContent] : [];
  })`);
}

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
