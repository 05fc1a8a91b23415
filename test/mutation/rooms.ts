import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fixedSeeds } from './fixed-seeds.ts';

const testFolder = join(import.meta.dirname, '..');
const optionsFolder = join(testFolder, '../options');

/** What of an option decides, reads or writes; the rest is in other tests, as it is for the core. */
const mutatedFolders = ['', 'functions/', 'server/', 'delivery/', 'scim/', 'table/'];
/** Whose tests are of stateless code; those of functions run a service. */
const statelessFolders = ['server/', 'delivery/', 'scim/', 'table/'];

/** A part of the code that is mutated separately, and the tests that must notice. */
export interface Room {
  readonly mutate: readonly string[];
  /** Below `test/`: tests of stateless code. They run first, and stay loaded. */
  readonly stateless?: readonly string[];
  /** Below `test/`: tests for which each change reloads the code. */
  readonly tests: readonly string[];
  /** What to load before the tests, below `test/`. */
  readonly setup?: readonly string[];
  /** Seeds of the simulation, which run between the two. */
  readonly seeds?: readonly number[];
}

/** Code that reads and writes: seeds of the simulation notice what no example shows. */
const onSeeds = { seeds: fixedSeeds, setup: ['mutation/limit-fuzzing.mjs'] } as const;

/**
 * What `npm run mutate [-- <room>]` changes and which tests must notice: only tests of the same process, since Stryker
 * does not reach into the bundles that the service tests start.
 */
export const rooms: Readonly<Record<string, Room>> = {
  signature: {
    mutate: ['shared/signature/*.ts'],
    // Only examples: fuzz tests and other libraries take long, and a line that only a random test covers is not
    // protected.
    stateless: ['shared/signature/!(fuzz-*|tampering|interoperability).test.ts'],
    tests: [],
  },
  keys: {
    mutate: ['shared/keys/*.ts'],
    tests: ['shared/keys/*.test.ts'],
  },
  table: {
    mutate: ['shared/table/*.ts', 'shared/table/keys/*.ts'],
    stateless: ['shared/table/{expression,item-schema,keys,query-items}.test.ts'],
    tests: ['shared/table/{client,repeated-requests,table-format}.test.ts'],
  },
  items: {
    ...onSeeds,
    mutate: ['shared/table/items/*.ts'],
    stateless: ['shared/table/items/*.test.ts'],
    tests: [],
  },
  queries: {
    ...onSeeds,
    mutate: ['shared/table/queries/*.ts'],
    stateless: ['shared/table/queries/*.test.ts'],
    tests: ['manage/{cursors,user-lists,all-keys}.test.ts', 'functions/{get-snapshot,list-changes}.test.ts'],
  },
  // Time, and the parts of every write and list.
  request: {
    ...onSeeds,
    mutate: ['shared/core/{clock,expiry}.ts', 'shared/domain/request/*.ts'],
    stateless: [
      'shared/core/{clock,expiry,time-limit}.test.ts',
      'shared/domain/{access,request}/!(read-access|record-key-usage).test.ts',
    ],
    tests: [
      'shared/domain/request/record-key-usage.test.ts',
      'manage/bulk-changes.test.ts',
      'guarantees/{one-effect,faults}.test.ts',
    ],
  },
  access: {
    ...onSeeds,
    mutate: ['shared/domain/access/*.ts'],
    stateless: ['shared/domain/access/!(read-access).test.ts'],
    tests: [
      'shared/domain/access/read-access.test.ts',
      'functions/{get,check,set}-access.test.ts',
      'functions/get-snapshot.test.ts',
      'manage/{user-access,user-lists}.test.ts',
    ],
  },
  role: {
    ...onSeeds,
    mutate: ['shared/domain/role/*.ts'],
    stateless: ['shared/domain/role/*.test.ts', 'shared/domain/access/!(read-access).test.ts'],
    tests: ['functions/{assign,revoke}-role.test.ts', 'manage/{roles,bulk-changes}.test.ts'],
  },
  user: {
    ...onSeeds,
    mutate: ['shared/domain/user/*.ts'],
    stateless: ['shared/domain/user/*.test.ts'],
    tests: [],
  },
  application: {
    ...onSeeds,
    mutate: ['shared/domain/application/*.ts'],
    stateless: ['shared/domain/application/*.test.ts'],
    tests: ['manage/{applications,deletions}.test.ts', 'guarantees/rollout.test.ts'],
  },
  'api-key': {
    ...onSeeds,
    mutate: ['shared/domain/api-key/*.ts'],
    stateless: ['shared/domain/api-key/*.test.ts'],
    tests: [],
  },
  history: {
    ...onSeeds,
    mutate: ['shared/domain/history/*.ts'],
    stateless: ['shared/domain/history/*.test.ts'],
    tests: [],
  },
  ...Object.fromEntries(
    [...new Set(globSync('*/{functions,server}', { cwd: optionsFolder }).map(dirname))]
      .filter((name) => globSync(`${name}/*.ts`, { cwd: optionsFolder }).length > 0)
      .map((name) => [name, roomOfOption(name)]),
  ),
};

/** An option with code for Lambda: its tests call it in their process, and so does the simulation if the option takes part. */
function roomOfOption(name: string): Room {
  const filesIn = (pattern: string) => globSync(`${name}/${pattern}`, { cwd: optionsFolder }).toSorted();
  const testsIn = (folder: string) => filesIn(`test/${folder}!(*-page).test.ts`).map((file) => `../options/${file}`);
  return {
    ...(filesIn('test/simulation/*-code.ts').length > 0 && onSeeds),
    mutate: mutatedFolders
      .filter((folder) => filesIn(`${folder}*.ts`).length > 0)
      .map((folder) => `options/${name}/${folder}*.ts`),
    stateless: statelessFolders.flatMap(testsIn),
    tests: testsIn(''),
  };
}

/** What the tests of the rooms load, besides packages: Stryker copies only these folders. */
export const copiedFolders = [
  'shared',
  'smoke',
  'options',
  'cli',
  'test',
  'functions',
  'local',
  'lib',
  'docs',
  'client',
  'bench',
  'sdk/reference',
] as const;

export function requireRoom(name = ''): Room {
  const room = Object.hasOwn(rooms, name) ? rooms[name] : undefined;
  if (room !== undefined) return room;
  throw new Error(`There is no room ${name}. Rooms: ${Object.keys(rooms).join(', ')}. Without a name: all.`);
}

/** Returns the files that test patterns match, below `test/`. */
export function testFilesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: testFolder }).sort();
}
