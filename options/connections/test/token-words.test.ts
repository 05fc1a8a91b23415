import { expect, test } from '@jest/globals';
import { tokenWords } from '../dashboard/token-words.ts';

test('tokens that need attention have the verb of their number', () => {
  const sayAll = (count: number) => Object.values(tokenWords).map((say) => `${count} ${say(count)}`);
  expect(sayAll(1)).toEqual(['1 token expires within 30 days', '1 token was not used for 30 days']);
  expect(sayAll(2)).toEqual(['2 tokens expire within 30 days', '2 tokens were not used for 30 days']);
});
