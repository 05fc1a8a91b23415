import { expect, test } from '@jest/globals';
import { sourceFiles, textOf } from '#test/support/source-files.ts';

test('of all options, only what authorizes a connection unwraps what was read for it', () => {
  const unwrapping = sourceFiles('options').filter((file) => /\.unwrap\(\)/.test(textOf(file)));
  expect(unwrapping).toEqual(['options/connections/server/authorize-connection.ts']);
});
