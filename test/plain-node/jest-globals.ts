import { jestExpect as expect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';
import { importIsolated, resetModules } from './fresh-modules.ts';

/* What `@jest/globals` is for tests that run in plain Node.js, from the packages that Jest itself builds it from. */

export { expect };
export let { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;

/** Replaces the functions that define tests, for all modules that import them from here. */
export function setTestFunctions(functions: typeof circus): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = functions);
}

const config = { fakeTimers: {}, rootDir: import.meta.dirname } as ConstructorParameters<
  typeof ModernFakeTimers
>[0]['config'];
const timers = new ModernFakeTimers({ config, global: globalThis });
const fake = timers.useFakeTimers.bind(timers);
const mocks = new ModuleMocker(globalThis);

export const jest = {
  // Jest would fake the `nextTick` of its copy of `process`; this process is shared with everything else.
  useFakeTimers: ({ doNotFake = [], ...config }: Parameters<typeof fake>[0] = {}) =>
    fake({ ...config, doNotFake: [...doNotFake, 'nextTick'] }),
  useRealTimers: timers.useRealTimers.bind(timers),
  setSystemTime: timers.setSystemTime.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  runAllTimersAsync: timers.runAllTimersAsync.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
  fn: mocks.fn.bind(mocks),
  spyOn: mocks.spyOn.bind(mocks),
  replaceProperty: mocks.replaceProperty.bind(mocks),
  restoreAllMocks: mocks.restoreAllMocks.bind(mocks),
  isolateModulesAsync: importIsolated,
  resetModules,
};

const restoreTimers = timers.useRealTimers.bind(timers);

/** Undoes the mocks and fake timers that a test file has left behind. */
export function restoreGlobals(): void {
  restoreTimers();
  mocks.restoreAllMocks();
}
