import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, logIn } from '../../../bench/dashboard-browser.ts';
import { startBundles, type TestService } from '../../support/start-service.ts';
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts';

/** The service, the dashboard in front of it, and a browser. */
export interface DashboardTest {
  readonly service: TestService;
  readonly dashboard: ServedDashboard;
  /** Errors in the console: failed scripts and violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
  /** A new page without a session. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** A new page with a session. */
  enter(path?: string, operator?: string, options?: BrowserContextOptions): Promise<Page>;
}

/**
 * One dashboard for all tests of the file, to be used inside tests and hooks. After each test its pages are closed, so that
 * they stop polling, and its simulated failures end.
 */
export function dashboardForTests(): DashboardTest {
  const present = {} as StartedDashboard;
  let openBefore: ReadonlySet<BrowserContext>;
  beforeAll(async () => {
    Object.assign(present, await startDashboard());
  });
  beforeEach(() => {
    openBefore = new Set(present.browser.contexts());
  });
  afterEach(async () => {
    present.dashboard.refuse = undefined;
    const opened = present.browser.contexts().filter((context) => !openBefore.has(context));
    await Promise.all(opened.map((context) => context.close()));
  });
  afterAll(() => present.stop());
  return present;
}

interface StartedDashboard extends DashboardTest {
  readonly browser: Browser;
  stop(): Promise<void>;
}

async function startDashboard(): Promise<StartedDashboard> {
  const [service, browser] = await Promise.all([startBundles(), launchBrowser()]);
  const dashboard = await serveDashboard({ api: service.url, issuer: service.login.issuer });
  const complaints: string[] = [];
  const open = async (path = '/', options: BrowserContextOptions = {}) => {
    const page = await newPage(browser, options);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    await page.goto(dashboard.url + path);
    return page;
  };
  const enter = async (path = '/users', operator = 'edith', options: BrowserContextOptions = {}) => {
    const page = await open(path, options);
    await logIn(page, operator);
    return page;
  };
  const stop = async () => {
    await browser.close();
    await dashboard.close();
    await service.stop();
  };
  return { service, dashboard, browser, complaints, open, enter, stop };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  // Only ends what hangs, on a machine of whatever speed.
  context.setDefaultTimeout(120_000);
  await context.addInitScript(silenceAnnouncers);
  return await context.newPage();
}

/**
 * Cloudscape repeats a notice for screen readers in a hidden element, a second after it was shown: a test that looks for the text
 * later would find it twice.
 */
const silenceAnnouncers = `new MutationObserver(() => {
  for (const announcer of document.querySelectorAll('body > [class*=announcer]')) {
    if (announcer.textContent !== '') announcer.textContent = '';
  }
}).observe(document, { childList: true, subtree: true });`;
