import type { Node } from 'constructs';
import * as v from 'valibot';
import { serviceOperations } from '#shared/contract/operations.ts';
import { deploymentContext } from './context-names.ts';
import type { GivenSettings } from './given-settings.ts';
import { parseJson } from './setting-value.ts';
import type { Stage } from './stages.ts';

/** The functions that answer requests; the readers of the stream run after them. */
const provisionable: readonly string[] = [...Object.keys(serviceOperations), 'manage'];

const provisionedSchema = v.record(
  v.picklist(provisionable),
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
);

/**
 * `provisionedConcurrency`: how many environments of each function are always ready, such as `{"get-access": 5}`. Lambda keeps
 * them for an alias, so the setting is only for stages with aliases. Throws on an unknown function and on an invalid number.
 * https://docs.aws.amazon.com/lambda/latest/dg/provisioned-concurrency.html
 */
export function readProvisionedConcurrency(
  given: GivenSettings,
  stage: Pick<Stage, 'name' | 'canary'>,
): Readonly<Record<string, number>> {
  const value: unknown = given.provisionedConcurrency ?? '';
  if (typeof value === 'string' && value.trim() === '') return {};
  const { success, output } = v.safeParse(provisionedSchema, typeof value === 'string' ? parseJson(value) : value);
  if (!success) {
    throw new Error(
      `The setting provisionedConcurrency must be a JSON object such as {"get-access":5}, with whole numbers from 1 to 1000 and the names ${provisionable.join(', ')}`,
    );
  }
  if (stage.canary || Object.keys(output).length === 0) return output;
  throw new Error(`The setting provisionedConcurrency requires a stage with aliases; ${stage.name} has none`);
}

const reservedSchema = v.record(
  v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+)*$/)),
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
);

/** A JSON object of function names with the number of environments; `requireFunctions` checks the names. */
export function readReservedConcurrency(given: GivenSettings): Readonly<Record<string, number>> {
  const value: unknown = given.reservedConcurrency;
  if (value === undefined || value === null || value === '') return {};
  const { success, output } = v.safeParse(reservedSchema, typeof value === 'string' ? parseJson(value) : value);
  if (success) return output;
  throw new Error(
    'The setting reservedConcurrency must be a JSON object such as {"get-access":200,"manage":20}, whose values are whole numbers from 1',
  );
}

/** Throws unless each name is that of a function: a misspelt one would reserve nothing. */
export function requireFunctions(names: readonly string[], functions: readonly string[]): void {
  const unknown = names.find((name) => !functions.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `The setting reservedConcurrency names ${unknown}, which is not a function. The functions are ${functions.join(', ')}`,
  );
}

/** AWS's default quota; new accounts have less. */
export const defaultConcurrency = 1000;
/** Lambda keeps so many for functions without reserved concurrency (Lambda guide, "Configuring reserved concurrency"). */
const unreservable = 100;

/** The account's quota of concurrent executions, AWS's default if it is unknown; throws if the reserved ones exceed a known one. */
export function readAccountConcurrency(node: Node, reserved: Readonly<Record<string, number>>): number {
  const known: unknown = node.tryGetContext(deploymentContext.accountConcurrency);
  if (known === undefined) return defaultConcurrency;
  const quota = Number(known);
  const sum = Object.values(reserved).reduce((total, environments) => total + environments, 0);
  const needed = sum + unreservable;
  if (sum === 0 || needed <= quota) return quota;
  throw new Error(
    `The setting reservedConcurrency needs a quota of ${needed} concurrent executions, with the ${unreservable} that Lambda leaves to other functions, but the account has ${quota}. Reserve less, or request an increase: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${needed}`,
  );
}
