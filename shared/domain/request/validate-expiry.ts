import { maxYearsAhead } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';

/** Refuses an expiry in the past or more than five years ahead. */
export function validateExpiry(field: string, end: string | null): void {
  if (end === null) return;
  const at = now();
  if (hasPassed(end, at)) throw invalidField(field, 'must be in the future');
  const latest = new Date(at);
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead);
  if (Date.parse(end) > latest.getTime()) throw invalidField(field, `must be at most ${maxYearsAhead} years ahead`);
}
