import { readOptions } from '../read-options.ts';
import { userIdPattern } from '../service-contract.ts';
import { type AccessSource, type GuardedAccess, isAccessSource, readAccess } from './access-source.ts';

/** The options of a guard: whom it admits, and how it answers the others. */
export interface GuardOptions<Request> {
  /** A client or a replica. */
  readonly source: AccessSource;
  /** Returns the id of the logged-in user, for example from the session; nothing if no user is logged in. */
  readonly userId: (request: Request) => UserIdResult | Promise<UserIdResult>;
  /** A required role, or several of which one is enough; none by default. */
  readonly role?: string | readonly string[];
  /** The `WWW-Authenticate` header of a 401; `Bearer` by default. */
  readonly challenge?: string;
  /** Adds the reason of a block to the 403 response; false by default, because reasons are written for operators. */
  readonly showReason?: boolean;
  /**
   * What happens while the service does not answer: no request passes, or those of all users do, without roles. A route with a
   * `role` stays closed in any case. `deny` by default.
   */
  readonly whenUnavailable?: 'deny' | 'allow';
  /**
   * Returns a response to send instead of the problem document, such as a redirect to the login. The request is denied in any
   * case: without a response, with a 2xx or after an error, the problem document is sent.
   */
  readonly onDenied?: (denial: Denial, request: Request) => DenialAnswer | Promise<DenialAnswer>;
  /** Receives each decision, for logs and metrics; its errors are ignored. */
  readonly onDecision?: (decision: GuardDecision, request: Request) => void;
}

/** The id of the logged-in user; nothing if no user is logged in. */
export type UserIdResult = string | null | undefined;

/** The response of `onDenied`, or nothing for the problem document. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement gives void
export type DenialAnswer = Response | undefined | void;

/** The decision of a guard about a request. */
export type GuardDecision = Passage | Denial;

/** The request is admitted. */
export interface Passage {
  /** That of an admitted request. */
  readonly status: 200;
  /** The user who may enter. */
  readonly userId: string;
  /** With `whenUnavailable: 'allow'`, an access without roles that is decided by `outage`. */
  readonly access: GuardedAccess;
  /** The error of the source in such an outage. */
  readonly error?: unknown;
}

/** Why a request is denied. New codes may be added. */
export interface Denial {
  /** The HTTP status of the response. */
  readonly status: 401 | 403 | 503;
  /** The code of the problem document, for programs. */
  readonly code: 'not_authenticated' | 'access_denied' | 'role_missing' | 'access_unavailable';
  /** Undefined with a 401. */
  readonly userId?: string;
  /** The access that led to a 403; undefined if the user is unknown. */
  readonly access?: GuardedAccess;
  /** For a 503, the error of the source; for a 401, the error of `userId` or about its result. */
  readonly error?: unknown;
  /** The error of `onDenied`. */
  readonly hookError?: unknown;
}

/** Reads the options once, when the guard is created; throws a TypeError for invalid ones. */
export function readGuardOptions<Request>(given: GuardOptions<Request>): GuardOptions<Request> {
  const options = readOptions('guard', given, {
    source: ['a client or a replica', isAccessSource, true],
    userId: ['a function of the request', (value) => typeof value === 'function', true],
    // A role that is undefined by mistake must not open the route to everyone.
    role: ['a name or several, or left out for none', areNames, 'role' in Object(given)],
    challenge: ['the text of a header', (value) => typeof value === 'string' && /^[ -~]+$/.test(value)],
    showReason: 'boolean',
    whenUnavailable: ['deny or allow', (value) => value === 'deny' || value === 'allow'],
    onDenied: 'function',
    onDecision: 'function',
  });
  return 'role' in options ? { ...options, role: rolesOf(options) } : options;
}

function areNames(role: unknown): boolean {
  const names = [role].flat();
  return names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
}

/** Decides about a request; never rejects, because any failure is a denial. */
export async function decideRequest<Request>(options: GuardOptions<Request>, request: Request): Promise<GuardDecision> {
  let userId: string | undefined;
  try {
    userId = requireUserId(await options.userId(request));
  } catch (error) {
    return { status: 401, code: 'not_authenticated', error };
  }
  if (userId === undefined) return { status: 401, code: 'not_authenticated' };
  try {
    return decideAccess(options, userId, await readAccess(options.source, userId));
  } catch (error) {
    return opensFor(error, options)
      ? { status: 200, userId, access: { userId, effectiveStatus: 'enabled', roles: [], decidedBy: 'outage' }, error }
      : { status: 503, code: 'access_unavailable', userId, error };
  }
}

/**
 * The codes of an outage. Neither a refused key, because a leaked one is revoked to end its use, nor `too_many_requests`, which
 * anyone who sends many requests can cause.
 */
const outageCodes = ['no_answer', 'circuit_open', 'unavailable', 'stale'];

/** Whether a guard with these options admits a user about whom this error left no decision. */
export function opensFor<Request>(error: unknown, options: GuardOptions<Request>): boolean {
  return options.whenUnavailable === 'allow' && !('role' in options) && outageCodes.includes(Object(error).code);
}

function decideAccess<Request>(
  options: GuardOptions<Request>,
  userId: string,
  access: GuardedAccess | undefined,
): GuardDecision {
  if (access === undefined) return { status: 403, code: 'access_denied', userId };
  if (access.effectiveStatus !== 'enabled') return { status: 403, code: 'access_denied', userId, access };
  const sufficient = rolesOf(options);
  const mayPass = !('role' in options) || access.roles.some(({ name }) => sufficient.includes(name));
  return mayPass ? { status: 200, userId, access } : { status: 403, code: 'role_missing', userId, access };
}

function rolesOf<Request>({ role = [] }: GuardOptions<Request>): readonly string[] {
  return [role].flat();
}

function requireUserId(userId: unknown): string | undefined {
  if (userId === undefined || userId === null || userId === '') return undefined;
  if (typeof userId === 'string' && userIdPattern.test(userId)) return userId;
  throw new TypeError(`userId returned a ${typeof userId} that cannot be a user id`);
}
