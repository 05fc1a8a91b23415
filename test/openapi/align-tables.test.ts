import { expect, test } from '@jest/globals';
import { alignTables } from '#shared/openapi/align-tables.ts';
import { documentPaths, textOf } from '../support/source-files.ts';

test('aligns the columns of a table, to the right if marked so, and changes nothing else', () => {
  const text = 'Text | with a bar\n\n| a | long name |\n|---|--:|\n| `x\\|y` | 1 |\n| é | 1,000 |\n\n| no table |\n';
  expect(alignTables(text)).toBe(
    [
      'Text | with a bar',
      '',
      '| a      | long name |',
      '| ------ | --------: |',
      '| `x\\|y` |         1 |',
      '| é      |     1,000 |',
      '',
      '| no table |',
      '',
    ].join('\n'),
  );
});

test.each(documentPaths())('the tables of %s are aligned', (page) => {
  const text = textOf(page);
  expect(alignTables(text)).toBe(text);
});
