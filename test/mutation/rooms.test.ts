import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
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

test('an unknown room is rejected with the names of the rooms', () => {
  for (const name of [undefined, 'constructor']) {
    expect(() => requireRoom(name)).toThrow('Rooms: signature, keys, table, items, queries, request, access');
  }
});
