import type { ErrorCode } from './client-error.ts';

/**
 * What the client tells telemetry about its requests; never a secret, and no body. The functions are called in the midst of
 * a call, which neither waits for them nor fails with them.
 */
export interface ClientHooks {
  /** Before a request is signed and sent. */
  readonly onRequest?: (request: RequestEvent) => void;
  /** After its answer, and also when there was none. */
  readonly onResponse?: (response: ResponseEvent) => void;
  /** Before the pause that another attempt follows. */
  readonly onRetry?: (retry: RetryEvent) => void;
}

/** One request of a call. */
export interface RequestEvent {
  /** Method and path below `/api/service/`, such as `GET users/{userId}/access`; the same for every user. */
  readonly operation: string;
  /** 1 for the first request of a call. */
  readonly attempt: number;
}

/** The end of one request. */
export interface ResponseEvent extends RequestEvent {
  readonly durationMs: number;
  /** Of the HTTP answer; undefined when there was none. */
  readonly status: number | undefined;
  /** By which the service's operators find the request; undefined or null when there was no answer of the service. */
  readonly requestId: string | null | undefined;
  /** Why it failed; undefined if it did not. */
  readonly code: ErrorCode | undefined;
}

/** A request that is sent again. */
export interface RetryEvent extends RequestEvent {
  readonly code: ErrorCode;
  /** How long the client waits before the next attempt. */
  readonly delayMs: number;
}

/** Calls a hook, if there is one; its failures are its own. */
export function tell<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event);
  } catch {}
}
