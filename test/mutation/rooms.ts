/** A part of the code that is mutated by itself, and the tests that must notice. */
export interface Room {
  /** Files as a whole. */
  readonly mutate: readonly string[];
  /** Below `test/`. */
  readonly tests: readonly string[];
  /** What to load before the tests, below `test/`. */
  readonly setup?: readonly string[];
  /** How many seeds of the simulation come before the tests, from 1 on. */
  readonly seeds?: number;
}

/**
 * What `npm run mutate -- <room>` changes and which tests must notice: only tests of the same process, since Stryker
 * does not reach into the bundles that the service tests start.
 */
export const rooms: Readonly<Record<string, Room>> = {
  signature: {
    mutate: ['shared/signature/*.ts'],
    // Examples alone: fuzz tests and other libraries take long, and a line that only chance guards is not guarded.
    tests: ['shared/signature/!(fuzz-*|tampering|interoperability).test.ts'],
  },
  keys: {
    mutate: ['shared/keys/*.ts'],
    tests: ['shared/keys/*.test.ts'],
  },
  // The order of reads and writes has seeds of the simulation, what decides has examples.
  domain: {
    mutate: ['shared/domain/**/*.ts', 'shared/core/clock.ts'],
    seeds: 100,
    tests: ['shared/core/{clock,time-limit}.test.ts', 'shared/domain/**/*.test.ts'],
    setup: ['mutation/limit-fuzzing.mjs'],
  },
  table: {
    mutate: ['shared/table/**/*.ts'],
    seeds: 100,
    tests: ['shared/{domain,table}/**/*.test.ts'],
    setup: ['mutation/limit-fuzzing.mjs'],
  },
};

export function requireRoom(name = ''): Room {
  const room = Object.hasOwn(rooms, name) ? rooms[name] : undefined;
  if (room !== undefined) return room;
  throw new Error(`Name a room to mutate: npm run mutate -- ${Object.keys(rooms).join(' | ')}`);
}
