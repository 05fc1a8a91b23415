import { createRequire } from 'node:module';
import circus from 'jest-circus/runner';
import '../support/environment.mjs';
import { killProcesses, listProcesses } from '../support/list-processes.ts';
import { setEnvironment } from './environment.ts';
import { importCopy } from './fresh-modules.ts';
import { restoreGlobals, setTestFunctions } from './jest-globals.ts';

const require = createRequire(import.meta.url);
/** The environment of every test file, whatever the one before has changed. */
const environment = { ...process.env };

/**
 * Jest's `testRunner`: jest-circus, except that the test file and its imports are loaded by Node.js itself. Each file has
 * its own copies of the project's modules; packages are loaded once per worker.
 */
export default async function runTestFile(globalConfig, config, jestEnvironment, _runtime, path, report) {
  const { console } = globalThis;
  const { prepareStackTrace } = Error;
  setEnvironment(environment);
  process.once('disconnect', endWithChildren);
  globalThis.console = jestEnvironment.global.console;
  Error.prepareStackTrace = (...stack) => prepareStackTrace(...stack).replaceAll(/file:\/\/|\?copy=\d+/g, '');
  try {
    return await circus.default(globalConfig, config, jestEnvironment, plainRuntime, path, report);
  } finally {
    // A listener would keep the worker alive when Jest has no more files.
    process.off('disconnect', endWithChildren);
    restoreGlobals();
    Object.assign(globalThis, { console });
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** The parts of Jest's module system that jest-circus uses. */
export const plainRuntime = {
  requireInternalModule: loadFreshly,
  setGlobalsForRuntime: setTestFunctions,
  requireModule: require,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: importCopy,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

/** jest-circus keeps the tests of a file in its own module, and its event handlers in a global: each file gets new ones. */
function loadFreshly(path) {
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  delete require.cache[path];
  return require(path);
}

/**
 * When Jest is killed, nobody reads a worker's results: the worker ends, and so do the processes that it has started.
 */
function endWithChildren() {
  killProcesses(listProcesses().map(({ pid }) => pid));
  process.exit();
}
