import { expect, test } from '@jest/globals';
import { sourceFiles, textOf } from '#test/support/source-files.ts';

test('of all options, only what authorizes a connection unwraps what was read for it', () => {
  const unwrapping = sourceFiles('options').filter((file) => /\.unwrap\(\)/.test(textOf(file)));
  // Whoever logs in is not a caller: the trigger's decision is all that the provider gets.
  const others = unwrapping.filter((file) => file !== 'options/login/server/login-decision.ts');
  expect(others).toEqual(['options/connections/server/authorize-connection.ts']);
});
