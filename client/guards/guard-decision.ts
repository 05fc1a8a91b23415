import { readOptions } from '../read-options.ts';
import { userIdPattern } from '../service-contract.ts';
import { type AccessSource, type GuardedAccess, isAccessSource, readAccess } from './access-source.ts';

/** Whom a guard lets pass, and what it does with the others. */
export interface GuardOptions<Request> {
  /** A client or a replica. */
  readonly source: AccessSource;
  /** The id of the user who is logged in, from where your login keeps it; nothing if nobody is. */
  readonly userId: (request: Request) => UserIdResult | Promise<UserIdResult>;
  /** A role that the user must hold, or several of which one is enough; none by default. */
  readonly role?: string | readonly string[];
  /** The `WWW-Authenticate` header of a 401; `Bearer` by default. */
  readonly challenge?: string;
  /** Adds the reason of a block to the answer of a 403; false by default, as it was written for operators. */
  readonly showReason?: boolean;
  /**
   * Makes another answer than the problem document, such as a redirect to the login. The request is refused all the same;
   * with nothing, with a 2xx or after an error the problem document is sent.
   */
  readonly onDenied?: (denial: Denial, request: Request) => DenialAnswer | Promise<DenialAnswer>;
  /** Learns each decision, for logs and metrics; what it throws is ignored. */
  readonly onDecision?: (decision: GuardDecision, request: Request) => void;
}

export type UserIdResult = string | null | undefined;

// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement gives void
export type DenialAnswer = Response | undefined | void;

/** What a guard decided about a request. */
export type GuardDecision = Passage | Denial;

/** The request may pass. */
export interface Passage {
  readonly status: 200;
  readonly userId: string;
  readonly access: GuardedAccess;
}

/** Why a request may not pass. New codes may be added. */
export interface Denial {
  readonly status: 401 | 403 | 503;
  readonly code: 'not_authenticated' | 'access_denied' | 'role_missing' | 'access_unavailable';
  /** Undefined with a 401. */
  readonly userId?: string;
  /** What a 403 was decided by; undefined if the service knows no such user. */
  readonly access?: GuardedAccess;
  /** What the source threw, for a 503; what `userId` threw, or what is wrong with its result, for a 401. */
  readonly error?: unknown;
  /** What `onDenied` threw. */
  readonly hookError?: unknown;
}

/** Reads the options once, when the guard is made; throws a TypeError for what is not valid. */
export function readGuardOptions<Request>(given: GuardOptions<Request>): GuardOptions<Request> {
  const options = readOptions('guard', given, {
    source: ['a client or a replica', isAccessSource, true],
    userId: ['a function of the request', (value) => typeof value === 'function', true],
    // A role that is undefined by mistake must not open the route to everybody.
    role: ['a name or several, or left out for none', areNames, 'role' in Object(given)],
    challenge: ['the text of a header', (value) => typeof value === 'string' && /^[ -~]+$/.test(value)],
    showReason: 'boolean',
    onDenied: 'function',
    onDecision: 'function',
  });
  return 'role' in options ? { ...options, role: rolesOf(options) } : options;
}

function areNames(role: unknown): boolean {
  const names = [role].flat();
  return names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
}

/** Decides about a request; never rejects: what fails is a denial. */
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
    return { status: 503, code: 'access_unavailable', userId, error };
  }
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
