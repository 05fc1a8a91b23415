import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describePayload, describeRequest, joinHeaders, type WireRequest } from './event-parts.ts';
import { type HttpAnswer, jsonAnswer, toHttpAnswer } from './http-result.ts';
import { type HttpServer, type ReceivedRequest, serveHttp } from './http-server.ts';
import type { Outcome } from './lambda-function.ts';
import type { AccessKey } from './local-credentials.ts';
import { verifySigV4 } from './verify-sigv4.ts';

/** "6 MB each for request and response, synchronous" (Lambda guide, "Lambda quotas"), counted on the event's JSON. */
const maxEventBytes = 6 * 1024 * 1024;

/** The function to serve, and the key that callers sign with. */
export interface FunctionUrlOptions {
  readonly invoke: (event: APIGatewayProxyEventV2) => Promise<Outcome>;
  /** The only key pair whose signatures are accepted. */
  readonly accessKey: AccessKey;
  /** The IAM user that owns the key. Default: a user named `local`. */
  readonly userArn?: string | undefined;
  /** 0 for any free port; throws a LocalError if the port is in use. */
  readonly port: number;
  /** Until this is true, each request gets a 503. Default: from the beginning. */
  readonly isReady?: (() => boolean) | undefined;
  /** Receives a line for each request: method, path without query, status, milliseconds. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Serves a function on 127.0.0.1 like a function URL of auth type AWS_IAM: only signed requests reach the function. */
export async function serveFunctionUrl(options: FunctionUrlOptions): Promise<HttpServer> {
  return await serveHttp({
    port: options.port,
    portVariable: 'MANAGE_PORT',
    maxBodyBytes: maxEventBytes,
    requestIds: { header: 'x-amzn-requestid', create: randomUUID },
    malformed: badRequest,
    failed: internalServerError,
    answer: (request) => authenticate(request, options),
    isReady: options.isReady,
    log: options.log,
  });
}

async function authenticate(received: ReceivedRequest, options: FunctionUrlOptions): Promise<HttpAnswer> {
  const { body, headBytes, ...head } = received;
  if (body === undefined) return tooLarge;
  const request = { ...head, body };
  const error = await verifySigV4(request, { accessKey: options.accessKey, now: request.receivedAt });
  if (error !== undefined) return jsonAnswer(403, error.body, [['x-amzn-errortype', error.type]]);
  return await dispatch(request, options);
}

async function dispatch(request: WireRequest, options: FunctionUrlOptions): Promise<HttpAnswer> {
  const { accessKey, userArn, invoke } = options;
  const event = createFunctionUrlEvent(request, accessKey, userArn);
  if (event === undefined) return badRequest;
  if (Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return tooLarge;
  return toHttpAnswer(await invoke(event), internalServerError);
}

/** The default IAM user that owns the key pair, as the event describes it. */
const localUser = {
  accountId: '000000000000',
  callerId: 'AIDALOCALOPERATOR234',
  cognitoIdentity: null,
  principalOrgId: null,
  userArn: 'arn:aws:iam::000000000000:user/local',
  userId: 'AIDALOCALOPERATOR234',
} as const;

/**
 * The event of a function URL of auth type AWS_IAM in payload format 2.0 (Lambda guide, "Invoking Lambda function
 * URLs"); details that the guide does not specify are as captured on AWS (hotsock/voker, `functionurl-request.json`).
 * Unlike in the event of an HTTP API, `rawPath` stays encoded, only `http.path` is decoded, and cookies stay in the
 * headers. The `authorization` header is omitted. Returns undefined for a path that cannot be decoded.
 */
function createFunctionUrlEvent(
  request: WireRequest,
  { accessKeyId: accessKey }: AccessKey,
  userArn: string = localUser.userArn,
): APIGatewayProxyEventV2 | undefined {
  const path = decode(request.path);
  if (path === undefined) return undefined;
  const authorizer = { iam: { accessKey, ...localUser, userArn } };
  const requestContext = { ...describeRequest(request, path), authorizer, routeKey: '$default' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: request.path,
    ...describePayload(request),
    headers: joinHeaders(request, 'authorization'),
    requestContext,
  };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const badRequest = jsonAnswer(400, { Message: 'Bad Request' });
const tooLarge = jsonAnswer(413, {
  Message: `Request must be smaller than ${maxEventBytes} bytes for the InvokeFunction operation`,
});
/** For a function that failed or timed out (awsdocs/aws-lambda-developer-guide#430). */
const internalServerError = jsonAnswer(502, { Message: 'Internal Server Error' });
