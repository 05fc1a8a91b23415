import { expect, test } from '@jest/globals';
import { findBrowser } from '../../bench/dashboard-browser.ts';

test('without a browser, what needs one says how to install it', () => {
  expect(() => findBrowser('/nowhere/chromium')).toThrow(
    "There is no Chromium at /nowhere/chromium: install Debian's package chromium, or set CHROMIUM_PATH.",
  );
  expect(findBrowser(process.execPath)).toBe(process.execPath);
});
