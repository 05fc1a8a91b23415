import { describe } from '@jest/globals';
import { type EntryPoint, entryPoints, type Manage, type ManageOptions } from './manage-client.ts';
import type { Answer } from './send-request.ts';

/** Sends a request to the Management API through one of its entry points. */
export type Ask = (
  method: string,
  path: string,
  body?: ManageOptions['body'],
  headers?: ManageOptions['headers'],
) => Promise<Answer>;

/** Describes the same tests for the function URL and for the HTTP API. */
export function describeEachEntryPoint(manage: Manage, describeIt: (ask: Ask, entryPoint: EntryPoint) => void): void {
  describe.each(entryPoints)('through the entry point %s', (entryPoint) => {
    describeIt((method, path, body, headers = {}) => manage(entryPoint, method, path, { body, headers }), entryPoint);
  });
}

/** Divides the rows between the entry points: for long tables of values, which the same code checks for both. */
export function inTurns<const Row>(entryPoint: EntryPoint, rows: readonly Row[]): Row[] {
  return rows.filter((_, n) => entryPoints[n % entryPoints.length] === entryPoint);
}
