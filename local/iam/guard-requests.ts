import http, { type ClientRequest, IncomingMessage, type RequestOptions } from 'node:http';
import { Socket } from 'node:net';
import type { AwsCall, CallGuard } from './guard-calls.ts';

/**
 * Guards the requests of this thread that are signed for AWS. A denied one gets the response of AWS and is never sent;
 * the SDK's requests all pass through `http.request`.
 */
export function guardRequests(guard: CallGuard): void {
  const send = http.request;
  http.request = ((options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
    const request = send(options, onResponse);
    const call = signedCall(options);
    if (call !== undefined) guardRequest(request, call, guard);
    return request;
  }) as typeof http.request;
}

function guardRequest(request: ClientRequest, call: Omit<AwsCall, 'body'>, guard: CallGuard): void {
  const end = request.end.bind(request);
  request.write = () => {
    throw new Error('The whole body of a guarded request must be passed to end().');
  };
  request.end = ((body: string | Uint8Array) => {
    const refusal = refusalOf({ ...call, body: Buffer.from(body).toString() });
    if (refusal === undefined) return end(body);
    respond(request, refusal);
    return request;
  }) as typeof request.end;

  function refusalOf(whole: AwsCall): string | undefined {
    try {
      return guard.refusal(guard.decide(whole));
    } catch (error) {
      // Nothing was sent; the socket is given back.
      request.once('error', () => undefined).destroy();
      throw error;
    }
  }
}

function respond(request: ClientRequest, body: string): void {
  const response = new IncomingMessage(new Socket());
  response.statusCode = 400;
  response.headers = { 'content-type': 'application/x-amz-json-1.0' };
  response.push(body);
  response.push(null);
  request.once('error', () => undefined);
  request.emit('response', response);
  request.destroy();
}

/** The credential scope of Signature Version 4 ends with the service: `…/20261124/local/dynamodb/aws4_request`. */
export function signedCall({ headers = {}, path }: RequestOptions): Omit<AwsCall, 'body'> | undefined {
  const { authorization, 'x-amz-target': target = '' } = headers as Readonly<Record<string, string>>;
  const [, service] = /^AWS4-HMAC-SHA256 Credential=[^,]*\/([^/,]+)\/aws4_request,/.exec(authorization ?? '') ?? [];
  if (service === undefined) return undefined;
  return { service, operation: target.slice(target.indexOf('.') + 1), path: path ?? '' };
}
