import { tell } from '../client-hooks.ts';
import { isAccessSource } from '../guards/access-source.ts';
import {
  decideRequest,
  type GuardDecision,
  type GuardOptions,
  opensFor,
  readGuardOptions,
} from '../guards/guard-decision.ts';
import { type OptionRules, readOptions } from '../read-options.ts';

/** The application to which the users of a client of the identity provider log in. */
export interface LoginApplication<Event> extends Pick<GuardOptions<Event>, 'source' | 'role'> {}

/** The options of a hook that an identity provider calls before it issues tokens. */
export interface LoginOptions<Event> {
  /** The application of each client, by the client's id at the identity provider. Logins at any other client are denied. */
  readonly applications: Readonly<Record<string, LoginApplication<Event>>>;
  /** Returns the id by which the service knows the user. */
  readonly userId: GuardOptions<Event>['userId'];
  /**
   * What happens while the service does not answer: no login, or tokens without roles. A login that requires a `role` is denied in any
   * case. Default: `deny`.
   */
  readonly whenUnavailable?: 'deny' | 'allow';
  /** The claim with the names of the user's roles. */
  readonly claim?: string;
  /** How long a decision may take. Default: 4,000. */
  readonly timeoutMilliseconds?: number;
  /** Receives each decision, for logs and metrics; its errors are ignored. */
  readonly onDecision?: (decision: GuardDecision, event: Event) => void;
}

/** The names of the user's roles, or the message for a user who is denied. */
export type LoginDecision = { readonly roles: readonly string[] } | { readonly denied: string };

/** The messages that identity providers show to a user who is denied. */
const messages = {
  not_authenticated: 'This account cannot be used here.',
  access_denied: 'You have no access to this application.',
  role_missing: 'You lack a role that this application requires.',
  access_unavailable: 'Your access cannot be checked now. Try again in a moment.',
};

/** Less than the 5 s that Cognito waits. */
const maxMilliseconds = 4500;

const rules: OptionRules = {
  applications: ['an object of applications by the id of their client', areApplications, true],
  userId: ['a function of the event', (value) => typeof value === 'function', true],
  whenUnavailable: ['deny or allow', (value) => value === 'deny' || value === 'allow'],
  claim: ['the name of a claim', (value) => typeof value === 'string' && /^[\w:./-]+$/.test(value)],
  timeoutMilliseconds: maxMilliseconds,
  onDecision: 'function',
};

function areApplications(value: unknown): boolean {
  const found = Object.values(Object(value));
  return found.length > 0 && found.every((application) => isAccessSource(Object(application).source));
}

/** Creates the decision about logins; throws a TypeError for invalid options. The decision never rejects. */
export function createLoginDecision<Event>(
  owner: string,
  given: LoginOptions<Event>,
): (clientId: string, event: Event) => Promise<LoginDecision> {
  const options = readOptions(owner, given, rules);
  const { userId, whenUnavailable = 'deny' } = options;
  const guards = new Map(
    Object.entries(options.applications).map(([clientId, application]) => [
      clientId,
      readGuardOptions({ ...application, userId, whenUnavailable }),
    ]),
  );
  return async (clientId, event) => {
    const guard = guards.get(clientId);
    const decision = guard === undefined ? unknownClient(owner) : await decideInTime(guard, event, options);
    tell(options.onDecision, decision, event);
    if (decision.status === 200) return { roles: decision.access.roles.map(({ name }) => name) };
    // Without a decision in time nobody has asked the guard's own option.
    if (guard !== undefined && decision.status === 503 && opensFor(decision.error, guard)) return { roles: [] };
    return { denied: messages[decision.code] };
  };
}

function unknownClient(owner: string): GuardDecision {
  const error = new Error(`The client is not among the applications of ${owner}`);
  return { status: 401, code: 'not_authenticated', error };
}

async function decideInTime<Event>(
  guard: GuardOptions<Event>,
  event: Event,
  { timeoutMilliseconds = 4000 }: LoginOptions<Event>,
): Promise<GuardDecision> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<GuardDecision>((resolve) => {
    const error = Object.assign(new Error(`No decision within ${timeoutMilliseconds} ms`), { code: 'no_answer' });
    timer = setTimeout(resolve, timeoutMilliseconds, { status: 503, code: 'access_unavailable', error });
  });
  try {
    return await Promise.race([decideRequest(guard, event), late]);
  } finally {
    clearTimeout(timer);
  }
}
