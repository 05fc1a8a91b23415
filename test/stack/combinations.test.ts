import { expect, test } from '@jest/globals';
import { deploymentContext } from '../../lib/settings/context-names.ts';
import { settingNames } from '../../lib/settings/given-settings.ts';
import { rememberResult } from '../support/synthesis.ts';
import { allPairs } from './combinations.ts';
import { ofItsStage, settingValues } from './setting-values.ts';
import { type Context, builtDashboard as dashboard, synthesizeChecked } from './synthesized-stack.ts';

/** A copy of another Region's keys has their versions; `dev` has no aliases, which provisioned concurrency requires. */
function isPossible(choices: ReadonlyMap<string, number>): boolean {
  if (choices.get('stage') === 0 && choices.get('ready') === 1) return false;
  return choices.get('regions') !== 3 || (choices.get('rootKeys') ?? 0) === 0;
}

const sizes = Object.fromEntries(Object.entries(settingValues).map(([name, values]) => [name, values.length]));
/**
 * The full product is some 50,000 stacks of a third of a second each; faults occur between two settings, so testing every
 * pair is enough.
 */
const combinations = allPairs(sizes, isPossible).map(
  (choices): Context => Object.assign({}, ...[...choices].map(([name, value]) => settingValues[name]?.[value])),
);

test('the combinations include every setting', () => {
  const taking = Object.values(settingValues).flatMap((values) => values.flatMap((context) => Object.keys(context)));
  expect([...new Set(taking)].sort()).toEqual([...settingNames, deploymentContext.transition].sort());
});

test('every possible pair of values of two settings occurs in some combination', () => {
  for (const [one, other] of pairs(Object.values(settingValues))) {
    const meets = (context: Context) =>
      [one, other].every((part) => Object.entries(part).every(([k, v]) => context[k] === v));
    const names = Object.keys({ ...one, ...other });
    const excluded =
      [one, other].every((part) => 'rootKeys' in part) ||
      ({ ...one, ...other }.stage === 'dev' && names.includes('provisionedConcurrency'));
    expect([one, other, combinations.some(meets)]).toEqual([one, other, !excluded]);
  }
});

test.each(
  combinations.map((context) => [
    Object.entries(context)
      .map(([k, v]) => `${k}=${shown(v)}`)
      .join(' '),
    context,
  ]),
)('the stack is valid, and without a finding of the AwsSolutions rules, with %s', async (_, context) => {
  const template = await synthesizeChecked(ofItsStage(context as Context));
  // CloudFormation's limits on a template (AWS CloudFormation user guide, "Understand CloudFormation quotas").
  expect(Object.keys(template.Resources).length).toBeLessThan(500);
  expect(JSON.stringify(template).length).toBeLessThan(1_000_000);
});

test('a stack with a finding of the AwsSolutions rules is rejected', async () => {
  const checking = () => synthesizeChecked({}, { unsafe: true }).then(() => 'valid', String);
  expect(await rememberResult('an unsafe stack', checking)).toContain('AwsSolutions-S1');
});

function pairs(values: readonly (readonly Context[])[]): [Context, Context][] {
  return values.flatMap((ones, at) =>
    values
      .slice(at + 1)
      .flatMap((others) => ones.flatMap((one) => others.map((other): [Context, Context] => [one, other]))),
  );
}

function shown(value: string): string {
  return value === dashboard ? 'built' : value.slice(0, 40);
}
