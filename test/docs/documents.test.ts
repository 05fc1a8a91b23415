import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocument } from '../support/run-document.ts';
import { documentPaths, root } from '../support/source-files.ts';

const paths = documentPaths();
const pages = new Map(await Promise.all(paths.map(async (path) => [path, await readDocument(path)] as const)));

test.each([...pages])('every link, anchor and npm script of %s exists', async (_path, page) => {
  expect([await page.brokenLinks(), await page.unknownScripts()]).toEqual([[], []]);
});

test('every picture is shown by a document', () => {
  const texts = [...pages.values()].map(({ text }) => text);
  const pictures = globSync('images/*', { cwd: join(root, 'docs') });
  expect(pictures.length).toBeGreaterThan(4);
  expect(pictures.filter((picture) => !texts.some((text) => text.includes(picture)))).toEqual([]);
});

test('the overview leads to every page but the decisions', () => {
  const overview = pages.get('docs/README.md')?.text ?? '';
  const linked = [...overview.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => join('docs', target));
  const others = paths.filter((path) => /^docs\/\w+\//.test(path) && !path.startsWith('docs/decisions/'));
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter((path) => !linked.includes(path))).toEqual([]);
});
