import type { Page } from 'playwright-core';

/** Counts clicks and taps from now on, on all pages of the dashboard; keys do not count. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeBinding('reportClick', () => {
    clicks += 1;
  });
  await page.addInitScript(reportClicks);
  await page.evaluate(reportClicks);
  return () => clicks;
}

/** Clicks caused by a key or a script have a `detail` of 0. */
const reportClicks = `window.addEventListener('click', (click) => {
  if (click.isTrusted && click.detail > 0) window.reportClick();
}, true);`;
