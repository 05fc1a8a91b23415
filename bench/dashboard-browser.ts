import { type Browser, chromium, type Page } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

/** A headless Chromium: the system's, or that of `CHROMIUM_PATH`. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: flags });
}

/** Logs in: from the dashboard's login page to the development provider's and back. */
export async function logIn(page: Page, operator = 'edith'): Promise<void> {
  await page.getByRole('button', { name: /^Log in/ }).click();
  await page.locator(`button[value=${operator}]`).click();
  await page.locator('#bar').waitFor();
}
