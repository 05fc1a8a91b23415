import { expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';

test('a ULID begins with its time and sorts by it', () => {
  expect(createUlid(new Date(1469918176385)).slice(0, 10)).toBe('01ARYZ6S41');
  const ulids = [0, 1, 2 ** 40, 2 ** 47].map((time) => createUlid(new Date(time)));
  expect(ulids).toEqual([...ulids].sort());
});

test('a ULID has 26 characters of its alphabet and is unique', () => {
  const ulids = Array.from({ length: 1000 }, () => createUlid(new Date(1_800_000_000_000)));
  for (const ulid of ulids) expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(new Set(ulids).size).toBe(1000);
});
