import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { UserId } from '#shared/contract/fields.ts';
import { setUserStatus } from '#shared/domain/user/users.ts';
import { grantRole, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { operator } from '../support/start-service.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';
import { lookAtWidths } from './support/look-at-widths.ts';

const it = dashboardForTests();
beforeAll(async () => {
  await grantRole('ada', 'billing', 'editor');
  await setStatus('ada', 'wiki', 'disabled', 'not for everybody');
  await setUserStatus({ userId: (await newUser('edsger')) as UserId, status: 'inactive', reason: null }, operator);
});

/** The names of all buttons for writes. */
const writes =
  /^(?:Create\b|Edit|Delete|Rename|Issue key|Rotate|Revoke|Remove|Define role|Assign a role|Save|Allow|Block|Activate|Deactivate|Bulk|Undo)/;

const undoGrant = 'Undo: Role assigned, editor, billing, for ada';

/** The names of the buttons for writes, once the operator's roles are known and the page shows this text. */
async function offered(page: Page, path: string, text: string): Promise<string[]> {
  await page.goto(it.dashboard.url + path);
  await page.getByRole('main').getByText(text).first().waitFor();
  await page.waitForLoadState('networkidle');
  const names = await page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''));
  return names.filter((name) => writes.test(name)).sort();
}

/** What a viewer cannot do is said once, above the page. */
async function expectOneBanner(page: Page): Promise<void> {
  await page.getByText('You can see this, but not change it: your role is viewer.').waitFor();
  expect(await page.getByText(/Requires the \w+ role/).count()).toBe(0);
}

describe('a viewer', () => {
  let page: Page;
  beforeAll(async () => {
    page = await it.enter('/users', 'dorothy');
  });

  test.each([
    ['/users', 'grace'],
    ['/users/ada', 'Active'],
    ['/applications', 'billing'],
    ['/applications/billing?tab=keys', 'svk_'],
    ['/applications/billing?tab=roles', 'constructor'],
    ['/applications/billing?tab=rollout', 'of the users who have no setting'],
    ['/applications/billing?tab=review', 'Who has access'],
    ['/applications/billing?tab=history', 'Role assigned'],
    ['/history', 'Role assigned'],
  ])('sees no button for a write at %s', async (path, text) => {
    expect(await offered(page, path, text)).toEqual([]);
    await expectOneBanner(page);
  });

  test.each([
    ['/users', 'grace'],
    ['/applications/billing?tab=users', 'ada'],
  ])('sees no box to select users at %s', async (path, text) => {
    await offered(page, path, text);
    expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
  });

  test('sees the rollout, but no form', async () => {
    await page.goto(`${it.dashboard.url}/applications/billing?tab=rollout`);
    await page.getByText('of the users who have no setting').waitFor();
    expect(await page.getByRole('slider').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  });

  test('sees why a bulk change is not for them', async () => {
    await page.goto(`${it.dashboard.url}/bulk`);
    await page.getByText("You can't use this page").waitFor();
    expect(await page.getByRole('textbox', { name: 'Users' }).count()).toBe(0);
  });

  test('sees the switches, but cannot use them', async () => {
    await page.goto(`${it.dashboard.url}/users/ada`);
    const billing = page.getByTestId('access-billing');
    await billing.waitFor();
    await expectOneBanner(page);
    await lookAtWidths(page, 'viewer-user');
    const toggle = billing.getByRole('checkbox');
    expect(await toggle.isChecked()).toBe(true);
    await toggle.focus();
    await page.keyboard.press('Space');
    await page.waitForLoadState('networkidle');
    expect([await toggle.isChecked(), await page.getByRole('dialog').count()]).toEqual([true, 0]);
  });

  test('sees their role in the menu', async () => {
    await page.locator('#bar').getByRole('button', { name: 'Dorothy Vaughan' }).click();
    await page.locator('#bar').getByText('viewer', { exact: true }).filter({ visible: true }).first().waitFor();
  });
});

describe('an operator who is support of billing', () => {
  let page: Page;
  beforeAll(async () => {
    page = await it.enter('/users', 'mary');
  });

  test('sees only billing in the lists, and a note about the restriction', async () => {
    await page.goto(`${it.dashboard.url}/applications`);
    await page.getByText('Limited to billing').waitFor();
    await page.getByRole('link', { name: 'billing' }).waitFor();
    await page.goto(`${it.dashboard.url}/users/ada`);
    await page.getByTestId('access-billing').waitFor();
    expect(await page.getByText('Limited to billing').count()).toBe(2);
    expect(await page.getByText('wiki').count()).toBe(0);
    await page.goto(`${it.dashboard.url}/history`);
    await page.getByText('Limited to billing').waitFor();
    await page.getByRole('link', { name: 'billing' }).first().waitFor();
    expect(await page.getByText('wiki').count()).toBe(0);
  });

  test('can change only the access and the roles of users there', async () => {
    expect(await offered(page, '/users/ada', 'Active')).toEqual([
      'Assign a role in billing',
      'Remove editor in billing',
      undoGrant,
    ]);
    await page.getByText('Requires the support role for all applications.').waitFor();
    expect(await offered(page, '/applications/billing?tab=keys', 'svk_')).toEqual([]);
    expect(await offered(page, '/users', 'grace')).toEqual(['Bulk change…']);
    expect(await offered(page, '/applications/billing?tab=history', 'Role assigned')).toEqual([undoGrant]);
    expect(await offered(page, '/history', 'Global status changed')).toEqual([undoGrant]);
  });

  test('blocks a user, and the history names the role', async () => {
    await page.goto(`${it.dashboard.url}/users/grace`);
    const billing = page.getByTestId('access-billing');
    await billing.getByRole('checkbox').click();
    await billing.getByText('Blocked', { exact: true }).last().waitFor();
    await page.getByText('mary@example.com (support)').waitFor();
  });

  test('sees why they cannot open another application', async () => {
    await page.goto(`${it.dashboard.url}/applications/wiki`);
    await page.getByText("You don't have permission").waitFor();
    await page.getByText('Requires the viewer role for the application wiki').waitFor();
  });
});

test('an admin sees all actions, and what takes or deletes something stands apart', async () => {
  const page = await it.enter('/users', 'edith');
  expect(await offered(page, '/users', 'grace')).toEqual(['Bulk change…', 'Create user']);
  expect(await offered(page, '/users/alan', 'Global status')).toEqual([
    'Assign a role in billing',
    'Assign a role in wiki',
    'Delete',
    'Edit',
  ]);
  expect(await page.locator('main .apart').allTextContents()).toEqual(['Offboard', 'Delete']);
  expect(await offered(page, '/applications/billing?tab=roles', 'constructor')).toEqual(
    expect.arrayContaining(['Define role', 'Delete', 'Delete editor', 'Edit editor', 'Rename']),
  );
  expect(await offered(page, '/history', 'Global status changed')).toEqual(
    expect.arrayContaining([
      undoGrant,
      'Undo: Access changed, wiki, for ada',
      'Undo: Global status changed, for edsger',
    ]),
  );
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));
