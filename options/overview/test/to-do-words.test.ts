import { expect, test } from '@jest/globals';
import { toDoWords } from '../dashboard/to-do-words.ts';

test('what is to be done has the verb of its number', () => {
  const sayAll = (count: number) => Object.values(toDoWords).map((say) => `${count} ${say(count)}`);
  expect(sayAll(1)).toEqual([
    '1 block ends within 7 days',
    '1 API key expires within 30 days',
    '1 API key was unused for 30 days',
  ]);
  expect([...sayAll(0).slice(0, 2), ...sayAll(2).slice(2)]).toEqual([
    '0 blocks end within 7 days',
    '0 API keys expire within 30 days',
    '2 API keys were unused for 30 days',
  ]);
});
