import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { needing } from '#test/support/needing.ts';
import type { ToolName } from '#test/support/tools.ts';
import { type Browser, openRecipeBrowser, type Page } from './recipe-browser.ts';
import { type RecipeProgram, startProgram } from './recipe-program.ts';
import { type RecipeClient, type RecipeStack, startRecipeStack } from './recipe-stack.ts';

/** An example application, and how it differs from the others. */
export interface Recipe {
  readonly tools: readonly ToolName[];
  readonly clientType?: 'confidential';
  /** What it is called in addresses on this machine. Default: `127.0.0.1`. */
  readonly hostname?: 'localhost';
  /** Default: `/callback`. */
  readonly callbackPath?: string;
  /** Prepares the program and returns its command. */
  prepare(): Promise<readonly string[]> | readonly string[];
  /** Variables in addition to ISSUER, CLIENT_ID, CLIENT_SECRET and PORT. */
  readonly env?: (client: RecipeClient, home: string) => Readonly<Record<string, string>>;
  /** Begins a login; the answer redirects to it. Default: the form of the page. */
  readonly begin?: (browser: Browser, home: string) => Promise<Page>;
  /** Logs out; the answer redirects to the login. Default: the form of the page. */
  readonly end?: (browser: Browser, home: string) => Promise<Page>;
  /** Whether it reads in the discovery document that answers name the issuer (RFC 9207), which Cognito's does not say. */
  readonly needsIssuer?: boolean;
  /** What a blocked user sees at the next refresh. Default: a page with 403. */
  readonly expectBlocked?: (page: Page, home: string) => void;
  /** What a user sees whom Cognito refuses at the address of the callback. Default: a page with 403. */
  readonly expectRefused?: (page: Page) => void;
  /** What a user sees while the login does not answer. Default: a page with 502. */
  readonly expectUnavailable?: (page: Page, home: string) => void;
}

/** A running recipe, for tests of its own. */
export interface RunningRecipe {
  readonly home: string;
  readonly client: RecipeClient;
  readonly stack: RecipeStack;
  /** Creates a user who has logged in. */
  enter(): Promise<{ readonly userId: string; readonly browser: Browser }>;
}

/** More than the ten seconds in which a rotated refresh token can be used again. */
const pastGraceMs = 11_000;

/** What each recipe promises, in front of a stack of its own; `more` defines tests of one recipe. */
export function describeRecipe(name: string, recipe: Recipe, more?: (running: RunningRecipe) => void): void {
  needing(...recipe.tools).describe(`the recipe for ${name}`, () => {
    const { begin = postTo('/login'), end = postTo('/logout') } = recipe;
    const { expectBlocked = expectNoAccess, expectRefused = expectNoAccess } = recipe;
    const { expectUnavailable = (page) => expect(page.status).toBe(502) } = recipe;
    let stack: RecipeStack;
    let client: RecipeClient;
    let program: RecipeProgram;
    let home: string;
    let users = 0;
    const running = { enter } as RunningRecipe;
    beforeAll(async () => {
      stack = await startRecipeStack();
      const port = await freePort();
      home = `http://${recipe.hostname ?? '127.0.0.1'}:${port}`;
      const { callbackPath = '/callback', clientType = 'public' } = recipe;
      client = await stack.addApplication('wiki', { home, callbackPath, clientType });
      const { issuer: ISSUER, clientId: CLIENT_ID, clientSecret } = client;
      const env = { ISSUER, CLIENT_ID, PORT: String(port), ...(clientSecret && { CLIENT_SECRET: clientSecret }) };
      program = await startProgram(await recipe.prepare(), { home, env: { ...env, ...recipe.env?.(client, home) } });
      Object.assign(running, { stack, client, home });
    });
    afterAll(async () => {
      await program?.stop();
      await stack?.stop();
    });
    afterEach(() => void jest.restoreAllMocks());

    async function enter() {
      const userId = `user-${++users}`;
      await stack.invite(userId);
      const browser = openRecipeBrowser();
      expect((await logIn(browser, userId)).href).toBe(`${home}/`);
      return { userId, browser };
    }

    /** Goes through the pages of the login; returns where the application sends the browser in the end. */
    async function logIn(browser: Browser, userId: string): Promise<URL> {
      const page = await askToEnter(browser);
      const resumed = await browser(page, { person: userId });
      const callback = (await browser(resumed.location())).location();
      expect(callback.href).toMatch(`${home}/`);
      return (await browser(callback)).location();
    }

    /** Returns where the login sends a browser that asks for a code. */
    async function askToEnter(browser: Browser): Promise<URL> {
      return (await browser((await begin(browser, home)).location())).location();
    }

    /** Follows redirects within the application. */
    async function inApplication(browser: Browser, page: Page): Promise<Page> {
      const isWithin = page.status >= 300 && page.status < 400 && page.location().origin === home;
      return isWithin ? await inApplication(browser, await browser(page.location())) : page;
    }

    const look = (browser: Browser) => browser(`${home}/`);

    test('shows the id and the roles of a user who logs in', async () => {
      const { browser, userId } = await enter();
      const page = await look(browser);
      expect(page.status).toBe(200);
      expect(page.html).toContain(`<dd>${userId}</dd>`);
      expect(page.html).toContain('<dd>none</dd>');
      expect((await look(openRecipeBrowser())).html).not.toContain(userId);
    });

    test('refreshes with each new refresh token, and then shows changed roles', async () => {
      const { browser, userId } = await enter();
      const expectRoles = async (roles: string) => {
        const isIt = ({ status, html }: Page) => status !== 200 || html.includes(`<dd>${roles}</dd>`);
        expect((await eventually(() => look(browser), isIt)).status).toBe(200);
      };
      await stack.assignEditor(userId, client.appId);
      await expectRoles('editor');
      const now = Date.now;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + pastGraceMs);
      await stack.revokeEditor(userId, client.appId);
      await expectRoles('none');
    });

    test('refuses a blocked user at the next refresh and at the next login, and nobody else', async () => {
      const [blocked, other] = [await enter(), await enter()];
      await stack.setStatus(blocked.userId, client.appId, 'disabled');
      const refused = await eventually(
        () => look(blocked.browser),
        ({ status }) => status !== 200,
      );
      expectBlocked(refused, home);
      expect(refused.html).not.toContain(blocked.userId);
      expect((await look(other.browser)).html).toContain(`<dd>${other.userId}</dd>`);
      const again = openRecipeBrowser();
      const page = await again(await askToEnter(again), { person: blocked.userId });
      const resumed = await again((await again(page.location())).location());
      expect(resumed.status).toBe(403);
      expect(resumed.html).toContain(`${blocked.userId} has no access to <strong>wiki</strong>.`);
      await stack.setStatus(blocked.userId, client.appId, 'enabled');
      const unblocked = openRecipeBrowser();
      await logIn(unblocked, blocked.userId);
      expect((await look(unblocked)).html).toContain(`<dd>${blocked.userId}</dd>`);
    });

    test('ends the session of the application and of the login when the user logs out', async () => {
      const { browser, userId } = await enter();
      const copy = openRecipeBrowser(browser.cookies);
      const page = (await inApplication(browser, await end(browser, home))).location();
      expect(page.origin).toBe(client.issuer);
      await eventually(
        () => look(copy),
        ({ html }) => !html.includes(userId),
      );
      expect((await confirmLogout(browser, page)).href).toBe(`${home}/`);
      expect((await look(browser)).html).not.toContain(userId);
      expect((await askToEnter(browser)).pathname).toMatch(/^\/interaction\//);
    });

    test('shows a page when Cognito refuses a login at the address of the callback', async () => {
      const { browser, userId } = await enter();
      const stranger = openRecipeBrowser();
      const { searchParams } = (await begin(stranger, home)).location();
      const refusal = new URL(searchParams.get('redirect_uri') ?? '');
      refusal.search = String(
        new URLSearchParams({
          error: 'invalid_request',
          error_description: 'PreTokenGeneration failed with error You have no access to this application.',
          state: searchParams.get('state') ?? '',
          ...(recipe.needsIssuer && { iss: client.issuer }),
        }),
      );
      expectRefused(await inApplication(stranger, await stranger(refusal)));
      // Whoever lures a user to this address does not end the session.
      await browser(refusal);
      expect((await look(browser)).html).toContain(`<dd>${userId}</dd>`);
    });

    more?.(running);

    test('says that the login does not answer during an outage, and shows the user nothing', async () => {
      const { browser, userId } = await enter();
      await stack.stop();
      const page = await eventually(
        () => look(browser),
        ({ status }) => status !== 200,
      );
      expectUnavailable(page, home);
      expect(page.html).not.toContain(userId);
    });

    test('logs no token and no secret', async () => {
      expect(program.output()).not.toMatch(/eyJ[\w-]{20}/);
      expect(program.output()).not.toContain(client.clientSecret ?? 'eyJ');
    });
  });
}

function expectNoAccess({ status, html }: Page): void {
  expect(status).toBe(403);
  expect(html).toContain('You no longer have access.');
}

function postTo(path: string) {
  return (browser: Browser, home: string) => browser(`${home}${path}`, {});
}

/** Sends the form of the logout page, as its script does; returns where the browser ends. */
async function confirmLogout(browser: Browser, url: URL): Promise<URL> {
  const { html } = await browser(url);
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
  return (await browser(action, { xsrf, logout: 'yes' })).location();
}
