import http, { type ClientRequest, IncomingMessage, type RequestOptions } from 'node:http';
import { Socket } from 'node:net';
import { LocalError } from '../local-error.ts';
import type { AwsCall, CallGuard, Refusal } from './guard-calls.ts';

/** What Node's HTTP client calls on the prototype of an agent; @types/node does not declare it. */
interface AgentInternals {
  addRequest(request: ClientRequest, options: RequestOptions, ...rest: unknown[]): void;
}

/** Which requests of a thread are guarded, and by what. */
export interface RequestGuard {
  /** The guard of the function that runs; undefined if none does. */
  current(): CallGuard | undefined;
  /** The ports on which AWS is served, which can be reached only by a guarded request. */
  readonly ports: ReadonlySet<number>;
}

/**
 * Guards the requests of this thread that are signed for AWS: a denied one gets the response of AWS and is never sent. A
 * request to the ports of AWS that is not signed, and so cannot be decided, throws.
 *
 * All requests of `node:http` pass through `Agent.addRequest`, however they are made. A connection to these ports that a
 * request of `node:http` did not open, such as one of `fetch`, throws as well. Returns a function that ends all this.
 */
export function guardRequests({ current, ports }: RequestGuard): () => void {
  const agent = http.Agent.prototype as http.Agent & AgentInternals;
  const { addRequest, createConnection } = agent;
  const { connect } = Socket.prototype;
  let isOpenedByAgent = false;

  agent.addRequest = function (this: AgentInternals, request, options, ...rest) {
    const call = signedCall(request.getHeaders(), request);
    const guard = current();
    if (call !== undefined && guard !== undefined) guardRequest(request, call, guard);
    else if (ports.has(Number(options.port))) throw unguarded('without a signature');
    addRequest.call(this, request, options, ...rest);
  };
  agent.createConnection = function (this: http.Agent, ...given) {
    isOpenedByAgent = true;
    try {
      return createConnection.apply(this, given);
    } finally {
      isOpenedByAgent = false;
    }
  };
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    if (!isOpenedByAgent && given.flat().some((target) => ports.has(portOf(target)))) {
      throw unguarded('by another way than node:http');
    }
    return Reflect.apply(connect, this, given);
  } as typeof connect;
  return () => {
    Object.assign(agent, { addRequest, createConnection });
    Socket.prototype.connect = connect;
  };
}

/** The port of an argument of `connect`: options, or the number itself. */
function portOf(target: unknown): number {
  return Number(typeof target === 'object' && target !== null && 'port' in target ? target.port : target);
}

function unguarded(how: string): LocalError {
  return new LocalError(`The function calls AWS ${how}; no policy can decide that.`);
}

function guardRequest(request: ClientRequest, call: Omit<AwsCall, 'body'>, guard: CallGuard): void {
  const end = request.end.bind(request);
  request.write = () => {
    throw new Error('The whole body of a guarded request must be passed to end().');
  };
  request.end = ((body: string | Uint8Array = '') => {
    const refusal = refusalOf({ ...call, body: Buffer.from(body).toString() });
    if (refusal === undefined) return end(body);
    respond(request, refusal);
    return request;
  }) as typeof request.end;

  function refusalOf(whole: AwsCall): Refusal | undefined {
    try {
      return guard.refusal(guard.decide(whole));
    } catch (error) {
      // Nothing was sent; the socket is given back.
      request.once('error', () => undefined).destroy();
      throw error;
    }
  }
}

function respond(request: ClientRequest, { statusCode, headers, body }: Refusal): void {
  const response = new IncomingMessage(new Socket());
  response.statusCode = statusCode;
  response.headers = { ...headers };
  response.push(body);
  response.push(null);
  // The request was never sent. Destroying it is an error, so first the response is read.
  request.once('error', () => undefined);
  response.once('end', () => request.destroy());
  request.emit('response', response);
}

/** The credential scope of Signature Version 4 ends with the service: `…/20261124/local/dynamodb/aws4_request`. */
export function signedCall(
  { authorization, 'x-amz-target': target, 'if-none-match': ifNoneMatch }: Readonly<Record<string, unknown>>,
  { method, path }: { readonly method: string; readonly path: string },
): Omit<AwsCall, 'body'> | undefined {
  const [, service] = /^AWS4-HMAC-SHA256 Credential=[^,]*\/([^/,]+)\/aws4_request,/.exec(String(authorization)) ?? [];
  if (service === undefined) return undefined;
  const operation = target === undefined ? method : String(target).replace(/^[^.]*\./, '');
  return { service, operation, path, ifNoneMatch: ifNoneMatch === undefined ? undefined : String(ifNoneMatch) };
}
