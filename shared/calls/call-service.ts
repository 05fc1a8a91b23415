import { randomUUID } from 'node:crypto';
import type { AnswerOf, OperationRequest } from '#shared/contract/operation.ts';
import { type ServiceOperationName, type ServiceOperations, serviceOperations } from '#shared/contract/operations.ts';
import { now } from '#shared/core/clock.ts';
import { type SigningOptions, signRequest } from '#shared/signature/sign.ts';

const timeoutMilliseconds = 35_000;

/** An API key with its secret, which is kept only in memory. */
export interface SigningKey {
  readonly keyId: string;
  readonly secret: string;
}

/** A request to the Service API, as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ServiceReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The Service API of one deployment. */
export interface ServiceCaller {
  /** Signs the request of an operation with a key. */
  sign<Name extends ServiceOperationName>(
    name: Name,
    call: OperationRequest<ServiceOperations[Name]>,
    key: SigningKey,
    options?: Partial<SigningOptions>,
  ): SentRequest;
  /** Sends a request once, and accepts any JSON response. */
  send(request: SentRequest): Promise<ServiceReply>;
  /** Signs and sends; throws unless it succeeds. */
  call<Name extends ServiceOperationName>(
    name: Name,
    call: OperationRequest<ServiceOperations[Name]>,
    key: SigningKey,
  ): Promise<AnswerOf<ServiceOperations[Name]>>;
}

/**
 * Calls the Service API at an origin such as `https://….execute-api.eu-central-1.amazonaws.com`; with `send` instead of
 * HTTPS, if given.
 */
export function createServiceCaller(origin: string, send: ServiceCaller['send'] = sendByHttp): ServiceCaller {
  const caller: ServiceCaller = {
    sign(name, call, key, options) {
      const { method, path } = serviceOperations[name];
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const url = `${origin}${pathOf(path, call.path ?? {})}${queryOf(call.query ?? {})}`;
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const signed = signRequest(
        { method, url, headers, ...(body !== undefined && { body }) },
        { ...key, created: Math.floor(now().getTime() / 1000), nonce: randomUUID(), ...options },
      );
      return { method, url, headers: { ...headers, ...signed }, body };
    },
    send,
    async call(name, call, key) {
      const { status, body } = await caller.send(caller.sign(name, call, key));
      if (status < 200 || status > 299)
        throw new Error(`${name} answered ${status} ${body.code ?? JSON.stringify(body)}`);
      return body as AnswerOf<ServiceOperations[typeof name]>;
    },
  };
  return caller;
}

async function sendByHttp({ method, url, headers, body }: SentRequest): Promise<ServiceReply> {
  const response = await fetch(url, {
    method,
    headers,
    body: body ?? null,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  const text = await response.text();
  // Nothing else of the service has no body.
  return { status: response.status, body: response.status === 204 ? {} : parseBody(text) };
}

function pathOf(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The body of a response; throws if it is not JSON. */
export function parseBody(text: string): ServiceReply['body'] {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the response is not JSON: ${text.slice(0, 60)}`);
  }
}
