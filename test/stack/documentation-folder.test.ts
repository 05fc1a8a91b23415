import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { docsSite } from '#shared/openapi/docs-site.ts';
import { documentationFolder } from '../../lib/operators/documentation-folder.ts';

test('the folder has the site as it is rendered now, and is made once', () => {
  const folder = documentationFolder();
  const files = [...docsSite()].map(([path, { type, read }]): [string, Buffer] => {
    const name = type.startsWith('text/html') ? `${path}.html` : path;
    return [name.slice(1), read()];
  });
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(stored).toHaveLength(files.length);
  for (const [name, content] of files) expect(readFileSync(join(folder, name))).toEqual(content);
  expect(documentationFolder()).toBe(folder);
});
