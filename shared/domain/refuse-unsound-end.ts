import { maxYearsAhead } from '#shared/contract/limits.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { hasPassed } from './decide-access.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses an end that lies in the past or more than five years ahead. Five years count from the signature, not from
 * now: a request once refused stays refused, so its nonce need not be spent.
 */
export function refuseUnsoundEnd(pointer: string, end: string | null, { nonce }: RequestContext): void {
  if (end === null) return;
  const at = now();
  if (hasPassed(end, at)) throw invalidField(pointer, 'must lie in the future');
  const latest = nonce === undefined ? at : new Date(nonce.created * 1000);
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead);
  if (Date.parse(end) > latest.getTime()) throw invalidField(pointer, `must lie at most ${maxYearsAhead} years ahead`);
}
