import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fixedSeeds } from './fixed-seeds.ts';

const testFolder = join(import.meta.dirname, '..');

/** A part of the code that is mutated by itself, and the tests that must notice. */
export interface Room {
  /** Files as a whole. */
  readonly mutate: readonly string[];
  /** Functions of files that also read and write. */
  readonly functions?: Readonly<Record<string, readonly string[]>>;
  /** Below `test/`: tests of code that keeps nothing from one test to the next. They come first, and stay loaded. */
  readonly stateless?: readonly string[];
  /** Below `test/`: each change loads the code anew for them. */
  readonly tests: readonly string[];
  /** What to load before the tests, below `test/`. */
  readonly setup?: readonly string[];
  /** Seeds of the simulation, which come between the two. */
  readonly seeds?: readonly number[];
}

/** What reads and writes: seeds of the simulation notice what no example shows. */
const onSeeds = { seeds: fixedSeeds, setup: ['mutation/limit-fuzzing.mjs'] } as const;

/**
 * What `npm run mutate -- <room>` changes and which tests must notice: only tests of the same process, since Stryker
 * does not reach into the bundles that the service tests start.
 */
export const rooms: Readonly<Record<string, Room>> = {
  signature: {
    mutate: ['shared/signature/*.ts'],
    // Examples alone: fuzz tests and other libraries take long, and a line that only chance guards is not guarded.
    stateless: ['shared/signature/!(fuzz-*|tampering|interoperability).test.ts'],
    tests: [],
  },
  keys: {
    mutate: ['shared/keys/*.ts'],
    tests: ['shared/keys/*.test.ts'],
  },
  // What decides and neither reads nor writes, and the record of a key's use, which no answer may wait for.
  domain: {
    mutate: [
      'shared/core/{clock,expiry}.ts',
      'shared/domain/access/{decide-access,decide-access-change,decide-status}.ts',
      'shared/domain/api-key/{authorize-caller,key-states}.ts',
      'shared/domain/request/{optimistic-locking,validate-expiry}.ts',
    ],
    functions: {
      'shared/table/items/access-item.ts': ['accessOrDefault', 'liveGrants', 'isDefaultAccess'],
      'shared/table/items/application-item.ts': ['requireApplication'],
      'shared/table/items/user-item.ts': ['requireUser'],
    },
    stateless: [
      'shared/core/{clock,expiry,time-limit}.test.ts',
      'shared/domain/!(history)/!(read-access|record-key-usage).test.ts',
      'shared/table/items/*.test.ts',
    ],
    tests: ['shared/domain/*/@(read-access|record-key-usage).test.ts'],
    setup: ['mutation/limit-fuzzing.mjs'],
  },
  // The order of reads and writes: seeds of the simulation notice what no example shows.
  writes: {
    ...onSeeds,
    mutate: ['shared/domain/access/change-access.ts'],
    stateless: ['shared/domain/{access,request}/!(read-access).test.ts'],
    tests: [],
  },
  items: {
    ...onSeeds,
    mutate: ['shared/table/items/*.ts'],
    stateless: ['shared/table/items/*.test.ts'],
    tests: [],
  },
};

export function requireRoom(name = ''): Room {
  const room = Object.hasOwn(rooms, name) ? rooms[name] : undefined;
  if (room !== undefined) return room;
  throw new Error(`Name a room to mutate: npm run mutate -- ${Object.keys(rooms).join(' | ')}`);
}

/** The files that patterns of tests find, below `test/`. */
export function testFilesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: testFolder }).sort();
}
