import { type ApiKey, importSecret } from './api-key.ts';
import { AuthServiceError, UnavailableError } from './client-error.ts';
import { type IsExpected, type Members, readAnswer } from './read-answer.ts';
import { readBaseUrl } from './read-base-url.ts';
import { sign } from './sign-request.ts';
import { pause, withTimeLimit } from './time-limit.ts';

/** Where the service is, who calls it, and with how much patience. */
export interface AuthServiceClientOptions extends ApiKey {
  /** Scheme and host, such as `https://auth.example.com`. */
  readonly baseUrl: string | URL;
  /** How long one request may take, and the server may ask to wait before the next one; 10 by default. */
  readonly timeoutSeconds?: number;
  /** Requests of one call; 4 by default, 1 is no retry. */
  readonly maxAttempts?: number;
  /** Lets `http://` reach other machines, where whoever stands in between can answer "enabled"; false by default. */
  readonly allowHttp?: boolean;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** One request to the service. */
export interface Call {
  readonly method: string;
  /** Path below the service's and query, encoded. */
  readonly target: string;
  readonly body?: object | undefined;
  readonly ifVersion?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a call, signed anew for each attempt, until there is an answer that is expected, or no hope. */
export type Send = (call: Call, isExpected: IsExpected) => Promise<Members>;

export function createSend(options: AuthServiceClientOptions): Send {
  const { keyId, timeoutSeconds = 10, maxAttempts = 4, fetch: send = (request) => fetch(request) } = options;
  const origin = readBaseUrl(options.baseUrl, options.allowHttp);
  const key = { keyId, secret: importSecret(options.secret) };
  let clockOffset = 0;

  async function attempt({ method, target, body, ifVersion, signal }: Call, isExpected: IsExpected) {
    const headers: Record<string, string> = {
      ...(body && { 'content-type': 'application/json' }),
      ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
    };
    try {
      return await withTimeLimit(timeoutSeconds * 1000, signal, async (limited) => {
        const request = new Request(`${origin}/api/service/${target}`, {
          method,
          headers,
          body: JSON.stringify(body, keepWrong),
          // Comes back as an answer that is none. "error" would do too, but Cloudflare does not know it.
          redirect: 'manual',
          signal: limited,
        });
        const { signed, base } = await sign(request, key, {
          created: (Date.now() + clockOffset) / 1000,
          // A condition that was lost on the way would leave an unconditional write.
          cover: Object.keys(headers),
        });
        return await readAnswer(await send(signed), base, isExpected);
      });
    } catch (cause) {
      signal?.throwIfAborted();
      // fetch itself only says that it failed; why is in its cause.
      return new UnavailableError({ code: 'no_answer', detail: `${cause} ${(cause as Error).cause ?? ''}`, cause });
    }
  }

  return async (call, isExpected) => {
    let clockIsSet: boolean | undefined;
    for (let attempts = 1; ; attempts++) {
      const answer = await attempt(call, isExpected);
      if (!(answer instanceof AuthServiceError)) return answer;
      answer.attempts = attempts;
      const { retryAfterSeconds = 0, problem } = answer;
      const serverTime = Date.parse(problem?.serverTime);
      if (serverTime && !clockIsSet) {
        clockOffset = serverTime - Date.now();
        clockIsSet = true;
        continue;
      }
      // Written so that what is no number ends it.
      const mayPass = answer instanceof UnavailableError && retryAfterSeconds <= timeoutSeconds;
      if (!(mayPass && attempts < maxAttempts)) throw answer;
      // Spreads those who wait for the same: up to 0.2 s, 0.4 s, 0.8 s … 5 s.
      await pause(retryAfterSeconds * 1000 + Math.random() * Math.min(5000, 100 * 2 ** attempts), call.signal);
    }
  };
}

/** JSON makes null of a date or number that is none, and null is "never": the service shall refuse it instead. */
function keepWrong(this: Members, key: string, value: unknown): unknown {
  return (value === null && this[key]) || typeof value === 'number' ? `${this[key]}` : value;
}
