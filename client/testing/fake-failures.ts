import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { type OptionRule, readOptions } from '../read-options.ts';
import type { ErrorCode } from '../service-contract.ts';
import type { ServiceInstance } from './service-instance.ts';

/**
 * The failure of a request: no answer, no answer until its signal aborts, or an answer that is lost although the request took
 * effect; otherwise an error of the service, or a bare status, such as that of a proxy.
 */
export type FakeFailure =
  | 'no answer'
  | 'hang'
  | 'lost answer'
  | {
      /** An error of the service. */
      readonly code: ErrorCode;
      /** The `Retry-After` of the answer, in seconds. */
      readonly retryAfterSeconds?: number;
    }
  | {
      /** A bare HTTP status. */
      readonly status: number;
    };

/** The failures that a test has requested. */
export interface FakeFailures {
  fail(failure: FakeFailure, options?: { readonly times?: number | undefined }): void;
  recover(): void;
  /** Expires all cursors of changes returned so far. */
  expireCursors(): void;
  /** Lets the service answer a request, or fails it. */
  run(request: Request, requestId: string): Promise<Response>;
}

/** Creates the failures of a service. */
export function createFailures({ receive, refuse }: ServiceInstance): FakeFailures {
  let current: { readonly failure: FakeFailure; left: number } | undefined;
  const returnedCursors = new Set<string>();
  let expiredCursors = new Set<string>();

  async function answer(request: Request, requestId: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/api/service/changes' && expiredCursors.has(searchParams.get('after') ?? ''))
      return refuse('cursor_expired', request, requestId);
    const response = await receive(request, requestId);
    const { cursor, changesCursor } = Object(await response.clone().json());
    for (const each of [cursor, changesCursor]) {
      returnedCursors.add(each);
      // The same position may be returned again.
      expiredCursors.delete(each);
    }
    return response;
  }

  return {
    fail(failure, options = {}) {
      readOptions('fail', { failure }, { failure: ['a failure as its type says', isFailure, true] });
      const { times = Number.POSITIVE_INFINITY } = readOptions('fail', options, { times: aNumberFrom0 });
      current = { failure, left: times };
    },
    recover() {
      current = undefined;
    },
    expireCursors() {
      expiredCursors = new Set(returnedCursors);
    },
    async run(request, requestId) {
      if (current === undefined || current.left <= 0) return answer(request, requestId);
      current.left--;
      return fail(current.failure, { request, requestId, answer, refuse });
    },
  };
}

const withoutAnswer: readonly unknown[] = ['no answer', 'hang', 'lost answer'] satisfies FakeFailure[];

function isFailure(failure: unknown): boolean {
  const { code, status } = Object(failure);
  return withoutAnswer.includes(failure) || Number.isInteger(status) || Object.hasOwn(errorCatalogue, code);
}

const aNumberFrom0: OptionRule = ['0 or more', (value) => typeof value === 'number' && value >= 0];

interface FailedRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly answer: (request: Request, requestId: string) => Promise<Response>;
  readonly refuse: ServiceInstance['refuse'];
}

async function fail(failure: FakeFailure, { request, requestId, answer, refuse }: FailedRequest): Promise<Response> {
  if (failure === 'lost answer') await answer(request, requestId);
  if (failure === 'hang') await untilAborted(request.signal);
  if (typeof failure === 'string') throw new TypeError('fetch failed', { cause: new Error(failure) });
  if ('status' in failure) return new Response('', { status: failure.status });
  const response = refuse(failure.code, request, requestId);
  if (failure.retryAfterSeconds !== undefined) response.headers.set('retry-after', String(failure.retryAfterSeconds));
  return response;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
