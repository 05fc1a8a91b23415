import { expect, test } from '@jest/globals';
import { readValue } from '../../scim/attribute.ts';
import { declare } from '../../scim/user-schema.ts';

test('an integer is a number without a fraction that is exact', () => {
  const size = declare('size', 'The size.', { type: 'integer' });
  expect([readValue(size, -7), readValue(size, [2 ** 53 - 1])]).toEqual([-7, 2 ** 53 - 1]);
  for (const value of ['7', 7.5, 2 ** 53, null, [1, 2]]) expect(() => readValue(size, value)).toThrow(/size must be /);
  expect(() => readValue(size, 7.5)).toThrow('size must be an integer');
});
