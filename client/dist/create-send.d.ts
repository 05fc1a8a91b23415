import { type ApiKey } from './client-key.js';
import { type IsExpected, type Members } from './read-answer.js';
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
export declare function createSend(options: AuthServiceClientOptions): Send;
