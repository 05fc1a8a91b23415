import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, logIn } from '../../../bench/dashboard-browser.ts';
import { startBundles, type TestService } from '../../support/start-service.ts';
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts';

/** The service, the dashboard in front of it, and a browser. */
export interface DashboardTest {
  readonly service: TestService;
  readonly dashboard: ServedDashboard;
  /** What the pages complained about: script errors and violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
  /** A new page of somebody who is not logged in. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same, logged in. */
  enter(path?: string, operator?: string, options?: BrowserContextOptions): Promise<Page>;
  stop(): Promise<void>;
}

export async function startDashboard(): Promise<DashboardTest> {
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
  return { service, dashboard, complaints, open, enter, stop };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  // Above what a busy machine needs.
  context.setDefaultTimeout(20_000);
  return await context.newPage();
}
