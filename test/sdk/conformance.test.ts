import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { errorClasses } from '../../client/client-error.ts';
import { buildConformance } from '../../sdk/conformance/build-conformance.ts';
import type { FailureVector } from '../../sdk/conformance/failure-case.ts';
import type { ReplicaVector } from '../../sdk/conformance/replica-history.ts';

const folder = join(import.meta.dirname, '../../sdk/conformance');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const failures: readonly FailureVector[] = read('failures.json').cases;
const replicas: readonly ReplicaVector[] = read('replicas.json').cases;

test('the kit equals the output of `npm run build:conformance`, so the SDK does what it says', async () => {
  const built = JSON.parse(JSON.stringify(await buildConformance()));
  expect(Object.keys(built).sort()).toEqual(readdirSync(folder).filter((name) => name.endsWith('.json')));
  for (const [name, content] of Object.entries(built)) expect([name, read(name)]).toEqual([name, content]);
});

test('every file of the kit exists, and has no case twice', () => {
  const { files } = read('kit.json');
  for (const file of Object.values<string>(files)) {
    expect([file, existsSync(join(folder, file))]).toEqual([file, true]);
    const content = read(file);
    const names = (content.cases ?? content).map((each: { name?: string }) => each.name ?? JSON.stringify(each));
    expect([file, new Set(names).size]).toEqual([file, names.length]);
  }
});

describe('the failures', () => {
  const errors = failures.flatMap(({ expected }) =>
    expected.outcomes.flatMap((each) => ('error' in each ? each.error : [])),
  );

  test('have every class of errors', () => {
    const classes = Object.values(errorClasses).map(({ name }) => name);
    expect(new Set(errors.map((error) => error.class))).toEqual(new Set([...classes, 'UnexpectedAnswerError']));
  });

  test('have every status that has a class', () => {
    const statuses = new Set(failures.flatMap(({ exchanges }) => exchanges.map(({ status }) => status)));
    expect(Object.keys(errorClasses).filter((status) => !statuses.has(Number(status)))).toEqual([]);
  });

  test("never answer yes to what is not the service's answer", () => {
    const foreign = failures.filter(({ name }) => /is unexpected/.test(name));
    expect(foreign.length).toBeGreaterThan(25);
    for (const { expected } of foreign) expect(JSON.stringify(expected.outcomes)).not.toMatch(/"answer"/);
  });
});

test('the histories have every code, report and way to decide of a replica', () => {
  const text = JSON.stringify(replicas);
  const words = [
    ...['user', 'explicit', 'lapsed', 'rollout', 'default'].map((by) => `"decidedBy":"${by}"`),
    ...['user_not_found', 'unknown', 'stale', 'key_refused'].map((code) => `"code":"${code}"`),
    '"kind":"change"',
    '"during":"poll"',
    '"during":"repair"',
    '"all":true',
    'digest=true',
  ];
  expect(words.filter((word) => !text.includes(word))).toEqual([]);
});
