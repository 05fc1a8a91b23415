/**
 * What `npm run mutate -- <room>` changes and which tests must notice: only tests of the same process, since Stryker
 * does not reach into the bundles that the service tests start.
 */
export const rooms = {
  signature: {
    mutate: ['shared/signature/*.ts'],
    // Examples alone: fuzz tests and other libraries take long, and a line that only chance guards is not guarded.
    tests: ['shared/signature/!(fuzz-*|tampering|interoperability).test.ts'],
  },
  keys: {
    mutate: ['shared/keys/*.ts'],
    tests: ['shared/keys/*.test.ts'],
  },
  // The functions that decide and neither read nor write.
  domain: {
    mutate: ['shared/domain/**/{decide-*,judge-*,later-moment,retry-while-moving,refuse-*}.ts'],
    tests: ['shared/domain/**/*.test.ts'],
    setup: ['mutation/limit-fuzzing.mjs'],
  },
};

export function requireRoom(name = '') {
  const room = Object.hasOwn(rooms, name) ? rooms[name] : undefined;
  if (room !== undefined) return room;
  throw new Error(`Name a room to mutate: npm run mutate -- ${Object.keys(rooms).join(' | ')}`);
}
