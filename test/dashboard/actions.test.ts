import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const dashboard = join(import.meta.dirname, '../../dashboard');
const sources = globSync('**/*.{ts,tsx}', { cwd: dashboard, exclude: ['dist/**'] });
const using = (pattern: RegExp) =>
  sources.filter((name) => pattern.test(readFileSync(join(dashboard, name), 'utf8'))).sort();

test('only what changes nothing in the service can be submitted again while it is pending', () => {
  expect(using(/\buseMutation\(/)).toEqual([
    'api/use-action.ts',
    // The login, the export of a list, the signing of an example and the check of a file.
    'app.tsx',
    'application/export-list.tsx',
    'application/try-panel.tsx',
    'import/use-import.ts',
  ]);
});

test('a time that a form sends is chosen by useSentTime, which repeats it with a repeated request', () => {
  const choosing = using(/expiryTimestamp\([^()]*, Date\.now\(\)\)|new Date\(Date\.now\(\) [-+]/);
  // The first counts the choices of a form that is not sent yet; the second signs an example.
  expect(choosing).toEqual(['application/try-panel.tsx', 'forms/expiry-field.tsx']);
});
