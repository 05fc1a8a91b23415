import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { launchBrowser } from '../../../bench/dashboard-browser.ts';
import { type RecipeProgram, startProgram } from './recipes/recipe-program.ts';
import { type RecipeStack, startRecipeStack } from './recipes/recipe-stack.ts';

/* Two applications that log their users in by the login of the local run, in a browser. */

const file = join(import.meta.dirname, '../../../examples/login-express/login-express.ts');
let stack: RecipeStack;
let browser: Browser;
const programs: RecipeProgram[] = [];
const homes: Record<string, string> = {};

beforeAll(async () => {
  [stack, browser] = await Promise.all([startRecipeStack(), launchBrowser()]);
  for (const appId of ['shop', 'stock']) {
    const port = await freePort();
    const home = `http://127.0.0.1:${port}`;
    const application = { home, callbackPath: '/callback', clientType: 'public' } as const;
    const { issuer, clientId } = await stack.addApplication(appId, application);
    const env = { ISSUER: issuer, CLIENT_ID: clientId, PORT: String(port) };
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', file];
    programs.push(await startProgram(command, { home, env }));
    homes[appId] = home;
  }
});
afterAll(async () => {
  await browser?.close();
  await Promise.all(programs.map((program) => program.stop()));
  await stack?.stop();
});

/** Opens the application and chooses the person at the login, unless there is a session. */
async function logIn(page: Page, appId: string, person: string): Promise<void> {
  await page.goto(homes[appId] ?? '');
  await page.getByRole('button', { name: 'Log in' }).click();
  const choice = page.getByRole('button', { name: person, exact: true });
  const shown = page.getByText('User ID').or(page.getByText('no access')).or(choice).first();
  await shown.waitFor();
  if (await choice.isVisible()) await choice.click();
  await page.getByText('User ID').or(page.getByText('no access')).first().waitFor();
}

const isIn = async (page: Page) => (await page.getByText('User ID').count()) > 0;
const isRefused = async (page: Page) => (await page.getByText('no access').count()) > 0;

/** Reloads the application until it has refreshed the tokens and the answer is the expected one. */
const statusAfterReload = (page: Page, appId: string, expected: number) =>
  eventually(
    async () => (await page.goto(homes[appId] ?? ''))?.status(),
    (status) => status === expected,
  );

test('a user who is blocked at one application goes on at the other; inactive, the user is out of both; active, in again', async () => {
  await stack.invite('ada');
  const page = await (await browser.newContext()).newPage();
  await logIn(page, 'shop', 'ada');
  expect(await isIn(page)).toBe(true);
  await logIn(page, 'stock', 'ada');
  expect(await isIn(page)).toBe(true);

  await stack.setStatus('ada', 'shop', 'disabled');
  expect(await statusAfterReload(page, 'shop', 403)).toBe(403);
  await logIn(page, 'shop', 'ada');
  expect(await isRefused(page)).toBe(true);
  expect(await statusAfterReload(page, 'stock', 200)).toBe(200);

  await stack.ask('PUT', '/users/ada/status', { status: 'inactive' });
  expect(await statusAfterReload(page, 'stock', 403)).toBe(403);
  await stack.setStatus('ada', 'shop', 'enabled');
  for (const appId of ['shop', 'stock']) {
    const other = await (await browser.newContext()).newPage();
    await logIn(other, appId, 'ada');
    expect(await isIn(other)).toBe(false);
  }

  await stack.ask('PUT', '/users/ada/status', { status: 'active' });
  const read = () => stack.ask('GET', '/users/ada/account') as Promise<{ state: string }>;
  await eventually(read, ({ state }) => state !== 'disabled');
  const again = await (await browser.newContext()).newPage();
  for (const appId of ['shop', 'stock']) {
    await eventually(
      async () => {
        await logIn(again, appId, 'ada');
        return isIn(again);
      },
      (entered) => entered,
    );
  }
});

test('a leaver of a directory is out as soon as the directory says so', async () => {
  await stack.ask('POST', '/connections', {
    connectionId: 'okta',
    kind: 'scim',
    name: 'Okta',
    userIdAttribute: 'userName',
    applications: ['shop'],
  });
  const { token } = (await stack.ask('POST', '/connections/okta/keys', {})) as { token: string };
  const directory = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
    const answer = await fetch(`${stack.url}/scim/v2${path}`, { method, headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as { id: string };
  };
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const emails = [{ value: 'grace@example.com', primary: true }];
  const { id } = await directory('POST', '/Users', { schemas, userName: 'grace', displayName: 'grace', emails });
  await stack.ask('POST', `/users/${id}/invitation`);
  const account = () => stack.ask('GET', `/users/${id}/account`) as Promise<{ state: string }>;
  await eventually(account, ({ state }) => state === 'invited');
  const page = await (await browser.newContext()).newPage();
  await logIn(page, 'shop', 'grace');
  expect(await isIn(page)).toBe(true);

  const leaves = { op: 'replace', path: 'active', value: false };
  const patch = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [leaves] };
  await directory('PATCH', `/Users/${id}`, patch);
  expect(await statusAfterReload(page, 'shop', 403)).toBe(403);
});
