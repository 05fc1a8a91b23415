import * as v from 'valibot';
import type { GivenSettings } from './given-settings.ts';
import { parseJson, readPositiveInteger, readText } from './setting-value.ts';
import type { Stage } from './stages.ts';

/** What API Gateway lets through of a route: requests a second, and at once. */
export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/** From `manageThrottleRate` and `manageThrottleBurst`, or from those of the other routes. Default: 100 and 200. */
export function readThrottle(given: GivenSettings, routes: 'manage' | 'other'): Throttle {
  return {
    rate: readPositiveInteger(given, `${routes}ThrottleRate`, 100),
    burst: readPositiveInteger(given, `${routes}ThrottleBurst`, 200),
  };
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
    `The setting reservedConcurrency names ${unknown}, which is no function. They are ${functions.join(', ')}`,
  );
}

/** An alarm looks back a day at most, in periods of five minutes. */
export function readNoTrafficMinutes(given: GivenSettings, stage: Stage): number {
  const text = readText(given, 'noTrafficMinutes') ?? String(stage.noTrafficMinutes);
  if (/^\d{1,4}$/.test(text) && Number(text) % 5 === 0 && Number(text) <= 1440) return Number(text);
  throw new Error(`The setting noTrafficMinutes must be a multiple of 5 up to 1440, or 0 for no alarm, not ${text}`);
}
