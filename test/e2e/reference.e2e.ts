import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../bench/dashboard-browser.ts';
import { serveHttpApi } from '../../local/http-api.ts';
import type { HttpServer } from '../../local/http-server.ts';
import { openDocs } from '../../local/static-files.ts';
import { documentedOperations } from '../support/documented.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { expectAccessible } from './support/expect-accessible.ts';

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

test('the reference shows every operation, loads nothing from other origins and logs no error', async () => {
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

test.each(['light', 'dark'] as const)(
  'the reference is accessible in the %s theme, even with an operation open',
  async (colorScheme) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 900 } });
    await page.goto(`${api.url}/docs`);
    await page.locator('#operations-Service_API-set-access button.opblock-summary-control').click();
    await page.getByText('The API key needs the scope').waitFor();
    await page.screenshot({ path: `test/e2e/artefacts/reference-${colorScheme}.png` });
    const background = await page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgba(0, 0, 0, 0)');
    await expectAccessible(page, `reference, ${colorScheme}`);
    await page.goto(`${api.url}/docs/errors`);
    await expectAccessible(page, `errors, ${colorScheme}`);
  },
);

test("a request with an example can be tried: it is signed in the browser and sent to the page's own server", async () => {
  let service: TestService | undefined;
  const docs = openDocs({ exampleKey: () => service?.billingKey });
  service = await startBundles(docs);
  try {
    const page = await browser.newPage();
    await page.goto(`${service.url}/docs`);
    expect(await page.getByLabel('Server', { exact: true }).inputValue()).toBe(service.url);
    const operation = page.locator('#operations-Service_API-set-access');
    await operation.locator('button.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByPlaceholder('userId').fill('ada');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
    await page.screenshot({ path: 'test/e2e/artefacts/reference-tried.png', fullPage: true });
    await page.locator('#operations-Users-list-users button.opblock-summary-control').click();
    await page.locator('#operations-Users-list-users .opblock-body').waitFor();
    expect(await page.locator('#operations-Users-list-users').getByRole('button', { name: 'Try it out' }).count()).toBe(
      0,
    );
    const changes = page.locator('#operations-Service_API-list-changes');
    await changes.locator('button.opblock-summary-control').click();
    await changes.getByRole('button', { name: 'Try it out' }).click();
    await changes.getByRole('button', { name: 'Execute' }).click();
    await changes.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
  } finally {
    await service.stop();
  }
});
