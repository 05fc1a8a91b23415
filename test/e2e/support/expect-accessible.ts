import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Runs axe in the page, bypassing its Content-Security-Policy. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axeSource, 'utf8'));
  // Elements behind a dialog cannot be reached and may be cut off.
  const isCovered = (await page.getByRole('dialog').count()) > 0;
  const violations = await page.evaluate(
    async (within) => {
      const axe = Reflect.get(globalThis, 'axe') as {
        run(within: string, options: object): Promise<{ violations: AxeViolation[] }>;
      };
      // Off by default, as a rule of WCAG 2.2.
      const found = await axe.run(within, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' | ')}`,
      );
    },
    isCovered ? '[role=dialog]' : 'html',
  );
  expect([name, violations]).toEqual([name, []]);
}
