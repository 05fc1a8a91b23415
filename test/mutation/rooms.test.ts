import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { copiedFolders, requireRoom, rooms, testFilesOf } from './rooms.ts';

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

/** Expands the braces to one pattern for each name, all of which must be found. */
function alternatives(pattern: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
}

test('every file that decides, reads or writes is in one room', () => {
  const files = globSync('shared/{domain,table}/**/*.ts', { cwd: project }).sort();
  const inRooms = each.flatMap(([, { mutate }]) => mutate.flatMap((pattern) => globSync(pattern, { cwd: project })));
  expect(inRooms.filter((file) => files.includes(file)).sort()).toEqual(files);
});

test.each(each)('whatever the tests and seeds of the room %s import is copied for mutation testing', (_, room) => {
  const tests = testFilesOf([...(room.stateless ?? []), ...room.tests]).map((file) => `test/${file}`);
  const files = new Set([...tests, ...(room.seeds === undefined ? [] : ['test/simulation/run-seed.ts'])]);
  for (const file of files) for (const imported of importsOf(file)) files.add(imported);
  const missing = [...files].filter((file) => !copiedFolders.some((folder) => file.startsWith(`${folder}/`)));
  expect(missing.filter((file) => !file.endsWith('.json'))).toEqual([]);
});

/** The files of the project that a file imports, from the project's folder. */
function importsOf(file: string): string[] {
  if (!file.endsWith('.ts')) return [];
  const source = readFileSync(join(project, file), 'utf8');
  const names = [...source.matchAll(/(?:from |import |import\()'([.#][^']+)'/g)].map(([, name = '']) => name);
  return names.map((name) => (name.startsWith('#') ? name.slice(1) : join(dirname(file), name)));
}

test('an unknown room is rejected with the names of the rooms', () => {
  for (const name of [undefined, 'constructor']) {
    expect(() => requireRoom(name)).toThrow('Rooms: signature, keys, table, items, queries, request, access');
  }
});
