import { describe, test } from '@jest/globals';
import { type EntryPoint, entryPoints, type Manage, type ManageOptions } from './manage-client.ts';
import type { Answer } from './send-request.ts';

/** Sends a request to the Management API through one of its entry points. */
export type Ask = (
  method: string,
  path: string,
  body?: ManageOptions['body'],
  headers?: ManageOptions['headers'],
) => Promise<Answer>;

/** Defines a test that runs through one of the entry points, in turns. */
export type Once = (name: string, run: () => Promise<void>) => void;

/**
 * Describes the same tests for the function URL and for the HTTP API. Those defined with `once` run through only
 * one of the two, because what they test is the same code behind both.
 */
export function describeEachEntryPoint(
  manage: Manage,
  describeIt: (ask: Ask, entryPoint: EntryPoint, once: Once) => void,
): void {
  describe.each(entryPoints)('through the entry point %s', (entryPoint) => {
    let defined = 0;
    const once: Once = (name, run) => {
      if (entryPoints[defined++ % entryPoints.length] === entryPoint) test(name, run);
    };
    const ask: Ask = (method, path, body, headers = {}) => manage(entryPoint, method, path, { body, headers });
    describeIt(ask, entryPoint, once);
  });
}

/** Divides the rows between the entry points: for long tables of values, which the same code checks for both. */
export function inTurns<const Row>(entryPoint: EntryPoint, rows: readonly Row[]): Row[] {
  return rows.filter((_, n) => entryPoints[n % entryPoints.length] === entryPoint);
}
