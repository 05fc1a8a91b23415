import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const folders = ['dashboard/**/*.{ts,tsx}', 'options/*/dashboard/**/*.{ts,tsx}'];
const sources = globSync(folders, { cwd: root, exclude: ['dashboard/dist/**'] });
const using = (pattern: RegExp) =>
  sources.filter((name) => pattern.test(readFileSync(join(root, name), 'utf8'))).sort();

test('only what changes nothing in the service can be submitted again while it is pending', () => {
  expect(using(/\buseMutation\(/)).toEqual([
    'dashboard/api/use-action.ts',
    // The export of a list, the signing of an example and the check of a file.
    'dashboard/application/export-list.tsx',
    'dashboard/application/try-panel.tsx',
    'options/bulk/dashboard/use-import.ts',
  ]);
});

test('a time that a form sends is chosen by useSentTime, which repeats it with a repeated request', () => {
  const choosing = using(/expiryTimestamp\([^()]*, Date\.now\(\)\)|new Date\(Date\.now\(\) [-+]/);
  // The first counts the choices of a form that is not sent yet; the second signs an example.
  expect(choosing).toEqual(['dashboard/application/try-panel.tsx', 'dashboard/forms/expiry-field.tsx']);
});
