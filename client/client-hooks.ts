import type { ErrorCode } from './client-error.ts';

/**
 * Callbacks for telemetry about requests; they never receive secrets or bodies. The client does not wait for them and ignores
 * their failures.
 */
export interface ClientHooks {
  /** Before a request is signed and sent. */
  readonly onRequest?: (request: RequestEvent) => void;
  /** After each request, with or without a response. */
  readonly onResponse?: (response: ResponseEvent) => void;
  /** Before the pause that precedes another attempt. */
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
  /** How long the request took, in milliseconds. */
  readonly durationMs: number;
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** The id by which the service's operators find the request; undefined or null without a response of the service. */
  readonly requestId: string | null | undefined;
  /** The failure; undefined after a success. */
  readonly code: ErrorCode | undefined;
}

/** A retry. */
export interface RetryEvent extends RequestEvent {
  /** Why the last attempt failed. */
  readonly code: ErrorCode;
  /** How long the client waits before the next attempt. */
  readonly delayMs: number;
}

/** Calls a hook, if there is one, and ignores its failures. */
export function tell<Told extends readonly unknown[]>(
  hook: ((...told: Told) => void) | undefined,
  ...told: Told
): void {
  try {
    hook?.(...told);
  } catch {}
}
