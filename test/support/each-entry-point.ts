import { describe } from '@jest/globals';
import { type Door, doors, type Manage, type ManageOptions } from './manage-client.ts';
import type { Answer } from './send-request.ts';

/** Sends a request to the Management API through one of its entry points. */
export type Ask = (
  method: string,
  path: string,
  body?: ManageOptions['body'],
  headers?: ManageOptions['headers'],
) => Promise<Answer>;

/** Describes the same tests for the function URL and for the HTTP API. */
export function describeEachEntryPoint(manage: Manage, describeIt: (ask: Ask, door: Door) => void): void {
  describe.each(doors)('through the entry point %s', (door) => {
    describeIt((method, path, body, headers = {}) => manage(door, method, path, { body, headers }), door);
  });
}

/** Divides the rows between the entry points: for long tables of values, which both check by the same code. */
export function inTurns<const Row>(door: Door, rows: readonly Row[]): Row[] {
  return rows.filter((_, n) => doors[n % doors.length] === door);
}
