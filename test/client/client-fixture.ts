import { jest } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import { type AuthServiceClientOptions, AuthServiceError } from '../../client/index.ts';

/** A key that no service has issued. */
export const testKey = {
  keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX',
  secret: 'svs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
};

export const access = {
  userId: 'ada',
  appId: 'billing',
  status: 'enabled',
  explicit: false,
  ...unsetFields(accessFields),
  userStatus: 'active',
  effectiveStatus: 'enabled',
  decidedBy: 'default',
  roles: [],
  version: 0,
  updatedAt: null,
};

/** A problem document with this code. */
export function problem(code: string, members: object = {}) {
  return { type: `/docs/errors#${code}`, title: 'T', status: 0, detail: 'D', code, requestId: 'R', ...members };
}

/** Returns the client's error of a call; a success or another kind of error fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<AuthServiceError> {
  const outcome = await call.then(
    (answer) => new Error(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof AuthServiceError) return outcome;
  throw outcome;
}

/** Removes the random pause between retries, but not the Retry-After of the server. */
export function withoutJitter(): void {
  jest.spyOn(Math, 'random').mockReturnValue(0);
}

/** The answer as the service sends it: with the nonce of the request, and a refusal as a problem document. */
export function answerTo({ headers: asked }: Request, answer: Response): Response {
  const headers = new Headers(answer.headers);
  const { nonce = '' } = readStamp(asked.get('signature-input'));
  headers.set('request-nonce', nonce);
  if (answer.status >= 400) headers.set('content-type', 'application/problem+json');
  return new Response(answer.body, { status: answer.status, headers });
}

/** A fetch that returns the result of a function, and the requests that it received. */
export function stubFetch(answer: (request: Request, count: number) => Response | Promise<Response>) {
  const requests: Request[] = [];
  const fetch: NonNullable<AuthServiceClientOptions['fetch']> = async (request) => {
    requests.push(request.clone());
    return answerTo(request, await answer(request, requests.length));
  };
  return { requests, fetch };
}

/** The times and the nonce with which a request was signed; a missing `expires` is NaN. */
export function readStamp(signatureInput: unknown) {
  const [, created, nonce, expires] =
    /;created=(\d+);nonce="([^"]+)";keyid="[^"]+"(?:;expires=(\d+))?$/.exec(String(signatureInput)) ?? [];
  return { created: Number(created), nonce, expires: Number(expires) };
}
