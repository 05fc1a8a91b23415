import { expect, test } from '@jest/globals';
import { newProcess, World } from './virtual-time.ts';

test("the virtual clock shows whole milliseconds, as the product's does", async () => {
  const world = new World(1);
  const times: number[] = [];
  for (const delay of [0.4, 0.5, 1.7, 1999.9]) world.schedule(delay, () => times.push(world.time));
  const startedAt = world.time;
  await world.run();
  expect(times.map((time) => time - startedAt)).toEqual([0, 1, 2, 2000]);
});

test('the clock of a process differs from the true time by whole milliseconds', () => {
  expect([-2499.7, 0.6].map((skew) => newProcess('one', skew).skewMilliseconds)).toEqual([-2500, 1]);
});
