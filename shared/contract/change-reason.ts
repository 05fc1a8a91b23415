import * as v from 'valibot';
import { maxReasonLength, textSchema } from './fields.ts';

/** No spaces and none of the characters that a spreadsheet or a URL gives a meaning, but for `#`, `/` and `:`. */
const ticketPattern = /^[A-Za-z0-9#][A-Za-z0-9#._:/-]{0,63}$/;

/** The maximum number of characters of a ticket. */
export const maxTicketLength = 64;

/** A reference to the request or incident behind a change, in whatever system keeps those. */
export const ticketSchema = v.pipe(
  v.string('must be a string'),
  v.regex(
    ticketPattern,
    `must be 1–${maxTicketLength} letters, digits or # . _ : / - characters, starting with a letter, a digit or #, such as INC-1234`,
  ),
);

/** The members of every request that changes a status, an access or a role: why it does. They are recorded in its Change. */
export const reasonEntries = {
  reason: v.nullish(textSchema(maxReasonLength), null),
  ticket: v.nullish(ticketSchema, null),
};

/** The body of such a request that needs nothing else. */
export const reasonBodySchema = v.optional(v.strictObject(reasonEntries), {});

/** Whose changes require a reason: those of operators, or also those of the applications' own backends. */
export const reasonDemands = ['operators', 'all'] as const;
export type ReasonDemand = (typeof reasonDemands)[number];

/**
 * Whether changes by this kind of caller require a reason, by the setting of the deployment or of the application. A directory
 * has no way to say why.
 */
export function isReasonRequired(
  callerKind: 'operator' | 'api-key' | 'connection',
  ...demands: readonly (ReasonDemand | null)[]
): boolean {
  if (callerKind === 'connection') return false;
  return demands.some((demand) => demand === 'all' || (demand === 'operators' && callerKind === 'operator'));
}
