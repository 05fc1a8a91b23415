import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { bearerEndpoints, endpointSets } from '../../lib/options/endpoint-sets.ts';
import type { Outcome } from '../../local/lambda-function.ts';
import { functionsOf, referredId, resourcesOf, synthesizeAssembly, templateIn } from '../stack/synthesized-stack.ts';
import { checkRelease } from '../support/check-release.ts';
import { type Fault, type GuardedStack, startGuarded } from '../support/guarded-stack.ts';
import { releaseChecks } from '../support/platform-touches.ts';

const assembly = await synthesizeAssembly({
  stage: 'prod',
  iamRoles: '{"arn:aws:sts::111122223333:assumed-role/Admins/*":"admin"}',
  endpoints: Object.keys(endpointSets).join(','),
});
const template = templateIn(assembly);
/** The functions whose traffic a release shifts: those with an alias. */
const aliased = new Set(
  [...resourcesOf(template, 'AWS::Lambda::Alias').values()].map(({ Properties }) =>
    referredId(Properties.FunctionName),
  ),
);
const released = [...functionsOf(template)].flatMap(([name, fn]) =>
  [...aliased].some((id) => template.Resources[id ?? ''] === fn) ? [name] : [],
);

let stack: GuardedStack;
beforeAll(async () => {
  stack = await startGuarded(assembly);
});
afterEach(() => stack.faults.clear());
afterAll(() => stack.stop());

const check = () => checkRelease(stack, assembly);

const answers = (value: unknown): Outcome => ({ kind: 'result', json: JSON.stringify(value) });
const faults: Readonly<Record<string, Fault>> = {
  'throws or times out': async () => ({ kind: 'failed' }),
  'answers 500': async () => answers({ statusCode: 500, body: '{"code":"internal"}' }),
  'answers something else': async () => answers({ statusCode: 200, body: '<html>' }),
  'may use nothing': 'denied',
};
/** They use nothing but their log: the check has no token, without which an endpoint reads no table; and the root is local here. */
const usesNothing = ['refuse-unknown-route', ...bearerEndpoints.map(({ name }) => name)];
const cases = released.flatMap((name) =>
  Object.keys(faults).flatMap((fault) =>
    fault === 'may use nothing' && usesNothing.includes(name) ? [] : [[name, fault] as const],
  ),
);

test('every released function has a deployment group that asks for the check first', () => {
  expect(released).toHaveLength(aliased.size);
  expect(releaseChecks(assembly)).toHaveLength(released.length);
});

describe('before the first request', () => {
  test('a release of working versions is approved, also by several checks at the same time', async () => {
    const results = await Promise.all([check(), check(), check(), check()]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['result', 'result', 'result', 'result']);
    const statuses = stack.releases.map((report) => Object(report).status);
    expect(statuses).toEqual(['Succeeded', 'Succeeded', 'Succeeded', 'Succeeded']);
    expect(stack.touches.filter(({ decision }) => decision !== 'allowed')).toEqual([]);
  });

  test.each(cases)('a release is stopped if the version of %s %s', async (name, fault) => {
    stack.faults.set(name, faults[fault] as Fault);
    const { reported, logged } = await check();
    expect(reported).toEqual(['Failed']);
    expect(logged.at(-1)).toContain(name);
  });

  test('a block that does not block stops the release', async () => {
    stack.faults.set('get-access', async (invoke) => {
      const outcome = await invoke();
      return outcome.kind === 'result' ? { ...outcome, json: outcome.json.replaceAll('disabled', 'enabled') } : outcome;
    });
    expect((await check()).reported).toEqual(['Failed']);
  });
});
