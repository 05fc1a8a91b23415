import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { brokenWords } from './broken-words.ts';
import { expectAccessible } from './expect-accessible.ts';

const height = 900;
const wholeHeight = 3000;
const artefacts = join(import.meta.dirname, '../artefacts');

/** Checks that what the page shows fits and is accessible at each width in both themes; leaves a picture of each. */
export async function lookAtWidths(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of [360, 720, 1440]) {
    await page.setViewportSize({ width, height });
    // The bar measures itself after the page has its new width.
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect([name, width, await eventually(overflow, (pixels) => pixels <= 0)]).toEqual([name, width, 0]);
    expect([name, width, await brokenWords(page)]).toEqual([name, width, []]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(artefacts, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      // What is scrolled out of a dialog counts as invisible, such as the labels of its fields.
      await page.setViewportSize({ width, height: wholeHeight });
      await expectAccessible(page, `${name}, ${width}, ${colorScheme}`);
      await page.setViewportSize({ width, height });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}
