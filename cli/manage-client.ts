import { setTimeout as pause } from 'node:timers/promises';
import type { ManageAnswers } from '#shared/contract/manage-answers.ts';
import type { ManageRouteName } from '#shared/contract/manage-routes.ts';
import { CliError, exitCodes } from './cli-error.ts';
import type { Service } from './find-service.ts';
import { type ManageCall, manageRequest } from './manage-request.ts';
import { refusal } from './refusal.ts';
import { type Reply, sendSigned } from './send-signed.ts';

/** The Management API as typed calls; whatever is no success is a CliError. */
export interface ManageClient {
  /** Of the service, without a slash at the end. */
  readonly url: string;
  call<Name extends ManageRouteName>(name: Name, call: ManageCall<Name>): Promise<ManageAnswers[Name]>;
}

export interface ManageClientOptions {
  /** Looked for with the first call. */
  readonly service: () => Service;
  /** Takes what people should know while they wait. */
  readonly note: (line: string) => void;
  /** Takes a line for each request and its answer. */
  readonly debug?: ((line: string) => void) | undefined;
}

/** Sent twice, these would do something twice, or say that it is there already. */
const onceOnly: readonly ManageRouteName[] = ['create-application', 'create-user', 'issue-key', 'rotate-key'];
const maxAttempts = 4;
/** Who has waited so long wants to know why. */
const longWaitMilliseconds = 5000;

export function createManageClient({ service: find, note, debug }: ManageClientOptions): ManageClient {
  let found: Service | undefined;
  const once = () => {
    found ??= find();
    return found;
  };
  return {
    get url() {
      return once().url;
    },
    async call(name, call) {
      const service = once();
      const request = manageRequest(name, call);
      const repeatable = !onceOnly.includes(name);
      for (let attempt = 1; ; attempt++) {
        const startedAt = Date.now();
        const reply = await sendSigned(service, request);
        const took = Date.now() - startedAt;
        debug?.(`${request.method} ${service.url}${request.path} ${describe(reply)} ${took} ms`);
        if (!repeatable || !mayPass(reply) || attempt === maxAttempts) return read(reply, { service, repeatable });
        if (took > longWaitMilliseconds) note(`${describe(reply)}; trying again (${attempt + 1} of ${maxAttempts}) …`);
        await pause(delayMilliseconds(attempt, reply));
      }
    },
  };
}

/** Whether the same request may succeed a little later. */
function mayPass(reply: Reply): boolean {
  return reply.kind === 'none' || reply.status === 429 || reply.status === 503;
}

/** Exponential with full jitter, and not before the server wants it: 0.1 to 5 s, at most 10 s at its wish. */
function delayMilliseconds(attempt: number, reply: Reply): number {
  const wished = reply.kind === 'answer' ? Number(reply.headers.get('retry-after') ?? 0) * 1000 : 0;
  const longest = Math.min(5000, 200 * 2 ** attempt);
  return Math.min(10_000, wished || 0) + Math.max(100, Math.random() * longest);
}

function read<Answer>(reply: Reply, { service, repeatable }: { service: Service; repeatable: boolean }): Answer {
  const unknown = repeatable ? [] : ['It may have taken effect all the same: look before you try again.'];
  if (reply.kind === 'none') {
    throw new CliError(`Could not reach ${service.url}: ${reply.reason}`, {
      exitCode: exitCodes.unavailable,
      notes: reply.sent ? unknown : [],
      cause: reply.cause,
    });
  }
  const body = parse(reply.text);
  if (reply.status < 200 || reply.status > 299) throw refusal(reply, body, reply.status >= 500 ? unknown : []);
  if (body !== undefined) return body as Answer;
  throw new CliError(`${service.url} answered ${reply.status} with something else than JSON. Is the URL right?`);
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
