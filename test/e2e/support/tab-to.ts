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

/** Waits for the element, moves the focus to it with the Tab key, and presses a key there. */
export async function press(page: Page, wanted: Locator, key: string): Promise<void> {
  await wanted.first().waitFor();
  await tabTo(page, wanted.first());
  await page.keyboard.press(key);
}

function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element.matches(':focus'));
}
