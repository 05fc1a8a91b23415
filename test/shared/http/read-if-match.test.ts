import { expect, test } from '@jest/globals';
import { readIfMatch } from '#shared/http/read-if-match.ts';

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['"3"', [3]],
  [' "0" , "12" ', [0, 12]],
  ['W/"3"', []],
  ['"abc"', []],
  ['"3", W/"4", "x"', [3]],
])('%p allows %p', (header, versions) => {
  expect(readIfMatch(header)).toEqual(versions);
});

test.each(['', '3', '"3', '"3" "4"', '"3",', `"${'1'.repeat(2000)}"`])('refuses %p', (header) => {
  expect(() => readIfMatch(header)).toThrow('header:if-match');
});
