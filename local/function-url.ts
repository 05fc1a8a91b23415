import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { AccessKey } from './access-key.ts';
import type { WireRequest } from './event-parts.ts';
import { createFunctionUrlEvent } from './function-url-event.ts';
import { type HttpAnswer, jsonAnswer, toHttpAnswer } from './http-result.ts';
import { type HttpServer, type ReceivedRequest, serveHttp } from './http-server.ts';
import type { Outcome } from './lambda-function.ts';
import { refuseUnsigned } from './refuse-unsigned.ts';

/** "6 MB each for request and response, synchronous" (Lambda guide, "Lambda quotas"), counted on the event's JSON. */
const maxEventBytes = 6 * 1024 * 1024;

/** Which function answers, and who may ask it. */
export interface FunctionUrlOptions {
  readonly invoke: (event: APIGatewayProxyEventV2) => Promise<Outcome>;
  /** The only key that signatures are good by. */
  readonly accessKey: AccessKey;
  /** 0 for any free one; a taken one is a LocalError. */
  readonly port: number;
  /** Takes one line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Serves a function on 127.0.0.1 as a function URL of auth type AWS_IAM does; nothing unsigned reaches the function. */
export async function serveFunctionUrl(options: FunctionUrlOptions): Promise<HttpServer> {
  return await serveHttp({
    port: options.port,
    portVariable: 'MANAGE_PORT',
    maxBodyBytes: maxEventBytes,
    requestIds: { header: 'x-amzn-requestid', create: randomUUID },
    malformed: badRequest,
    failed: internalServerError,
    answer: (request) => admit(request, options),
    log: options.log,
  });
}

async function admit(received: ReceivedRequest, options: FunctionUrlOptions): Promise<HttpAnswer> {
  const { body, headBytes, ...head } = received;
  if (body === undefined) return tooLarge;
  const request = { ...head, body };
  const refusal = await refuseUnsigned(request, { accessKey: options.accessKey, now: request.receivedAt });
  if (refusal !== undefined) return jsonAnswer(403, refusal.body, [['x-amzn-errortype', refusal.type]]);
  return await dispatch(request, options);
}

async function dispatch(request: WireRequest, { accessKey, invoke }: FunctionUrlOptions): Promise<HttpAnswer> {
  const event = createFunctionUrlEvent(request, accessKey);
  if (event === undefined) return badRequest;
  if (Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return tooLarge;
  return toHttpAnswer(await invoke(event), internalServerError);
}

const badRequest = jsonAnswer(400, { Message: 'Bad Request' });
const tooLarge = jsonAnswer(413, {
  Message: `Request must be smaller than ${maxEventBytes} bytes for the InvokeFunction operation`,
});
/** Of a function that failed, also by its time-out (awsdocs/aws-lambda-developer-guide#430). */
const internalServerError = jsonAnswer(502, { Message: 'Internal Server Error' });
