import { type CircuitOptions, createCircuit } from './circuit.ts';
import { AuthServiceError, UnavailableError } from './client-error.ts';
import { type ClientHooks, tell } from './client-hooks.ts';
import { type ApiKey, createKeyReader, type ImportedKey, type KeySource, keyRules } from './client-key.ts';
import { type Members, readAnswer } from './read-answer.ts';
import { anObject, isObject, readOptions, readOrigin } from './read-options.ts';
import { maxSkew, readSkew } from './server-clock.ts';
import { sign } from './sign-request.ts';
import { pause, timeOut, withTimeLimit } from './time-limit.ts';

/** The service to call, the API key, and the limits of time and attempts. */
export type AuthServiceClientOptions = ClientSettings & (ApiKey | KeyOption);

/** The key as one option, which a function can read again for a rotation. */
export interface KeyOption {
  /** The key, or a function that returns it or a promise of it; called for each call. */
  readonly key: KeySource;
}

/** All options but the key. */
export interface ClientSettings {
  /** Scheme and host, such as `https://auth.example.com`. */
  readonly baseUrl: string | URL;
  /** How long a call may take, including all attempts and the pauses between them; 10 by default, at most 300. */
  readonly timeoutSeconds?: number;
  /** Requests per call; 4 by default, 1 means no retry, at most 100. Each may take its share of the remaining time. */
  readonly maxAttempts?: number;
  /** When calls fail immediately because earlier ones timed out. */
  readonly circuit?: CircuitOptions;
  /** Callbacks for each request, for telemetry. */
  readonly hooks?: ClientHooks;
  /** Allows `http://` to other machines, where anyone on the network can answer "enabled"; false by default. */
  readonly allowHttp?: boolean;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Returns the time in milliseconds by which requests are signed and blocks expire; `Date.now` by default. For tests. */
  readonly now?: () => number;
}

/** One call of the service. */
export interface Call {
  readonly method: string;
  /** The path below `/api/service/`, with `{userId}` for an id. */
  readonly path: string;
  /** The path with the encoded id and the query; `path` by default. */
  readonly target?: string;
  /** Whether the call changes nothing, like every GET. */
  readonly reads?: boolean;
  readonly body?: object | undefined;
  readonly ifVersion?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: the time limit of the options. */
  readonly maxAttempts?: number | undefined;
  /** Whether a body is a valid answer to this call with this key. */
  isExpected(body: Members, keyId: string, headers: Headers): boolean;
}

/**
 * Sends a call until the response is the expected one, a retry cannot help, or the time is over. All attempts share one nonce,
 * so the service acts once and answers a retry with the outcome of the first attempt that it received. A 409
 * `nonce_replayed` means that the same bytes arrived twice, which anything on the way can cause, even for the first attempt.
 * It is retried like any temporary failure: the next attempt has a new signature and gets the outcome.
 */
export type Send = (call: Call) => Promise<Members>;

/** The internals of a client that the other entry points use. */
export interface ClientInternals {
  /** The origin of the service, without a trailing slash. */
  readonly origin: string;
  /** The key of the next call. */
  readonly readKey: () => ImportedKey | Promise<ImportedKey>;
  readonly send: Send;
  /** The clock of the options, in milliseconds. */
  readonly now: () => number;
}

/** How long the service returns the outcome of an attempt; later attempts must not use the same nonce. */
const maxCallSeconds = 300;

function readClientOptions(given: AuthServiceClientOptions): AuthServiceClientOptions {
  const { allowHttp } = Object(given);
  return readOptions('AuthServiceClient', given, {
    baseUrl: ['https://host, or http://host with allowHttp', (url) => readOrigin(url, allowHttp) !== '', true],
    ...('key' in Object(given) ? { key: ['{ keyId, secret } or a function', isObject, true] } : keyRules),
    timeoutSeconds: maxCallSeconds,
    maxAttempts: 100,
    circuit: anObject,
    hooks: anObject,
    allowHttp: 'boolean',
    fetch: 'function',
    now: 'function',
  });
}

export function createSend(given: AuthServiceClientOptions): ClientInternals {
  const options = readClientOptions(given);
  const {
    timeoutSeconds = 10,
    maxAttempts: attemptsByDefault = 4,
    hooks: givenHooks = {},
    fetch: fetchAnswer = (request) => fetch(request),
    now = () => Date.now(),
  } = options;
  const origin = readOrigin(options.baseUrl, options.allowHttp);
  const hooks = readOptions('hooks', givenHooks, {
    onRequest: 'function',
    onResponse: 'function',
    onRetry: 'function',
  });
  const readKey = createKeyReader('key' in options ? options.key : options);
  const circuit = createCircuit(options.circuit);
  let skew = 0;

  const sendCall: Send = async (call) => {
    const { method, path, target = path, reads = method === 'GET', body, ifVersion, signal } = call;
    const { maxAttempts = attemptsByDefault } = call;
    const operation = `${method} ${path}`;
    const nonce = crypto.randomUUID();
    const end = now() + timeoutSeconds * 1000;
    let key: ImportedKey | undefined;
    let time = 0;
    let sent = 0;
    let clockIsSet = false;

    // No write is signed ahead of this machine's time: an attacker who forges a response could delay the write and send it
    // later.
    const offset = () => Math.max(-maxSkew, Math.min(reads ? maxSkew : 0, skew));

    async function send(attempt: number): Promise<Members> {
      const event = { operation, attempt };
      const startedAt = now();
      let response: Response | undefined;
      let error: AuthServiceError | undefined;
      tell(hooks.onRequest, event);
      try {
        const share = Math.max(0, end - startedAt) / Math.max(1, maxAttempts - attempt + 1);
        return await withTimeLimit(share, signal, async (limited) => {
          const request = new Request(`${origin}/api/service/${target}`, {
            method,
            headers: {
              ...(body && { 'content-type': 'application/json' }),
              ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
            },
            body: JSON.stringify(body, keepInvalid),
            // A redirect becomes an unexpected response. "error" would also work, but Cloudflare does not support it.
            redirect: 'manual',
            signal: limited,
          });
          // The same key for all attempts: with another key, the nonce would identify another call.
          key ??= await readKey();
          const { keyId } = key;
          // At least a second after the previous attempt, so that no two signatures are the same.
          time = Math.max(time + 1000, now());
          const created = (time + offset()) / 1000;
          // By the service's clock: a delayed attempt cannot take effect after the caller has seen the failure.
          const { signed, base } = await sign(request, key, { nonce, created, expires: (end + skew) / 1000 });
          limited.throwIfAborted();
          sent++;
          const answer = await fetchAnswer(signed);
          response = answer;
          return readAnswer(answer, { nonce, base }, (members) => call.isExpected(members, keyId, answer.headers));
        });
      } catch (cause) {
        error = errorOf(cause, signal);
        throw error;
      } finally {
        tell(hooks.onResponse, {
          ...event,
          durationMs: now() - startedAt,
          status: response?.status,
          requestId: response?.headers.get('apigw-requestid'),
          code: error?.code,
        });
      }
    }

    /** How long to wait before a retry; NaN if a retry cannot help. */
    function delayAfter(error: AuthServiceError, attempt: number): number {
      const before = skew;
      skew = readSkew(error, now()) ?? skew;
      if (Math.abs(skew - before) > 1000 && !clockIsSet) {
        clockIsSet = true;
        return 0;
      }
      if (!(error instanceof UnavailableError && attempt < maxAttempts)) return Number.NaN;
      // Jitter, so that clients do not retry in sync: up to 0.2 s, 0.4 s, 0.8 s … 5 s.
      return (error.retryAfterSeconds ?? 0) * 1000 + Math.random() * Math.min(5000, 100 * 2 ** attempt);
    }

    circuit.enter();
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await send(attempt);
        circuit.leave(false);
        return answer;
      } catch (failure) {
        const error = failure as AuthServiceError;
        const { code, cause } = error;
        const delayMs = delayAfter(error, attempt);
        error.attempts = sent;
        if (!(delayMs < end - now())) {
          if (code !== 'aborted') circuit.leave(cause === timeOut);
          throw error;
        }
        tell(hooks.onRetry, { operation, attempt, code, delayMs });
        await pause(delayMs, signal);
      }
    }
  };
  return { origin, readKey, send: sendCall, now };
}

function errorOf(cause: unknown, signal: AbortSignal | undefined): AuthServiceError {
  if (cause instanceof AuthServiceError) return cause;
  if (signal?.aborted)
    return new AuthServiceError({ code: 'aborted', detail: `${signal.reason}`, cause: signal.reason });
  // The message of fetch says only that it failed; its cause says why.
  const detail = `${cause} ${(cause as Error | undefined)?.cause ?? ''}`;
  return new UnavailableError({ code: 'no_answer', detail, cause });
}

/** Sends an invalid date or number as text, which the service rejects. JSON would write null, which means "never". */
function keepInvalid(this: Members, key: string, value: unknown): unknown {
  return (value === null && this[key]) || typeof value === 'number' ? `${this[key]}` : value;
}
