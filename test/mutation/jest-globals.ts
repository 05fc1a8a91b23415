import { jestExpect as expect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { importIsolated, resetModules } from './fresh-modules.ts';

/* What `@jest/globals` is for tests that run in plain Node.js, from the packages that Jest itself makes it of. */

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { expect };

const config = { fakeTimers: {}, rootDir: import.meta.dirname } as ConstructorParameters<
  typeof ModernFakeTimers
>[0]['config'];
const timers = new ModernFakeTimers({ config, global: globalThis });
const fake = timers.useFakeTimers.bind(timers);
const mocks = new ModuleMocker(globalThis);

export const jest = {
  // What Jest would fake is its copy of `process`; this one is everybody's.
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

/** Takes away what a file of tests has left behind. */
export function restoreGlobals(): void {
  restoreTimers();
  mocks.restoreAllMocks();
}
