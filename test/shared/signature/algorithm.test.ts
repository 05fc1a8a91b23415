import { expect, test } from '@jest/globals';
import {
  algorithms,
  computeMac,
  createMacKey,
  defaultAlgorithm,
  isAlgorithmName,
} from '#shared/signature/algorithm.ts';

const names = Object.keys(algorithms).filter(isAlgorithmName);

test('supports hmac-sha256 alone, by default too', () => {
  expect(names).toEqual(['hmac-sha256']);
  expect(defaultAlgorithm).toBe('hmac-sha256');
});

test.each(names)('computes with %s as many bytes as the table of algorithms says', (name) => {
  expect(computeMac('base', createMacKey('secret', name), name)).toHaveLength(algorithms[name].macBytes);
});

test.each(['', 'HMAC-SHA256', 'hmac-sha512', 'constructor', '__proto__'])('knows no algorithm %j', (name) => {
  expect(isAlgorithmName(name)).toBe(false);
});
