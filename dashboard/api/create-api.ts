import type { ManageAnswers } from '#shared/contract/manage-answers.ts';
import { type ManageRouteName, manageRoutes } from '#shared/contract/manage-routes.ts';
import { ProblemError, readProblem } from './problem-error.ts';

/** What goes into a request, beside its route. */
export interface ApiInput {
  /** Fills the path template: `{userId}` and so on. */
  readonly path?: Readonly<Record<string, string>>;
  /** What is undefined or empty is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** The version that was seen: the change is refused with 412 when there is another one by now. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the Management API; whatever is not a success is thrown as a ProblemError. */
export type Api = <Name extends ManageRouteName>(name: Name, input?: ApiInput) => Promise<ManageAnswers[Name]>;

/** Whose requests they are. */
export interface Bearer {
  /** The access token, or undefined when nobody is logged in. */
  token(): string | undefined;
  /** Gets a new token; false when that needs a login. */
  renew(): Promise<boolean>;
  expire(): void;
}

/** The one client of the Management API, on the dashboard's own origin. A token that is refused is renewed once. */
export function createApi(bearer: Bearer): Api {
  return async (name, input = {}) => {
    let response = await send(name, input, bearer.token());
    if (response.status === 401 && (await bearer.renew())) response = await send(name, input, bearer.token());
    if (response.status === 401) {
      bearer.expire();
      throw new ProblemError({ code: 'session_ended', title: 'The session has ended', detail: 'Log in again.' });
    }
    if (!response.ok) throw await readProblem(response);
    return await response.json();
  };
}

async function send(name: ManageRouteName, input: ApiInput, token = ''): Promise<Response> {
  const { method, path } = manageRoutes[name];
  const { body, ifMatch, signal } = input;
  return await fetch(fillPath(path, input.path) + queryOf(input.query), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

function fillPath(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryOf(values: ApiInput['query'] = {}): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
