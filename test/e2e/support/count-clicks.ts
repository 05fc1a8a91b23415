import type { Page } from 'playwright-core';

/** Counts what somebody clicks or taps from now on, on all pages of the dashboard; keys do not count. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeBinding('reportClick', () => {
    clicks += 1;
  });
  await page.addInitScript(reportClicks);
  await page.evaluate(reportClicks);
  return () => clicks;
}

/** A click that a key or a script causes has no count of presses. */
const reportClicks = `window.addEventListener('click', (click) => {
  if (click.isTrusted && click.detail > 0) window.reportClick();
}, true);`;
