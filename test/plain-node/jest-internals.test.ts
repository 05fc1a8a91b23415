import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const require = createRequire(import.meta.url);
const advice =
  'Jest changed what test/plain-node is built on: stay on the last version that passed, or adapt run-test-file.mjs, or take the exit of docs/decisions/0093-test-files-in-plain-node.md';

const { plainRuntime } = await load('run-test-file.mjs');
const { default: PlainEnvironment } = await load('jest-environment.mjs');
const packages = ['@jest/expect', '@jest/fake-timers', '@jest/globals', 'jest', 'jest-circus', 'jest-mock'] as const;

/** What jest-circus and jest-runner use only with settings that no configuration here has, or if it exists. */
const optional = {
  runtime: ['resetModules', 'clearAllMocks', 'resetAllMocks', 'restoreAllMocks'],
  environment: ['fakeTimers', 'fakeTimersModern', 'handleTestEvent'],
};

test('the packages of Jest that the runner is built on are pinned to one version, which is installed', () => {
  const project = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const pinned = packages.map((name) => [name, project.devDependencies[name]]);
  const installed = packages.map((name) => [name, require(`${name}/package.json`).version]);
  expect({ advice, pinned }).toEqual({ advice, pinned: packages.map((name) => [name, expect.stringMatching(/^\d/)]) });
  expect({ advice, versions: new Set(pinned.map(([, version]) => version)).size }).toEqual({ advice, versions: 1 });
  expect({ advice, installed }).toEqual({ advice, installed: pinned });
});

test('jest-circus takes the arguments that the runner hands on', () => {
  const { default: adapter } = require('jest-circus/runner');
  const [, parameters] = /^async \(([^)]*)\) =>/.exec(String(adapter)) ?? [];
  const expected = 'globalConfig, config, environment, runtime, testPath, sendMessageToJest';
  expect({ advice, parameters }).toEqual({ advice, parameters: expected });
});

test('jest-circus uses no other part of a runtime than the runner has, and all of those', () => {
  const used = membersIn(sourceOf('jest-circus', ['runner.js', 'jestAdapterInit.js']), 'runtime');
  expect({ advice, used: without(used, optional.runtime) }).toEqual({ advice, used: Object.keys(plainRuntime).sort() });
});

test('Jest uses no other part of a test environment than the one of plain Node.js has', () => {
  const source =
    sourceOf('jest-runner', ['testWorker.js']) + sourceOf('jest-circus', ['runner.js', 'jestAdapterInit.js']);
  const environment = new PlainEnvironment();
  const missing = without(membersIn(source, 'environment'), optional.environment).filter(
    (name) => !(name in environment),
  );
  expect({ advice, missing }).toEqual({ advice, missing: [] });
});

test('jest-circus keeps its event handlers under the global symbol that the runner deletes for each file', () => {
  const source = sourceOf('jest-circus', ['jestAdapterInit.js']);
  expect({ advice, isFound: source.includes("EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS')") }).toEqual({
    advice,
    isFound: true,
  });
});

/** Both are JavaScript, and loaded already: Jest itself has imported them. */
async function load(name: string) {
  return await import(join(import.meta.dirname, name));
}

function sourceOf(name: string, files: readonly string[]): string {
  const folder = join(dirname(require.resolve(`${name}/package.json`)), 'build');
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** The members of a variable of this name that a source uses, sorted. */
function membersIn(source: string, variable: string): string[] {
  const found = source.matchAll(new RegExp(`(?<![\\w.])${variable}\\.(\\w+)`, 'g'));
  return [...new Set([...found].map(([, member = '']) => member))].sort();
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}
