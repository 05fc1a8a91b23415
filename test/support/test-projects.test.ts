import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sortTests, testFiles } from './test-projects.ts';

const projects = sortTests();

test('a test file waits for a synthesized stack only if its imports need one', () => {
  expect(projects.pure).toContain('test/lock-file.test.ts');
  expect(projects.pure).toContain('test/local/match-route.test.ts');
  // Through test/support/start-service.ts, directly, and through test/stack/synthesized-stack.ts.
  expect(projects.service).toContain('test/functions/set-access.test.ts');
  expect(projects.service).toContain('test/local/read-event-source.test.ts');
  expect(projects.service).toContain('test/docs/runbook.test.ts');
  expect(projects.stack).toContain('test/stack/table.test.ts');
});

test('every test file is in one project', () => {
  const files = globSync(testFiles, { cwd: join(import.meta.dirname, '../..') });
  expect(Object.values(projects).flat().sort()).toEqual(files.sort());
});
