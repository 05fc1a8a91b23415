import { expect, test } from '@jest/globals';
import { nothing } from '../../bench/count-capacity.ts';
import { dataDollars } from '../../bench/prices.ts';

test('the price of a million operations is their units at the prices of DynamoDB', () => {
  expect(dataDollars({ ...nothing, readUnits: 3 })).toBeCloseTo(0.375);
  expect(dataDollars({ ...nothing, tableWriteUnits: 8, indexWriteUnits: 3 })).toBeCloseTo(6.875);
});
