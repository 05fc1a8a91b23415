import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../bench/dashboard-browser.ts';
import { manageClient } from '../support/manage-client.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { type LoginServer, startLoginServer } from './support/login-server.ts';

/* The login server in `examples/login-server`, with two applications that log their users in there. */

let service: TestService;
let server: LoginServer;
let browser: Browser;
const manage = manageClient(() => service);
const operate = async (method: string, path: string, body: object) =>
  expect((await manage('iam', method, path, { body })).status).toBeLessThan(300);

beforeAll(async () => {
  service = await startBundles();
  await operate('PUT', '/users/carol', {});
  const keys = { billing: service.billingKey, wiki: await service.issueKey('wiki', ['access:read']) };
  server = await startLoginServer(service.url, keys);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await service?.stop();
});

const login = (page: Page, clientId: string) => server.login(page, clientId, 'carol');

const denial = { error: 'access_denied', error_description: 'You have no access to this application.' };
const shown = (found: URLSearchParams) => ({
  error: found.get('error'),
  error_description: found.get('error_description'),
});

test('blocked at one application, allowed at the other, inactive nowhere: at the login, with a session, and at a refresh', async () => {
  const first = await browser.newPage();
  const code = (await login(first, 'billing')).get('code') ?? '';
  const { refresh_token } = await server.exchange('billing', code);
  expect(refresh_token).toEqual(expect.any(String));

  await operate('PUT', '/users/carol/access/billing', { status: 'disabled', reason: null, until: null });
  expect(await server.refresh('billing', refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(shown(await login(first, 'billing'))).toEqual(denial);
  expect(shown(await login(await browser.newPage(), 'billing'))).toEqual(denial);
  const elsewhere = await server.exchange('wiki', (await login(first, 'wiki')).get('code') ?? '');
  expect((await server.refresh('wiki', elsewhere.refresh_token)).error).toBeUndefined();

  const left = await server.exchange('wiki', (await login(first, 'wiki')).get('code') ?? '');
  await operate('PUT', '/users/carol/status', { status: 'inactive', reason: null });
  expect(await server.refresh('wiki', left.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(shown(await login(first, 'wiki'))).toEqual(denial);
  expect(shown(await login(await browser.newPage(), 'billing'))).toEqual(denial);
});
