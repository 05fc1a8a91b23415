import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import { codesOf, type DescribedOperation } from './described-operations.ts';
import { headersOf } from './headers.ts';

type Json = Readonly<Record<string, unknown>>;

/** A response that several operations share, with its name. */
export interface NamedResponse {
  readonly name: string;
  readonly response: Json;
}

/**
 * The refusals of an operation by status: problem documents of these codes. For refusals of AWS with the same status see
 * `gatewayResponses`.
 */
export function problemResponses(operation: DescribedOperation): ReadonlyMap<string, NamedResponse> {
  const codes = codesOf(operation).filter((code) => code !== 'role_required');
  const byStatus = Map.groupBy(codes, (code) => String(errorCatalogue[code].status));
  return new Map([...byStatus].map(([status, ofStatus]) => [status, problemResponse(status, ofStatus)]));
}

function problemResponse(status: string, codes: readonly ErrorCode[]): NamedResponse {
  return {
    name: codes.length > 5 ? pascalCase(STATUS_CODES[status] ?? status) : codes.map(pascalCase).join('Or'),
    response: {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}.`).join(' '),
      headers: headersOf({ 'Retry-After': retryAfterOf(codes), 'Request-Nonce': 'RequestNonce' }),
      content: problemContent(codes),
    },
  };
}

/** The header that says when to retry, if one of the codes has it. */
function retryAfterOf(codes: readonly ErrorCode[]) {
  return codes.includes('unavailable') ? 'RetryAfter' : undefined;
}

const problem = { $ref: '#/components/schemas/Problem' };
const gatewayAnswer = { $ref: '#/components/schemas/GatewayAnswer' };
const functionUrlAnswer = { $ref: '#/components/schemas/FunctionUrlAnswer' };

/** Responses of AWS itself, before the service is called. */
export const gatewayResponses = {
  TooManyRequests: {
    description:
      'API Gateway throttled the request: `too_many_requests`, but not as a problem document. It had no effect. Wait, then [retry](/docs/signing#to-retry).',
    content: gatewayContent('Too Many Requests'),
  },
  TooManyRequestsOfApplication: {
    description:
      'The application exceeds its `requestsPerSecond`: `too_many_requests`. Or API Gateway throttled the request, with its own body. The request had no effect. Wait, then [retry](/docs/signing#to-retry).',
    headers: headersOf({
      'Retry-After': 'RetryAfterLimit',
      'RateLimit-Policy': 'RateLimitPolicy',
      RateLimit: 'RateLimit',
      'Request-Nonce': 'RequestNonce',
    }),
    content: { ...gatewayContent('Too Many Requests'), ...problemContent(['too_many_requests']) },
  },
  TokenRefused: {
    description:
      'API Gateway refused the token: it is missing, expired or for another audience. Or the service did, because the token has no `sub`: `signature_missing`.',
    content: { ...gatewayContent('Unauthorized'), ...problemContent(['signature_missing']) },
  },
  EntryRefused: {
    description:
      'API Gateway refused the token because it lacks the scope, or the function URL refused the signature (its member is called `Message`).',
    content: awsContent('Forbidden'),
  },
  EntryOrRoleRefused: {
    description:
      'The operator lacks the required role: `role_required`. Or API Gateway refused the token because it lacks the scope, or the function URL refused the signature (its member is called `Message`).',
    content: { ...awsContent('Forbidden'), ...problemContent(['role_required']) },
  },
  NotAnswered: {
    description:
      'AWS refused the request before it reached the service, for example for headers of over 10,240 bytes or a path with `%25`, or could not reach the service.',
    content: awsContent('Service Unavailable'),
  },
} as const;

function gatewayContent(message: string, schema: Json = gatewayAnswer): Json {
  return { 'application/json': { schema, example: { message } } };
}

/** The body depends on the address that was called. */
function awsContent(message: string): Json {
  return gatewayContent(message, { anyOf: [gatewayAnswer, functionUrlAnswer] });
}

function problemContent(codes: readonly ErrorCode[]): Json {
  return {
    'application/problem+json': {
      // Not next to the reference, because some generators then use only one of the two.
      schema: { allOf: [problem, { type: 'object', properties: { code: { enum: codes } } }] },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  };
}

function pascalCase(words: string): string {
  return words.replace(/(?:^|[_ -])([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase());
}
