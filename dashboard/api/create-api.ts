import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageAnswers, ManageOperationName, ManageOperations } from '#shared/contract/operations.ts';
import { createSentChanges, type SentChanges } from '../session/sent-changes.ts';
import { describeWrite } from './describe-write.ts';
import { operationRoutes } from './operation-routes.ts';
import { isUnanswered, ProblemError, readProblem } from './problem-error.ts';

/** The path parameters, query and body of an operation, as its record defines them. */
export type ApiInput<Name extends ManageOperationName> = OperationRequest<ManageOperations[Name]> & Conditions;

/**
 * Calls the Management API. Every response but a success is thrown as a ProblemError. After a 202 the request is retried, as
 * Retry-After says, until it is complete.
 */
export type Api<Allowed extends ManageOperationName = ManageOperationName> = <Name extends Allowed>(
  name: Name,
  input: ApiInput<Name>,
) => Promise<ManageAnswers[Name]>;

/** The operations that only read. */
export type ReadName = {
  [Name in ManageOperationName]: ManageOperations[Name]['method'] extends 'GET' ? Name : never;
}[ManageOperationName];

/** The operations that write, for `createWriter`. */
export type WriteName = Exclude<ManageOperationName, ReadName>;

interface Conditions {
  /** The version that the operator saw; if it is no longer current, the service responds with 412. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Identifies a write: retried with the same key, it takes effect once. */
  readonly idempotencyKey?: string | undefined;
}

/** The credentials of the logged-in operator. */
export interface Bearer {
  /** The access token, or undefined without a session. */
  token(): string | undefined;
  /** Renews the token; false if a login is needed. */
  renew(): Promise<boolean>;
  expire(): void;
}

/**
 * Creates the client of the Management API, on the dashboard's own origin. A rejected token is renewed once. Changes are noted
 * while they are being saved.
 */
export function createApi(bearer: Bearer, sent: SentChanges = createSentChanges()): Api {
  const request = async (name: ManageOperationName, input: RequestParts) => {
    let response = await send(name, input, bearer.token());
    if (response.status === 401 && (await bearer.renew())) response = await send(name, input, bearer.token());
    if (response.status === 401) {
      bearer.expire();
      throw new ProblemError({ code: 'session_ended', title: 'Your session has ended', detail: 'Log in again.' });
    }
    if (!response.ok) throw await readProblem(response);
    return response;
  };
  const complete = async (name: ManageOperationName, input: RequestParts): Promise<unknown> => {
    for (;;) {
      const response = await request(name, input);
      if (response.status !== 202) return await response.json();
      await retryAfter(response);
    }
  };
  return async (name, input) => {
    const words = describeWrite(name, input);
    const end = words === undefined ? undefined : sent.begin(words);
    try {
      const answer = (await complete(name, input)) as ManageAnswers[typeof name];
      end?.('saved');
      return answer;
    } catch (error) {
      end?.(isUnanswered(error as Error) ? 'unknown' : 'refused');
      throw error;
    }
  };
}

/** Waits for the seconds in Retry-After, at most 10; without the header 1 s. */
function retryAfter({ headers }: Response): Promise<void> {
  const seconds = Math.min(10, Number(headers.get('retry-after')) || 1);
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/** The input of any operation; callers are typed by `ApiInput`. */
interface RequestParts extends Conditions {
  readonly path?: object;
  readonly query?: object;
  readonly body?: object;
}

async function send(name: ManageOperationName, input: RequestParts, token = ''): Promise<Response> {
  const { method, path } = operationRoutes[name];
  const { body, ifMatch, signal, idempotencyKey } = input;
  return await fetch(fillPath(path, input.path) + queryOf(input.query), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      // A structured-field string (RFC 8941 section 3.3.3).
      ...(idempotencyKey !== undefined && { 'idempotency-key': `"${idempotencyKey}"` }),
    },
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

function fillPath(template: string, values: object = {}): string {
  const filled = new Map<string, string>(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled.get(name) ?? ''));
}

function queryOf(values: object = {}): string {
  const given = Object.entries(values).filter(([, value]) => Boolean(value));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
