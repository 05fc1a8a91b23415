import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLineWriter } from '../../local/start-output.ts';

test('lines logged at the same time are written together, in order and without loss', async () => {
  const texts: string[] = [];
  const write = createLineWriter((text) => texts.push(text));
  for (const line of ['one', 'two', 'three']) write(line);
  expect(texts).toEqual([]);
  await wait(100);
  write('four');
  await wait(100);
  expect(texts).toEqual(['one\ntwo\nthree\n', 'four\n']);
});
