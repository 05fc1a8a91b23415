/** A part of the code that is mutated by itself, and the tests that must notice. */
export interface Room {
  /** Files as a whole. */
  readonly mutate: readonly string[];
  /** Below `test/`. */
  readonly tests: readonly string[];
  /** What to load before the tests, below `test/`. */
  readonly setup?: readonly string[];
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
  // What decides has examples; the order of reads and writes has a few seeds of the simulation.
  domain: {
    mutate: ['shared/domain/**/*.ts', 'shared/core/clock.ts'],
    tests: ['shared/core/{clock,time-limit}.test.ts', 'shared/domain/**/*.test.ts', 'simulation/fixed-seeds.ts'],
    setup: ['simulation/replace-globals.ts', 'mutation/limit-fuzzing.mjs'],
  },
  table: {
    mutate: ['shared/table/**/*.ts'],
    tests: ['shared/table/**/*.test.ts', 'shared/domain/**/*.test.ts', 'simulation/fixed-seeds.ts'],
    setup: ['simulation/replace-globals.ts', 'mutation/limit-fuzzing.mjs'],
  },
};

export function requireRoom(name = ''): Room {
  const room = Object.hasOwn(rooms, name) ? rooms[name] : undefined;
  if (room !== undefined) return room;
  throw new Error(`Name a room to mutate: npm run mutate -- ${Object.keys(rooms).join(' | ')}`);
}
