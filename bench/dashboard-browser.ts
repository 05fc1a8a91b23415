import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { LocalError } from '../local/local-error.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

/** A headless Chromium. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: findBrowser(), args: flags });
}

/** The path of the system's Chromium, or `CHROMIUM_PATH`; throws if there is none. */
export function findBrowser(path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'): string {
  if (existsSync(path)) return path;
  throw new LocalError(`There is no Chromium at ${path}: install Debian's package chromium, or set CHROMIUM_PATH.`);
}

/** Logs in: from the dashboard's login page to the development provider's and back. */
export async function logIn(page: Page, operator = 'edith'): Promise<void> {
  await page.getByRole('button', { name: /^Log in/ }).click();
  await page.locator(`button[value=${operator}]`).click();
  await page.locator('#bar').waitFor();
}
