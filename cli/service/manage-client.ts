import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '#shared/contract/operation.ts';
import { type ManageAnswers, type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';
import { CliError, errorFromResponse, exitCodes } from '../terminal/cli-error.ts';
import { awaitAnswer, patienceOf } from './await-answer.ts';
import { localName } from './deployments.ts';
import type { Service } from './find-service.ts';
import { type ExactCall, type ManageCall, manageRequest, type UnsignedRequest } from './manage-request.ts';
import { AnswerTimeout, type NoAnswer, type Reply } from './send-signed.ts';

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
  /** How long to wait for the answer to a request. Default: 35 s, or 8 s if the service does not answer anything. */
  readonly timeoutSeconds?: number | undefined;
}

const maxAttempts = 4;
/** After an attempt that took longer than this, a message says why the command retries. */
const longWaitMilliseconds = 5000;

/** A client that retries temporary failures. */
export function createManageClient({
  service: findService,
  note,
  debug,
  timeoutSeconds,
}: ManageClientOptions): ManageClient {
  const patience = patienceOf(timeoutSeconds);
  let found: Service | undefined;
  const getService = () => {
    found ??= findService();
    return found;
  };
  const send = async (request: UnsignedRequest) => {
    const service = getService();
    // Signing in may take as long as it needs.
    await service.credentials();
    let heardAt = Date.now();
    for (let attempt = 1; ; attempt++) {
      const startedAt = Date.now();
      const { reply, ...heard } = await awaitAnswer(service, request, { ...patience, heardAt });
      heardAt = heard.heardAt;
      const took = Date.now() - startedAt;
      debug?.(`${request.method} ${service.url}${request.path} ${describe(reply)} ${took} ms`);
      if (!isTemporary(reply) || attempt === maxAttempts) return reply;
      const delay = delayMilliseconds(attempt, reply);
      if (Date.now() + delay > heardAt + patience.silence) return reply;
      if (took > longWaitMilliseconds) note(`${describe(reply)}; retrying (${attempt + 1} of ${maxAttempts}) …`);
      await pause(delay);
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

/** Whether the same request may succeed on a retry. A timeout is final: the user has waited long enough. */
function isTemporary(reply: Reply): boolean {
  if (reply.kind === 'none') return !(reply.cause instanceof AnswerTimeout);
  return reply.status === 429 || reply.status === 503;
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
      notes: [...(reply.sent ? unknown : []), ...adviceOf(reply, service)],
      cause: reply.cause,
    });
  }
  const body = parse(reply.text);
  if (reply.status < 200 || reply.status > 299)
    throw errorFromResponse(reply, body, reply.status >= 500 ? unknown : []);
  if (body !== undefined) return body as Answer;
  throw new CliError(`${service.url} answered ${reply.status} with a body that is not JSON. Check the URL.`);
}

/** What to check if there was no answer. */
function adviceOf({ cause, code }: NoAnswer, { name }: Service): string[] {
  if (cause instanceof AnswerTimeout)
    return ['Check that the service runs, and the VPN or proxy in between. To wait longer, add: --timeout 120'];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ['Check the URL, and that this machine can resolve names.'];
  if (code !== 'ECONNREFUSED') return ['Check the network between this machine and the service.'];
  return [name === localName ? 'The local service has stopped. Start it with: npm start' : 'Check the URL.'];
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
