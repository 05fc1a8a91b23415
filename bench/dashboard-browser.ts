import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { LocalError } from '../local/local-error.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

/** A headless Chromium. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: findBrowser(), args: flags });
}

/** The first one takes two thirds of the second one's CPU for the same tests. */
const debians = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The path of Debian's Chromium, or `CHROMIUM_PATH`; throws if there is none. */
export function findBrowser(paths: readonly string[] = [process.env.CHROMIUM_PATH ?? debians].flat()): string {
  const found = paths.find((path) => existsSync(path));
  if (found !== undefined) return found;
  const [path] = paths;
  throw new LocalError(
    `There is no Chromium at ${path}: install Debian's package chromium-headless-shell, or set CHROMIUM_PATH.`,
  );
}

/** Logs in: from the dashboard's login page to the development provider's and back. */
export async function logIn(page: Page, operator = 'edith'): Promise<void> {
  await page.getByRole('button', { name: /^Log in/ }).click();
  await page.locator(`button[value=${operator}]`).click();
  await page.locator('#bar').waitFor();
}
