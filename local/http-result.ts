import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as v from 'valibot';
import type { Outcome } from './lambda-function.ts';

/** An HTTP response. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The gateway's own responses. */
export const badRequest = gatewayAnswer(400, 'Bad Request');
export const unauthorized = unauthorizedAnswer('Bearer');
export const forbidden = gatewayAnswer(403, 'Forbidden');
export const notFound = gatewayAnswer(404, 'Not Found');
export const bodyTooLarge = gatewayAnswer(413, 'Request Entity Too Large');
export const misdirected = gatewayAnswer(421, 'Misdirected Request');
export const headersTooLarge = gatewayAnswer(431, 'Request Header Fields Too Large');
export const internalServerError = gatewayAnswer(500, 'Internal Server Error');
export const serviceUnavailable = gatewayAnswer(503, 'Service Unavailable');
/** The local run's own, before it is ready and afterwards. */
export const starting = gatewayAnswer(503, 'The local run is starting');
export const ready = gatewayAnswer(200, 'The local run is ready');

/** Builds the 401 for an invalid token; the description must be visible ASCII without quotes. */
export function invalidToken(description: string): HttpAnswer {
  return unauthorizedAnswer(`Bearer scope="" error="invalid_token" error_description="${description}"`);
}

/**
 * Converts the outcome of an invocation to the response of an HTTP API. A function that throws or times out gives 500
 * (observed on AWS, denoland/deno_registry2#87, sst#1163); 503 is for an integration that the gateway stopped waiting
 * for (cortexlabs/cortex#1225). A function URL responds the same way, except for `failure`.
 */
export function toHttpAnswer(outcome: Outcome, failure = internalServerError): HttpAnswer {
  if (outcome.kind !== 'result') return failure;
  const result: unknown = JSON.parse(outcome.json);
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) return wrapBareResult(result);
  const { success, output } = v.safeParse(resultSchema, result);
  return (success ? parseProxyResult(output) : undefined) ?? failure;
}

const resultSchema = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  cookies: v.optional(v.array(v.string()), []),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * Without a `statusCode`, the whole result is the body (API Gateway guide, "Create AWS Lambda proxy integrations for
 * HTTP APIs", "Lambda function response for format 2.0"): a string unchanged, anything else as JSON.
 */
function wrapBareResult(result: unknown): HttpAnswer {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return { statusCode: 200, headers: [['content-type', 'application/json']], body: Buffer.from(text) };
}

/** Headers that only the gateway sets. */
const ownHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

function parseProxyResult(result: v.InferOutput<typeof resultSchema>): HttpAnswer | undefined {
  const given = Object.entries(result.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const cookies = result.cookies.map((cookie) => ['set-cookie', cookie] as const);
  const headers = [...given.filter(([name]) => !ownHeaders.has(name)), ...cookies];
  if (!headers.every(isValidHeader)) return undefined;
  const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > 0 && !headers.some(([name]) => name === 'content-type')) {
    headers.push(['content-type', 'text/plain;charset=UTF-8']);
  }
  return { statusCode: result.statusCode, headers, body };
}

function isValidHeader([name, value]: readonly [string, string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Builds a JSON response in AWS's format. */
export function jsonAnswer(statusCode: number, body: object, headers: HttpAnswer['headers'] = []): HttpAnswer {
  return {
    statusCode,
    headers: [['content-type', 'application/json'], ...headers],
    body: Buffer.from(JSON.stringify(body)),
  };
}

function unauthorizedAnswer(challenge: string): HttpAnswer {
  return jsonAnswer(401, { message: 'Unauthorized' }, [['www-authenticate', challenge]]);
}

function gatewayAnswer(statusCode: number, message: string): HttpAnswer {
  return jsonAnswer(statusCode, { message });
}
