import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks } from '#test/e2e/support/count-clicks.ts';
import { dashboardForTests } from '#test/e2e/support/dashboard-for-tests.ts';
import { lookAtWidths } from '#test/e2e/support/look-at-widths.ts';
import { tabTo } from '#test/e2e/support/tab-to.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';

const it = dashboardForTests();

/** Fills the last row of the mapping. */
async function mapGroup(page: Page, group: string, application: string, role: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: /Group$/ })
    .last()
    .fill(group);
  await dialog
    .getByRole('button', { name: /groups Application / })
    .last()
    .click();
  await page.getByRole('option', { name: application }).click();
  await dialog
    .getByRole('button', { name: /groups Role / })
    .last()
    .click();
  await page.getByRole('option', { name: role }).click();
}

async function chooseApplications(page: Page, ...names: readonly string[]): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Applications/ })
    .click();
  for (const name of names) await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
}

test('creates a directory, says what to enter in Okta and Entra ID, and issues a token that works', async () => {
  const page = await it.enter('/connections');
  await page.getByRole('button', { name: 'Create connection' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Another directory' }).check();
  await dialog.getByText('Choose the attribute that becomes the user ID.').waitFor();
  const create = dialog.getByRole('button', { name: 'Create connection' });
  expect(await create.isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Okta', exact: true }).check();
  await chooseApplications(page, 'wiki', 'billing');
  await dialog.getByRole('button', { name: 'Add role of a group' }).click();
  await mapGroup(page, 'E'.repeat(257), 'wiki', 'editor');
  await lookAtWidths(page, 'directory-create');
  await create.click();
  await dialog
    .getByText(/Must be at most 256|too long/i)
    .first()
    .waitFor();
  await dialog
    .getByRole('textbox', { name: /Group$/ })
    .last()
    .fill('Editors');
  await create.click();
  await dialog.getByText('SCIM connector base URL').waitFor();
  await lookAtWidths(page, 'directory-connected');
  await dialog.getByRole('button', { name: 'Copy token and close' }).click();

  await page.getByRole('heading', { name: 'Okta', level: 1 }).waitFor();
  await page.getByText('SCIM connector base URL').waitFor();
  await page.getByText(`${it.service.url}/scim/v2`, { exact: true }).waitFor();
  await page.getByText('Becomes the user ID.').waitFor();
  await lookAtWidths(page, 'directory-okta');
  await page
    .getByRole('radio', { name: 'Microsoft Entra ID' })
    .or(page.getByRole('button', { name: 'Microsoft Entra ID' }))
    .click();
  await page.getByText(`${it.service.url}/scim/v2?aadOptscim062020`).waitFor();
  await lookAtWidths(page, 'directory-entra');

  await page.getByRole('link', { name: 'Issue a token' }).click();
  await page.getByRole('button', { name: 'Issue token' }).first().click();
  await dialog.getByText('users:write').waitFor();
  await dialog.getByRole('button', { name: 'Issue token' }).click();
  await dialog.getByText('Enter it in the directory.').waitFor();
  const token = /svt_c1_okta_[0-9A-Z]{26}_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
  await dialog.getByRole('button', { name: 'Copy token and close' }).click();
  const list = await sendWithToken(it.service, ['GET', '/scim/v2/Users?startIndex=1&count=2'], { token });
  expect(list).toMatchObject({ status: 200, body: { totalResults: 0 } });

  const filter = encodeURIComponent('displayName co "a"');
  expect(await sendWithToken(it.service, ['GET', `/scim/v2/Users?filter=${filter}`], { token })).toMatchObject({
    status: 400,
  });
  await page.getByRole('tab', { name: 'Requests' }).click();
  const row = page.getByRole('row', { name: /GET \/scim\/v2\/Users.*400 invalidFilter/ });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await row.waitFor();
  await lookAtWidths(page, 'directory-requests');
});

test('a directory is connected, with its token, in 6 clicks, and by keyboard alone', async () => {
  const page = await it.enter('/users');
  const clicks = await countClicks(page);
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: 'Create connection' }).first().click();
  await dialog.getByRole('radio', { name: 'Microsoft Entra ID' }).click();
  await dialog.getByRole('button', { name: 'Create connection' }).click();
  await dialog.getByText('Tenant URL').waitFor();
  const token = /svt_c1_entra_[0-9A-Z]{26}_[\w-]{43}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
  await dialog.getByRole('button', { name: 'Copy token and close' }).click();
  await page.getByRole('heading', { name: 'Entra ID', level: 1 }).waitFor();
  expect(clicks()).toBe(6);
  expect(await sendWithToken(it.service, ['GET', '/scim/v2/Users?count=1'], { token })).toMatchObject({ status: 200 });

  await page.goto(`${it.dashboard.url}/connections`);
  const create = page.getByRole('button', { name: 'Create connection' }).first();
  await create.waitFor();
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('radio', { name: 'Okta', exact: true }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await dialog.getByText('Choose the attribute that becomes the user ID.').waitFor();
  await tabTo(page, dialog.getByRole('radio', { name: 'userName' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await dialog.getByText('This token is shown only once').waitFor();
  await tabTo(page, dialog.getByRole('button', { name: 'Copy token and close' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Directory', level: 1 }).waitFor();
  expect(clicks()).toBe(6);
});

test('changes what the groups of a directory assign, and shows the change in the history', async () => {
  const page = await it.enter('/connections/okta?tab=users');
  await page.getByRole('row', { name: /Editors.*editor/ }).waitFor();
  await page.getByText('The attribute userName').waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('radio', { name: 'userName' }).count()).toBe(0);
  await dialog.getByRole('radio', { name: 'Take over' }).check();
  await dialog.getByRole('button', { name: 'Add role of a group' }).click();
  await mapGroup(page, 'Accountants', 'billing', 'viewer');
  await dialog.getByRole('button', { name: 'Remove editor of Editors' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Accountants.*viewer/ }).waitFor();
  await page.getByRole('row', { name: /Editors/ }).waitFor({ state: 'detached' });
  await page.getByText('Taken over, unless a directory manages them').waitFor();
  await lookAtWidths(page, 'directory-users');
  await page.goto(`${it.dashboard.url}/history`);
  await page.getByText('Roles of groups: Editors: editor of wiki → Accountants: viewer of billing').first().waitFor();
});

test('refuses a mapping to an application that the directory no longer has, at its field', async () => {
  const page = await it.enter('/connections/okta?tab=users');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove billing' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Must name only applications of the connection.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('row', { name: /Accountants.*viewer/ }).waitFor();
});
