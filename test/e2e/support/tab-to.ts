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

/** Chooses from a list that opens at a button, by the beginning of what is to be chosen. */
export async function choose(page: Page, opener: Locator, option: string): Promise<void> {
  await press(page, opener, 'Enter');
  await page.getByRole('option', { name: option }).first().waitFor();
  await page.keyboard.type(option);
  await page.keyboard.press('Enter');
}

/** Moves through the tabs of an application to this one. */
export async function openTab(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole('tab', { selected: true }), 'ArrowRight');
  const wanted = page.getByRole('tab', { name, exact: true });
  while (!(await isFocused(wanted))) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name, exact: true, selected: true }).waitFor();
}

/** Types into the search of the bar, and follows the suggestion that begins with these words. */
export async function followSuggestion(page: Page, typed: string, words: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: words }).first().waitFor();
  while (!(await activeSuggestion(page)).startsWith(words)) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** The text of the suggestion to which the field refers as the active one; empty without one. */
async function activeSuggestion(page: Page): Promise<string> {
  const field = page.getByRole('combobox', { name: 'Find a user, application or role' });
  const id = await field.getAttribute('aria-activedescendant');
  return id ? page.locator(`[id="${id}"]`).innerText() : '';
}

function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element.matches(':focus'));
}
