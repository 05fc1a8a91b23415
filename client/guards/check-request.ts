import { tell } from '../client-hooks.ts';
import type { GuardedAccess } from './access-source.ts';
import { type Denial, decideRequest, type GuardOptions, readGuardOptions } from './guard-decision.ts';
import { rememberAccess } from './guarded-access.ts';

const titles = { 401: 'Unauthorized', 403: 'Forbidden', 503: 'Service Unavailable' };

const details = {
  not_authenticated: 'The request has no logged-in user. Log in first.',
  access_denied: 'This user has no access to this application.',
  role_missing: 'This user lacks a role that this request requires.',
  access_unavailable: 'The access of this user cannot be checked now. Try again later.',
};

const defaultRetryAfterSeconds = 5;

/** The request is admitted. */
export interface Admission {
  /** Tells an admission from a response; see `DeniedResponse`. */
  readonly allowed: true;
  /** The access that the guard decided by. */
  readonly access: GuardedAccess;
}

/** The response to a denied request. */
export interface DeniedResponse extends Response {
  /** Tells a response from an admission, also one of another realm, such as a sandbox. */
  readonly allowed: false;
}

/** Checks a request; never rejects, because any failure is a denial. */
export type RequestCheck<Request> = (request: Request) => Promise<Admission | DeniedResponse>;

/** The check shared by the guards of all frameworks; throws a TypeError for invalid options. */
export function createRequestCheck<Request extends object>(given: GuardOptions<Request>): RequestCheck<Request> {
  const options = readGuardOptions(given);
  return async (request) => {
    const decision = await decideRequest(options, request);
    if (decision.status === 200) {
      const { access } = decision;
      rememberAccess(request, access);
      tell(options.onDecision, decision, request);
      return { allowed: true, access };
    }
    const { answer, ...hookFailure } = await askHook(options, decision, request);
    tell(options.onDecision, { ...decision, ...hookFailure }, request);
    return Object.assign(answer ?? problemOf(decision, options), { allowed: false } as const);
  };
}

async function askHook<Request>(
  { onDenied }: GuardOptions<Request>,
  denial: Denial,
  request: Request,
): Promise<{ answer?: Response; hookError?: unknown }> {
  try {
    const answer = await onDenied?.(denial, request);
    return answer ? { answer: await copyRefusal(answer) } : {};
  } catch (hookError) {
    return { hookError };
  }
}

/** Reads the body before sending, so that sending cannot fail, and from a clone, so that a Response can be reused. */
async function copyRefusal(answer: Response): Promise<Response> {
  if (!(answer.status >= 300)) throw new TypeError('onDenied must return an unsuccessful Response, or nothing');
  return new Response(answer.body && (await answer.clone().arrayBuffer()), answer);
}

/** A problem document (RFC 9457); its title is that of its status, as RFC 9457 section 4.2.1 asks for `about:blank`. */
function problemOf<Request>(denial: Denial, { challenge = 'Bearer', showReason }: GuardOptions<Request>): Response {
  const { status, code, access, error } = denial;
  const reason = showReason && access?.decidedBy === 'explicit' && code === 'access_denied' ? access.reason : undefined;
  const document = { type: 'about:blank', title: titles[status], status, detail: details[code], code };
  return new Response(JSON.stringify(reason ? { ...document, reason } : document), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      // RFC 9110 section 15.5.2: a 401 must have one.
      ...(status === 401 && { 'www-authenticate': challenge }),
      ...(status === 503 && { 'retry-after': String(retryAfterSeconds(error)) }),
    },
  });
}

function retryAfterSeconds(error: unknown): number {
  const seconds = Math.ceil(Object(error).retryAfterSeconds);
  return seconds > 0 && Number.isFinite(seconds) ? seconds : defaultRetryAfterSeconds;
}
