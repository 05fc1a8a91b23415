import { AuthServiceError, UnavailableError } from './client-error.ts';
import { type ApiKey, importKey } from './client-key.ts';
import { type IsExpected, type Members, readAnswer } from './read-answer.ts';
import { readBaseUrl } from './read-base-url.ts';
import { sign } from './sign-request.ts';
import { pause, withTimeLimit } from './time-limit.ts';

/** Where the service is, which key calls it, and how long it waits and retries. */
export interface AuthServiceClientOptions extends ApiKey {
  /** Scheme and host, such as `https://auth.example.com`. */
  readonly baseUrl: string | URL;
  /** How long one request may take, and the longest `Retry-After` that is obeyed; 10 by default. */
  readonly timeoutSeconds?: number;
  /** Requests of one call; 4 by default, 1 means no retry. */
  readonly maxAttempts?: number;
  /** Allows `http://` to other machines, where anybody on the network can answer "enabled"; false by default. */
  readonly allowHttp?: boolean;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** One request to the service. */
export interface Call {
  readonly method: string;
  /** Path below `/api/service/` and query, encoded. */
  readonly target: string;
  readonly body?: object | undefined;
  readonly ifVersion?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a call until the answer is the expected one or no retry can help. One nonce names all its attempts, so the service
 * acts once and answers a repeated attempt with the outcome of the first that it received. A 409 `nonce_replayed` says
 * that the same bytes arrived twice, which anything on the way can cause, also for the first attempt. It is retried like
 * any failure that may pass: the next signature is another one, so it gets the outcome.
 */
export type Send = (call: Call, isExpected: IsExpected) => Promise<Members>;

/** The service answers with the outcome of an attempt for this long; after it, no attempt may have the same nonce. */
const callLimitMilliseconds = 300_000;

export function createSend(options: AuthServiceClientOptions): Send {
  const { timeoutSeconds = 10, maxAttempts = 4, fetch: send = (request) => fetch(request) } = options;
  const origin = readBaseUrl(options.baseUrl, options.allowHttp);
  const key = importKey(options);
  let clockOffset = 0;

  async function attempt(
    { method, target, body, ifVersion, signal }: Call,
    isExpected: IsExpected,
    stamp: { readonly nonce: string; readonly created: number },
  ): Promise<Members | AuthServiceError> {
    const headers: Record<string, string> = {
      ...(body && { 'content-type': 'application/json' }),
      ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
    };
    try {
      return await withTimeLimit(timeoutSeconds * 1000, signal, async (limited) => {
        const request = new Request(`${origin}/api/service/${target}`, {
          method,
          headers,
          body: JSON.stringify(body, keepInvalid),
          // A redirect becomes an unexpected answer. "error" would do too, but Cloudflare does not support it.
          redirect: 'manual',
          signal: limited,
        });
        const { signed, base } = await sign(request, key, stamp);
        return readAnswer(await send(signed), base, isExpected);
      });
    } catch (cause) {
      signal?.throwIfAborted();
      // The message of fetch says only that it failed; its cause says why.
      return new UnavailableError({ code: 'no_answer', detail: `${cause} ${(cause as Error).cause ?? ''}`, cause });
    }
  }

  return async (call, isExpected) => {
    const nonce = crypto.randomUUID();
    const end = Date.now() + callLimitMilliseconds;
    let time = 0;
    let clockIsSet: boolean | undefined;
    let answer: Members | AuthServiceError | undefined;
    for (let attempts = 1; Date.now() <= end; attempts++) {
      // At least a second after the attempt before, so that no two signatures are the same.
      time = Math.max(time + 1000, Date.now());
      answer = await attempt(call, isExpected, { nonce, created: (time + clockOffset) / 1000 });
      if (!(answer instanceof AuthServiceError)) return answer;
      answer.attempts = attempts;
      const { retryAfterSeconds = 0, problem } = answer;
      const serverTime = Date.parse(problem?.serverTime);
      if (serverTime && !clockIsSet) {
        clockOffset = serverTime - Date.now();
        clockIsSet = true;
        continue;
      }
      // Written so that a value that is not a number ends the retries.
      const mayPass = answer instanceof UnavailableError && retryAfterSeconds <= timeoutSeconds;
      if (!(mayPass && attempts < maxAttempts)) break;
      // Jitter, so that clients do not retry together: up to 0.2 s, 0.4 s, 0.8 s … 5 s.
      await pause(retryAfterSeconds * 1000 + Math.random() * Math.min(5000, 100 * 2 ** attempts), call.signal);
    }
    throw answer;
  };
}

/** JSON writes an invalid date or number as null, which means "never": sent as text, the service refuses it instead. */
function keepInvalid(this: Members, key: string, value: unknown): unknown {
  return (value === null && this[key]) || typeof value === 'number' ? `${this[key]}` : value;
}
