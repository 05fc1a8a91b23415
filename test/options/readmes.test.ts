import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocument } from '../support/run-document.ts';
import { root } from '../support/source-files.ts';
import { optionNames } from './remove-option.ts';

test.each(optionNames)(
  'the README of %s says on one screen how it is switched on, what it costs, and what is where',
  async (name) => {
    const path = join('options', name, 'README.md');
    expect(existsSync(join(root, path))).toBe(true);
    const { text } = await readDocument(path);
    expect(text).toContain('**Switched on**');
    expect(text).toContain('**Costs**');
    expect(text).toContain('\n## What is where\n');
    expect(text.split('\n').length).toBeLessThan(60);
  },
);

test('the map leads to who may enter, and why, in three files', async () => {
  const { text } = await readDocument('docs/contribute/architecture.md');
  const [steps = ''] = /\*\*Who may enter, and why\*\*.*?\n\n/s.exec(text) ?? [];
  const files = [...steps.matchAll(/\]\(\.\.\/\.\.\/([\w/-]+\.ts)\)/g)].map(([, file]) => file);
  expect(files).toEqual([
    'functions/get-access.ts',
    'shared/domain/access/read-access.ts',
    'shared/domain/access/decide-access.ts',
  ]);
});

test('the map is one screen, and names every register', async () => {
  const { text } = await readDocument('docs/contribute/architecture.md');
  expect(text.split('\n').length).toBeLessThan(80);
  const registers = globSync('options/*.ts', { cwd: root });
  expect(registers.length).toBeGreaterThan(3);
  expect(registers.filter((register) => !text.includes(register))).toEqual([]);
});
