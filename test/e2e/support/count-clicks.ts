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

/**
 * Counts presses: a list that closes while the button is pressed gets no `click`, and a label gives its field a second one.
 */
const reportClicks = `window.addEventListener('pointerdown', (press) => {
  if (press.isTrusted && press.isPrimary) window.reportClick();
}, true);`;
