import { callUntilComplete } from '#client/management/call-operation.ts';
import { managementRequest } from '#client/management/management-request.ts';
import type { Authorization, Receiver } from '#client/management/send-attempt.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import type { ManageAnswers, ManageOperationName, ManageOperations } from '#shared/contract/operations.ts';
import { createSentChanges, type SentChanges } from '../session/sent-changes.ts';
import { describeWrite } from './describe-write.ts';
import { isUnanswered, ProblemError, problemOf } from './problem-error.ts';

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
 * while they are being saved; `send` is `fetch`, unless something was sent before.
 */
export function createApi(
  bearer: Bearer,
  sent: SentChanges = createSentChanges(),
  send: Receiver['fetch'] = (...request) => fetch(...request),
): Api {
  const receiver = { origin: '', authorization: authorizationOf(bearer), fetch: send };
  const complete = async (name: ManageOperationName, { signal, ...input }: RequestParts): Promise<unknown> => {
    const request = managementRequest(name, { ...input, query: givenOf(input.query) }, input);
    try {
      return await callUntilComplete(request, { receiver, ...once, signal });
    } catch (error) {
      const problem = problemOf(error);
      if (problem instanceof ProblemError && problem.code === 'session_ended') bearer.expire();
      throw problem;
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

/** A page repeats nothing by itself: it says what failed, and its reader decides. */
const once = { maxAttempts: 1, hooks: {}, answer: 60_000, silence: 60_000 } as const;

function authorizationOf(bearer: Bearer): Authorization {
  return {
    prepare: async () => undefined,
    headers: async ({ headers }) => ({ ...headers, authorization: `Bearer ${bearer.token() ?? ''}` }),
    renew: () => bearer.renew(),
  };
}

/** The input of any operation; callers are typed by `ApiInput`. */
interface RequestParts extends Conditions {
  readonly path?: object;
  readonly query?: object;
  readonly body?: object;
}

/** Leaves out empty values, such as those of a search field. */
function givenOf(query: object = {}): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => Boolean(value)));
}
