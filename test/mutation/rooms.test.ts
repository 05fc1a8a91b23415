import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { functionLines } from './function-lines.ts';
import { requireRoom, rooms } from './rooms.ts';

const project = join(import.meta.dirname, '../..');
const each = Object.entries(rooms);

test.each(each)(
  'every pattern of the room %s for mutation testing finds a file',
  (_, { mutate, stateless = [], tests, setup = [] }) => {
    const patterns = [
      ...mutate.flatMap(alternatives),
      ...[...stateless, ...tests, ...setup].map((path) => `test/${path}`),
    ];
    expect(patterns.filter((pattern) => globSync(pattern, { cwd: project }).length === 0)).toEqual([]);
  },
);

/** One pattern for each name between the braces, of which all must be found. */
function alternatives(pattern: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
}

const functions = each.flatMap(([, room]) =>
  Object.entries(room.functions ?? {}).flatMap(([file, names]) => names.map((name) => [name, file] as const)),
);

test.each(functions)('the function %s to mutate is found in %s, from its first line to its last', (name, file) => {
  const [, path = '', first, last] = /^(.+):(\d+)-(\d+)$/.exec(functionLines(file, name)) ?? [];
  const lines = readFileSync(join(project, path), 'utf8')
    .split('\n')
    .slice(Number(first) - 1, Number(last));
  expect(lines[0]).toMatch(`export function ${name}(`);
  expect(lines.indexOf('}')).toBe(lines.length - 1);
});

test('a function to mutate that is gone is an error', () => {
  expect(() => functionLines('shared/core/clock.ts', 'gone')).toThrow('shared/core/clock.ts has no function gone');
});

test('a room that does not exist is refused with the names of those that do', () => {
  for (const name of [undefined, 'constructor']) {
    expect(() => requireRoom(name)).toThrow('npm run mutate -- signature | keys | domain | writes | items');
  }
});
