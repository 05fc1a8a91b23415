import type { Locator, Page } from 'playwright-core';

const maxPresses = 80;

/** Moves the focus with the Tab key until it is on the element. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await isFocused(wanted)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${wanted}`);
}

function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element.matches(':focus'));
}
