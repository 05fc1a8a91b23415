import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { serveHttpApi } from '../../local/http-api.ts';
import type { HttpServer } from '../../local/http-server.ts';
import { openDocs } from '../../local/static-files.ts';
import { documentedOperations } from '../support/documented.ts';
import { launchBrowser } from './support/start-dashboard.ts';

let api: HttpServer;
let browser: Browser;
beforeAll(async () => {
  const invoke = async () => ({ kind: 'failed' }) as const;
  api = await serveHttpApi({ routes: [], invoke, port: 0, docs: openDocs() });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

test('the reference shows every operation, loads nothing from elsewhere and complains of nothing', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => /^https?:/.test(request.url()) && requested.add(new URL(request.url()).origin));
  const requested = new Set<string>();
  await page.goto(`${api.url}/docs`);
  await page
    .locator('.opblock')
    .nth(documentedOperations.length - 1)
    .waitFor();
  expect(await page.locator('.opblock').count()).toBe(documentedOperations.length);
  await page.locator('#operations-Service_API-set-access button.opblock-summary-control').click();
  await page.getByText('The API key needs the scope').waitFor();
  expect(await page.getByRole('button', { name: /try it|authorize/i }).count()).toBe(0);
  expect([[...requested], complaints]).toEqual([[api.url], []]);
});

test('the type of a problem leads to its section', async () => {
  const page = await browser.newPage();
  await page.goto(`${api.url}/docs/errors#clock_skew`);
  expect(await page.locator('h2:target').textContent()).toBe('clock_skew');
});
