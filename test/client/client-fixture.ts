import { jest } from '@jest/globals';
import { type AuthServiceClientOptions, AuthServiceError } from '../../client/index.ts';

/** Visibly no key of any service. */
export const testKey = {
  keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX',
  secret: 'svs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
};

export const access = {
  userId: 'ada',
  appId: 'billing',
  status: 'enabled',
  explicit: false,
  until: null,
  reason: null,
  userStatus: 'active',
  effectiveStatus: 'enabled',
  decidedBy: 'default',
  roles: [],
  version: 0,
  updatedAt: null,
};

/** A problem document of this code. */
export function problem(code: string, members: object = {}) {
  return { type: `/docs/errors#${code}`, title: 'T', status: 0, detail: 'D', code, requestId: 'R', ...members };
}

/** The error of the client that a call ends in; another one, or an answer, fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<AuthServiceError> {
  const outcome = await call.then(
    (answer) => new Error(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof AuthServiceError) return outcome;
  throw outcome;
}

/** Lets retries follow each other without a pause, but for what the server asks. */
export function withoutJitter(): void {
  jest.spyOn(Math, 'random').mockReturnValue(0);
}

/** A fetch that answers what a function says, and the requests that it got. */
export function stubFetch(answer: (request: Request, count: number) => Response | Promise<Response>) {
  const requests: Request[] = [];
  const fetch: NonNullable<AuthServiceClientOptions['fetch']> = async (request) => {
    requests.push(request.clone());
    return answer(request, requests.length);
  };
  return { requests, fetch };
}
