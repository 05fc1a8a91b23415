import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { listenOn } from '../../local/listen.ts';
import { faultOfSigv4 } from './verify-sigv4.ts';

export interface StubReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Ends the connection instead of answering. */
  readonly hangUp?: boolean;
  /** The response waits for this promise. */
  readonly after?: Promise<unknown>;
}
export interface SeenRequest {
  readonly route: string;
  readonly query: string;
  readonly body: unknown;
  readonly fault: string | undefined;
  readonly date: string;
  readonly idempotencyKey: string | undefined;
}
type Answerer = StubReply | ((request: SeenRequest) => StubReply);

/** A stub of the Management API with configured responses that verifies every signature. */
export interface StubService {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** The responses of a route such as `GET /users/ada`, in turn; the last one repeats. */
  on(route: string, ...answers: readonly Answerer[]): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startStub(): Promise<StubService> {
  const stub = createStub();
  await stub.start();
  return stub;
}

/** A stub that has its URL once it is started. */
export function createStub(): StubService & { start(): Promise<void> } {
  const requests: SeenRequest[] = [];
  const routes = new Map<string, Answerer[]>();
  const server = createServer((request, response) => void respond(request, response));
  let port = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const seen = {
      route: `${request.method} ${path.replace('/api/manage', '')}`,
      query,
      body: body === '' ? undefined : JSON.parse(body),
      fault: faultOfSigv4(request, body),
      date: String(request.headers['x-amz-date']),
      idempotencyKey: request.headersDistinct['idempotency-key']?.join(),
    };
    requests.push(seen);
    const answers = routes.get(seen.route) ?? [problem('route_not_found', seen.route)];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    await send(response, seen.fault === undefined ? answer : forbidden(seen.fault), seen);
  }

  return {
    start: async () => {
      port = await listenOn(server, 0);
    },
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    requests,
    on: (route, ...answers) => void routes.set(route, [...answers]),
    reset: () => {
      requests.length = 0;
      routes.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send(response: ServerResponse, answer: Answerer = {}, seen: SeenRequest): Promise<void> {
  const { status = 200, body = {}, headers = {}, hangUp, after } = typeof answer === 'function' ? answer(seen) : answer;
  await after;
  if (hangUp) return void response.destroy();
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(payload);
}

function forbidden(fault: string): StubReply {
  return { status: 403, body: { Message: `The signature ${fault}.` } };
}

export function problem(code: ErrorCode, detail: string, more: object = {}): StubReply {
  const { status, title } = errorCatalogue[code];
  return { status, body: { type: `/docs/errors#${code}`, title, status, detail, code, requestId: 'req-1', ...more } };
}
