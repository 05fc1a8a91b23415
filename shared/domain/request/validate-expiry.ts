import { maxYearsAhead } from '#shared/contract/fields.ts';
import { hasPassed, now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses an end in the past or more than five years ahead. Five years count from the signature, not from now: a request
 * once refused stays refused, so its nonce need not be spent.
 */
export function validateExpiry(field: string, end: string | null, { nonce }: Pick<RequestContext, 'nonce'>): void {
  if (end === null) return;
  const at = now();
  if (hasPassed(end, at)) throw invalidField(field, 'must lie in the future');
  const latest = nonce === undefined ? at : new Date(nonce.created * 1000);
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead);
  if (Date.parse(end) > latest.getTime()) throw invalidField(field, `must lie at most ${maxYearsAhead} years ahead`);
}
