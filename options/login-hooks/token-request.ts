import * as v from 'valibot';
import { ServiceError } from '#shared/core/errors.ts';
import { isJsonObject } from '#shared/core/json-object.ts';

/** The claim with the names of the user's roles: a list. Neither Okta nor Hydra reserves it, unlike `roles` or `groups`. */
export const rolesClaim = 'app_roles';

/** An identity provider asks before it issues tokens, at the login and at each refresh. */
export interface TokenRequest {
  readonly clientId: string;
  /** For whom the tokens are; undefined if for the client itself (client credentials). */
  readonly user: TokenUser | undefined;
}

export interface TokenUser {
  /** The user's id at the identity provider; undefined if it sent none. */
  readonly id: string | undefined;
  /** What the identity provider says about the user, in one or more places. */
  readonly claims: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The id by which the service knows the user: that of the identity provider, or the named claim. Undefined if there is none, or
 * if the claim differs from one place to another, such as `sub` in the ID and in the access token of Okta.
 */
export function userIdOf({ id, claims }: TokenUser, claim: string | null): string | undefined {
  if (claim === null) return id || undefined;
  const named = claims.flatMap((place) => (Object.hasOwn(place, claim) ? [place[claim]] : []));
  const [first] = named;
  return typeof first === 'string' && first !== '' && named.every((value) => value === first) ? first : undefined;
}

/** Text that must not be empty. */
export const text = v.pipe(v.string('must be text'), v.minLength(1, 'must not be empty'));

/** An object with any members; valibot's own schemas also accept lists. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(isJsonObject, 'must be an object');

/** An object with these members and any others. */
export const objectWith = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(jsonObject, v.object(entries));

/** The request, as its schema reads it; 400 `invalid_request` with the first member that is wrong. */
export function parseHook<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const [issue] = issues;
  const place = v.getDotPath(issue) ?? 'The body';
  const detail = issue.input === undefined ? `${place} is missing.` : `${place} ${issue.message}.`;
  throw new ServiceError('invalid_request', { detail });
}
