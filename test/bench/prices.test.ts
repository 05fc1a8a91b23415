import { expect, test } from '@jest/globals';
import { nothing } from '../../bench/count-capacity.ts';
import { computeDollars, dataDollars } from '../../bench/prices.ts';

test('the price of a million operations is their units at the prices of DynamoDB', () => {
  expect(dataDollars({ ...nothing, readUnits: 3 })).toBeCloseTo(0.375);
  expect(dataDollars({ ...nothing, tableWriteUnits: 8, indexWriteUnits: 3 })).toBeCloseTo(6.875);
});

test('the price of a million requests of 10 ms is the gateway, the invocations and ten thousand gigabyte-seconds', () => {
  expect(computeDollars(10)).toBeCloseTo(1.333);
});
