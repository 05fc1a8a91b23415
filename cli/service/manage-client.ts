import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '#shared/contract/operation.ts';
import { type ManageAnswers, type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { CliError, errorFromResponse, exitCodes } from '../terminal/cli-error.ts';
import type { Service } from './find-service.ts';
import { type ExactCall, type ManageCall, manageRequest, type UnsignedRequest } from './manage-request.ts';
import { type Reply, sendSigned } from './send-signed.ts';

/** The Management API as typed calls; every failure is a CliError. */
export interface ManageClient {
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  /**
   * Sends one call. All requests of a write have the same `Idempotency-Key`, a new one unless it is passed. After a 202 the
   * call is repeated until it is complete.
   */
  call<Name extends ManageOperationName, Call extends ManageCall<Name>>(
    name: Name,
    call: Call & ExactCall<Name, Call>,
    idempotencyKey?: string,
  ): Promise<ManageAnswers[Name]>;
}

export interface ManageClientOptions {
  /** Called once, before the first request. */
  readonly service: () => Service;
  /** Receives messages for the user during long waits. */
  readonly note: (line: string) => void;
  /** Receives a line for each request and its response. */
  readonly debug?: ((line: string) => void) | undefined;
}

const maxAttempts = 4;
/** After an attempt that took longer than this, a message says why the command retries. */
const longWaitMilliseconds = 5000;

/** A client that retries temporary failures. */
export function createManageClient({ service: findService, note, debug }: ManageClientOptions): ManageClient {
  let found: Service | undefined;
  const getService = () => {
    found ??= findService();
    return found;
  };
  const send = async (request: UnsignedRequest) => {
    const service = getService();
    for (let attempt = 1; ; attempt++) {
      const startedAt = Date.now();
      const reply = await sendSigned(service, request);
      const took = Date.now() - startedAt;
      debug?.(`${request.method} ${service.url}${request.path} ${describe(reply)} ${took} ms`);
      if (!isTemporary(reply) || attempt === maxAttempts) return reply;
      if (took > longWaitMilliseconds) note(`${describe(reply)}; retrying (${attempt + 1} of ${maxAttempts}) …`);
      await pause(delayMilliseconds(attempt, reply));
    }
  };
  return {
    get url() {
      return getService().url;
    },
    async call(name, call, idempotencyKey) {
      const request = manageRequest(name, call, idempotencyKey);
      for (;;) {
        const reply = await send(request);
        if (reply.kind === 'none' || reply.status !== 202)
          return read(reply, {
            service: getService(),
            repeatable: idempotencyKey !== undefined || !alwaysCreates(manageOperations[name]),
          });
        await pause((retryAfterSeconds(reply) || 1) * 1000);
      }
    },
  };
}

/** A new command would create a second key, or fail because the first one has succeeded. */
function alwaysCreates({ statuses = [200] }: Operation): boolean {
  return statuses.every((status) => status === 201);
}

/** Whether the same request may succeed on a retry. */
function isTemporary(reply: Reply): boolean {
  return reply.kind === 'none' || reply.status === 429 || reply.status === 503;
}

/** Exponential backoff with full jitter, 0.1 to 5 s, on top of the server's Retry-After. */
function delayMilliseconds(attempt: number, reply: Reply): number {
  const longest = Math.min(5000, 200 * 2 ** attempt);
  return retryAfterSeconds(reply) * 1000 + Math.max(100, Math.random() * longest);
}

/** The server's Retry-After, at most 10 s; 0 without one. */
function retryAfterSeconds(reply: Reply): number {
  const retryAfter = reply.kind === 'answer' ? Number(reply.headers.get('retry-after') ?? 0) : 0;
  return Math.min(10, retryAfter || 0);
}

function read<Answer>(reply: Reply, { service, repeatable }: { service: Service; repeatable: boolean }): Answer {
  const unknown = repeatable ? [] : ['The request may have taken effect: check before you retry.'];
  if (reply.kind === 'none') {
    throw new CliError(`Could not reach ${service.url}: ${reply.reason}`, {
      exitCode: exitCodes.unavailable,
      notes: reply.sent ? unknown : [],
      cause: reply.cause,
    });
  }
  const body = parse(reply.text);
  if (reply.status < 200 || reply.status > 299)
    throw errorFromResponse(reply, body, reply.status >= 500 ? unknown : []);
  if (body !== undefined) return body as Answer;
  throw new CliError(`${service.url} answered ${reply.status} with a body that is not JSON. Check the URL.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(reply: Reply): string {
  if (reply.kind === 'none') return reply.reason;
  return `${reply.status} ${reply.headers.get('x-amzn-requestid') ?? ''}`.trimEnd();
}
