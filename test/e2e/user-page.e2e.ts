import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { UserId } from '#shared/contract/fields.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { operator } from '../support/start-service.ts';
import { recordWrites } from './support/click-twice.ts';
import { dashboardWithUser } from './support/dashboard-with-user.ts';
import { expectAccessible } from './support/expect-accessible.ts';

const it = dashboardWithUser();

test('an operator logs in, finds a user, blocks an application at once, undoes it, and blocks with a reason and an end', async () => {
  const page = await it.enter();
  await page.getByRole('searchbox').fill(it.userId);
  await page.getByRole('link', { name: it.userId, exact: true }).click();
  const billing = page.getByTestId('access-billing');
  expect(await switchOf(billing).isChecked()).toBe(true);
  await switchOf(billing).click();
  await page.getByText(`Blocked ${it.userId} from billing.`).waitFor();
  expect((await askService(it.userId)).body).toMatchObject({ effectiveStatus: 'disabled', reason: null, until: null });
  await page.screenshot({ path: 'test/e2e/artefacts/user-undo.png' });
  await expectAccessible(page, 'undo');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText(`Undone: Blocked ${it.userId} from billing.`).waitFor();
  // The notice comes when the row shows it too.
  expect(await switchOf(billing).isChecked()).toBe(true);
  expect((await askService(it.userId)).body).toMatchObject({ effectiveStatus: 'enabled', explicit: false });
  await block(page, billing, 'left the team', '1 hour from now');
  await billing.getByText('Reason: left the team').waitFor();
  await billing.getByText(/\((?:1 h 0 min|59 min \d+ s) left\)/).waitFor();
  const blocked = (await askService(it.userId)).body;
  expect(blocked).toMatchObject({ effectiveStatus: 'disabled', reason: 'left the team' });
  expect(Date.parse(blocked.until) - Date.now()).toBeGreaterThan(3_500_000);
  const inWiki = await it.service.request(['GET', `/api/service/users/${it.userId}/access`], {
    key: it.service.wikiKey,
  });
  expect(inWiki.body).toMatchObject({ effectiveStatus: 'enabled', version: 0 });
  const history = page.getByRole('table', { name: 'changes' });
  await history.getByRole('row').nth(1).getByText('Reason: left the team').waitFor();
  expect(await history.getByRole('row').nth(2).textContent()).toMatch(
    /Access changed\s+billing[\s\S]*Allowed → Blocked/,
  );
});

test('the second click of a double click on a switch is ignored, also when the first has been saved before it', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const writes = recordWrites(page);
  const billing = page.getByTestId('access-billing');
  await switchOf(billing).click();
  await page.getByText(`Blocked ${it.userId} from billing.`).waitFor();
  const { x = 0, y = 0 } = (await switchOf(billing).boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  for (const type of ['mousePressed', 'mouseReleased'] as const) {
    await session.send('Input.dispatchMouseEvent', { type, x: x + 4, y: y + 4, button: 'left', clickCount: 2 });
  }
  await page.waitForLoadState('networkidle');
  expect([writes().length, await switchOf(billing).isChecked()]).toEqual([1, false]);
  await switchOf(billing).click();
  await page.getByText(`Allowed ${it.userId} to use billing.`).waitFor();
  expect(writes()).toHaveLength(2);
});

test('assigns a role with an end, and removes it', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const billing = page.getByTestId('access-billing');
  await billing.getByRole('button', { name: 'Assign a role in billing' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Choose a role', { exact: true }).click();
  await page.getByRole('option', { name: 'editor' }).click();
  await dialog.getByLabel('1 week from now').check();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await billing.getByText(/^until /).waitFor();
  expect((await askService(it.userId)).body.roles).toMatchObject([{ name: 'editor', expiresAt: expect.any(String) }]);
  await billing.getByRole('button', { name: 'Remove editor in billing' }).click();
  await dialog.getByRole('button', { name: 'Remove role' }).click();
  await billing.getByText('editor').waitFor({ state: 'detached' });
  expect((await askService(it.userId)).body.roles).toEqual([]);
});

test('the global status blocks every application, and the page says so', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const toggle = page.getByRole('checkbox', { name: `Global status of ${it.userId}` });
  await toggle.click();
  await page.getByRole('dialog').getByLabel('Reason').fill('lost the badge');
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText("This user can't access any application").waitFor();
  await page.getByText('Blocked: user inactive').waitFor();
  expect((await askService(it.userId)).body).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'user' });
  await toggle.click();
  await page.getByRole('dialog').getByLabel('Reason').fill('found it');
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByText('Blocked: user inactive').waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'changes' }).getByText('Reason: found it').waitFor();
});

test('a failed change resets the switch and says why', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const billing = page.getByTestId('access-billing');
  await switchOf(billing).waitFor();
  await deleteUser({ userId: it.userId as UserId }, operator);
  await switchOf(billing).click();
  await billing.getByText('There is no such user').waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/user-refused.png' });
  await expectAccessible(page, 'a switch that was refused');
  expect(await switchOf(billing).isChecked()).toBe(true);
});

test('a change whose response was lost is retried as the same action, and takes effect once', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const billing = page.getByTestId('access-billing');
  const keys: (string | undefined)[] = [];
  await page.route(/\/access\/billing$/, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const response = await route.fetch();
    await (keys.length % 2 === 1 ? route.abort() : route.fulfill({ response }));
  });
  await switchOf(billing).click();
  await billing.getByText("Can't reach the service").waitFor();
  await billing.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`Blocked ${it.userId} from billing.`).waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  await page.getByRole('button', { name: 'Until…' }).click();
  await page.getByRole('menuitem', { name: '1 hour from now' }).click();
  const notice = page.locator('.notices');
  await notice.getByText("Can't reach the service").waitFor();
  await page.screenshot({ path: 'test/e2e/artefacts/user-unreachable.png' });
  await notice.getByRole('button', { name: 'Try again' }).click();
  await billing.getByText(/^Until /).waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
  expect((await askService(it.userId)).body).toMatchObject({ status: 'disabled', version: 2 });
});

test('the global status can be retried after the service was unavailable', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') keys.push(request.headers()['idempotency-key']);
  });
  const body = { code: 'unavailable', title: 'The service is temporarily unavailable', detail: 'Try again.' };
  it.dashboard.refuse = (method) => (method === 'PUT' ? { status: 503, body } : undefined);
  await page.getByLabel(`Global status of ${it.userId}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText(body.title).waitFor();
  it.dashboard.refuse = undefined;
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText("This user can't access any application").waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test('undoes a change from another page', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  await switchOf(page.getByTestId('access-billing')).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Users' }).first().click();
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText(`Undone: Blocked ${it.userId} from billing.`).waitFor();
  expect((await askService(it.userId)).body).toMatchObject({ effectiveStatus: 'enabled', reason: null });
  const undone = page.waitForResponse((response) => response.url().endsWith('/undo'));
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await undone;
  expect((await askService(it.userId)).body).toMatchObject({ effectiveStatus: 'disabled', explicit: true });
});

test('offers Undo only for the latest change in the history, and not after another modification', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  const billing = page.getByTestId('access-billing');
  await block(page, billing, 'one', never);
  await billing.getByText('Reason: one').waitFor();
  await amend(page, billing, 'two', '1 week from now');
  await billing.getByText('Reason: two').waitFor();
  const undo = page
    .getByRole('table', { name: 'changes' })
    .getByRole('button', { name: 'Undo: Access changed, billing' });
  await page.getByRole('table', { name: 'changes' }).getByText('Reason: two').waitFor();
  expect(await undo.count()).toBe(1);
  await undo.click();
  await billing.getByText('Reason: one').waitFor();
  await billing.getByText('No expiry.').waitFor();
  await it.service.request(['PUT', `/api/service/users/${it.userId}/access`], {
    body: { status: 'disabled', reason: 'three' },
  });
  await undo.click();
  await page.getByText('It has been modified since.').waitFor();
  expect((await askService(it.userId)).body).toMatchObject({ reason: 'three' });
});

test('shows who set a status, and filters the history by application', async () => {
  const page = await it.enter(`/users/${it.userId}`);
  await block(page, page.getByTestId('access-billing'), 'one', never);
  await block(page, page.getByTestId('access-wiki'), 'two', never);
  await page
    .getByTestId('access-wiki')
    .getByText(/Set by edith@example.com/)
    .waitFor();
  const history = page.getByRole('table', { name: 'changes' });
  await history.getByText('Reason: two').waitFor();
  await page.getByRole('button', { name: /Application/ }).click();
  await page.getByRole('option', { name: 'billing' }).click();
  await history.getByText('Reason: two').waitFor({ state: 'detached' });
  // The header, the block and its reason.
  await history.getByRole('row').nth(2).waitFor();
  expect(await history.getByRole('row').count()).toBe(3);
});

test('when two operators use the same switch, the second sees the change of the first and can overwrite it', async () => {
  const [first, second] = [await it.enter(`/users/${it.userId}`), await it.enter(`/users/${it.userId}`, 'katherine')];
  const [billing, late] = [first.getByTestId('access-billing'), second.getByTestId('access-billing')];
  await switchOf(late).waitFor();
  await block(first, billing, 'left the team', never);
  await billing.getByText('Reason: left the team').waitFor();
  await switchOf(late).click();
  const dialog = second.getByRole('dialog', { name: 'Changed by someone else' });
  await dialog.getByText('Reason: left the team').waitFor();
  await second.screenshot({ path: 'test/e2e/artefacts/user-conflict.png' });
  const meanwhile = await dialog.getByTestId('meanwhile').allTextContents();
  expect(meanwhile).toHaveLength(2);
  expect(meanwhile.join()).toMatch(/by edith@example.com[\s\S]*left the team[\s\S]*Allowed → Blocked/);
  expect((await askService(it.userId)).body.reason).toBe('left the team');
  await dialog.getByRole('button', { name: 'Block access to billing anyway' }).click();
  await late.getByText('Reason: left the team').waitFor({ state: 'detached' });
  await switchOf(billing).click();
  await first.getByRole('button', { name: 'Keep the current setting' }).click();
  await billing.getByText(/Set by katherine@example.com/).waitFor();
  expect(await switchOf(billing).isChecked()).toBe(false);
});

test('everything works with the keyboard alone, and the focus stays on the control in use', async () => {
  const page = await it.open(`/users/${it.userId}`);
  await tabTo(page, page.getByRole('button', { name: 'Log in' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.locator('button[value=edith]'));
  await page.keyboard.press('Enter');
  const billing = page.getByTestId('access-billing');
  await switchOf(billing).waitFor();
  await tabTo(page, switchOf(billing));
  await page.keyboard.press('Space');
  await billing.getByText('Blocked', { exact: true }).waitFor();
  expect(await isFocused(switchOf(billing))).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await tabTo(page, dialog.getByLabel('Reason'));
  await page.keyboard.type('by keyboard');
  await tabTo(page, dialog.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await billing.getByText('Reason: by keyboard').waitFor();
  const reasonAndEnd = billing.getByRole('button', { name: /^Reason and end/ });
  await reasonAndEnd.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await reasonAndEnd.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await billing.getByText('Allowed', { exact: true }).waitFor();
  expect(await isFocused(switchOf(billing))).toBe(true);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

const switchOf = (card: Locator) => card.getByRole('checkbox');

const never = 'I unblock it';

/** Blocks, and then says why and until when. */
async function block(page: Page, card: Locator, reason: string, end: string): Promise<void> {
  await switchOf(card).click();
  await amend(page, card, reason, end);
}

async function amend(page: Page, card: Locator, reason: string, end: string): Promise<void> {
  await card.getByRole('button', { name: /^Reason and end/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByLabel(end).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
}

function askService(id: string) {
  return it.service.request(['GET', `/api/service/users/${id}/access`]);
}

const isFocused = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'));

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed++) {
    if (await isFocused(wanted)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${wanted}`);
}
