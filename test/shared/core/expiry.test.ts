import { expect, test } from '@jest/globals';
import { hasPassed } from '#shared/core/expiry.ts';

const at = new Date('2026-11-20T19:00:00.000Z');

test.each([
  ['2026-11-20T18:59:59.999Z', true],
  ['2026-11-20T19:00:00.000Z', true],
  ['2026-11-20T19:00:00.001Z', false],
  [null, false],
] as const)('whether %s has passed at 19:00 is %s', (timestamp, expected) => {
  expect(hasPassed(timestamp, at)).toBe(expected);
});
