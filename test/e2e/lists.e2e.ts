import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newUser } from '../support/new-user.ts';
import { dashboardForTests } from './support/dashboard-for-tests.ts';

const it = dashboardForTests();
beforeAll(async () => {
  for (let n = 10; n < 70; n++) await newUser(`many-${n}`);
  await it.service.request(['PUT', '/api/service/users/many-20/access'], { body: { status: 'disabled' } });
  await it.service.request(['PUT', '/api/service/users/many-21/access'], { body: { status: 'enabled' } });
});

test('the page of a list survives Back and a reload, and Back goes through the pages', async () => {
  const page = await it.enter('/users?q=many-');
  await shows(page, 'many-34');
  await page.getByRole('button', { name: 'Next page' }).click();
  await shows(page, 'many-35');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'many-60' }).click();
  await page.getByRole('heading', { name: 'many-60' }).waitFor();
  await page.goBack();
  await shows(page, 'many-60');
  expect(await currentPage(page)).toBe('3');
  await page.reload();
  await shows(page, 'many-60');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await shows(page, 'many-35');
  await page.goBack();
  await shows(page, 'many-60');
  await page.goBack();
  await shows(page, 'many-35');
  await page.getByRole('button', { name: 'Page 1', exact: true }).click();
  await shows(page, 'many-34');
});

test('the URL of a page reopens it after the first page; an invalid cursor leads to the first page', async () => {
  const first = await it.enter('/users?q=many-');
  await first.getByRole('button', { name: 'Next page' }).click();
  await shows(first, 'many-35');
  const path = first.url().slice(it.dashboard.url.length);
  const page = await it.enter(path);
  await shows(page, 'many-35');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await shows(page, 'many-34');
  await page.goto(`${it.dashboard.url}/users?q=many-&cursor=edited`);
  await page.getByText('This page of the list does not exist').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await shows(page, 'many-34');
  expect(new URL(page.url()).search).toBe('?q=many-');
});

test('a new search starts at the first page', async () => {
  const page = await it.enter('/users?q=many-');
  await page.getByRole('button', { name: 'Next page' }).click();
  await shows(page, 'many-35');
  await page.getByRole('searchbox').fill('many-1');
  await shows(page, 'many-10');
  expect(new URL(page.url()).search).toBe('?q=many-1');
});

test('the filter of a tab survives Back and a reload', async () => {
  const page = await it.enter('/applications/billing?tab=users');
  await shows(page, 'many-21');
  await page.getByRole('button', { name: /Users to show/ }).click();
  await page.getByRole('option', { name: 'Blocked', exact: true }).click();
  await page.getByRole('link', { name: 'many-21' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'many-20' }).click();
  await page.getByRole('heading', { name: 'many-20' }).waitFor();
  await page.goBack();
  await shows(page, 'many-20');
  await page.reload();
  await shows(page, 'many-20');
  expect(await page.getByRole('link', { name: 'many-21' }).count()).toBe(0);
});

test('an unknown tab leads to the first one', async () => {
  const page = await it.enter('/applications/billing?tab=secrets');
  await page.getByRole('tab', { name: 'API keys', selected: true }).waitFor();
  await page.waitForURL(/\?tab=keys$/);
});

test('no page violated its Content-Security-Policy or logged an error', () => expect(it.complaints).toEqual([]));

async function shows(page: Page, user: string): Promise<void> {
  await page.getByRole('link', { name: user, exact: true }).waitFor();
}

async function currentPage(page: Page): Promise<string | null> {
  return await page.locator('button[aria-current="true"]').textContent();
}
