import { beforeAll, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { setUserStatus, updateUser } from '#shared/domain/user/users.ts';
import { newUser } from '../../support/new-user.ts';
import { operator } from '../../support/start-service.ts';
import { countClicks } from '../support/count-clicks.ts';
import { dashboardForTests } from '../support/dashboard-for-tests.ts';
import { expectAccessible } from '../support/expect-accessible.ts';

const it = dashboardForTests();
const shot = (name: string) => ({ path: `test/e2e/artefacts/${name}.png`, fullPage: true });
const ludwig = {
  kind: 'operator',
  via: 'token',
  role: 'support',
  id: 'sub-ludwig',
  email: 'ludwig@example.com',
} as const;

const by = { ...operator, ticket: 'FIN-12', caller: ludwig };
const appOf = (userId: string) => (userId === 'employee-later' ? 'later' : 'billing');

beforeAll(async () => {
  const userId = (await newUser('employee-4711')) as UserId;
  await updateUser({ userId, displayName: 'Thomas Weatherby', email: 't.weatherby@example.org' }, operator);
  const setting = { status: 'disabled', reason: 'chargeback, see finance', until: null } as const;
  await setAccess({ userId, appId: 'billing' as AppId, setting }, by);
  const left = (await newUser('employee-left')) as UserId;
  await setUserStatus({ userId: left, status: 'inactive', reason: 'left the company' }, by);
  await newUser('employee-later');
  await createApplication({ appId: 'later' as AppId, name: 'later', rolloutPercent: 0 }, operator);
});

test.each([
  ['the inside of a name', 'eatherb'],
  ['the beginnings of two words of a name', 'weath tho'],
  ['the beginning of an e-mail address', 't.weath'],
  ['the beginning of a user ID', 'employee-47'],
])('a user is found by %s in 2 clicks on any page', async (_, typed) => {
  const page = await it.enter('/keys');
  const clicks = await countClicks(page);
  await page.getByRole('combobox', { name: 'Find a user, application or role' }).click();
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: /Thomas Weatherby/ }).click();
  await page.getByRole('heading', { name: 'Thomas Weatherby', level: 1 }).waitFor();
  expect(clicks()).toBe(2);
});

test.each([
  ['employee-4711', 'Blocked', ['Reason: chargeback, see finance', /ludwig@example\.com .*Ticket: FIN-12/]],
  ['employee-left', 'Blocked: user inactive', [/Set by ludwig@example\.com.*Reason: left the company/]],
  ['employee-later', 'Not set', ['Rollout at 0%: only users with a setting are allowed.']],
] as const)(
  'why %s cannot use an application is on the page of the user, 2 clicks away',
  async (userId, badge, reasons) => {
    const page = await it.enter('/users');
    const clicks = await countClicks(page);
    await page.getByRole('combobox', { name: 'Find a user, application or role' }).click();
    await page.keyboard.type(userId);
    const found = page.getByRole('option', { name: /\b(?:Ina|A)ctive\b/ });
    // What the beginning of the ID has found goes, and the rest moves up.
    await found.nth(1).waitFor({ state: 'detached' });
    await found.filter({ hasText: userId }).click();
    const card = userId === 'employee-left' ? page.locator('main') : page.getByTestId(`access-${appOf(userId)}`);
    await card.getByText(badge, { exact: true }).first().waitFor();
    for (const reason of reasons) await card.getByText(reason).first().waitFor();
    expect(clicks()).toBe(2);
    await page.screenshot(shot(`task-why-${userId}`));
    await expectAccessible(page, `why ${userId} is blocked`);
  },
);

test('from the page of a user who is blocked, the changes in this application are 2 clicks away, with who made them and why', async () => {
  const page = await it.enter('/users/employee-4711');
  const clicks = await countClicks(page);
  const changes = page.getByRole('table', { name: 'changes' });
  await changes.getByText('User updated').waitFor();
  await page.getByRole('button', { name: /All applications/ }).click();
  await page.getByRole('option', { name: 'billing' }).click();
  await changes.getByText('User updated').waitFor({ state: 'detached' });
  await changes.getByText('Loading changes…').waitFor({ state: 'detached' });
  const [, newest] = await changes.getByRole('row').allInnerTexts();
  expect(newest).toMatch(
    /Allowed → Blocked[\s\S]*ludwig@example\.com.*Reason: chargeback, see finance\. Ticket: FIN-12/,
  );
  expect(clicks()).toBe(2);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
