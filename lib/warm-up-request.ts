import { createSecretKey, randomUUID } from 'node:crypto';
import type { KeyId } from '#shared/contract/fields.ts';
import type { ServiceOperation } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { deriveSecret } from '#shared/keys/key-id.ts';
import { signRequest } from '#shared/signature/sign.ts';

/** What the key service answers in a warm-up; guards nothing. */
export const warmUpRoot = Buffer.alloc(32);

const keyId = 'svk_k1_billing_01JD0000000000000000000000' as KeyId;

/** The API key that signs a warm-up. */
export const warmUpKey = { keyId, secret: deriveSecret(createSecretKey(warmUpRoot), keyId) };

/** One invocation of a function, and how to tell that it went well. */
export interface WarmUpRequest {
  readonly event: unknown;
  readonly expected: (answer: Answer) => boolean;
}

interface Answer {
  readonly statusCode?: number;
  readonly batchItemFailures?: readonly unknown[];
}

const bodies: Readonly<Record<string, object>> = {
  'set-access': { status: 'disabled', reason: 'warm-up' },
  'assign-role': { role: 'editor' },
  'revoke-role': { role: 'editor' },
};

/** The request after which a function has compiled what it needs every day. */
export function warmUpRequest(name: string): WarmUpRequest {
  const route: ServiceOperation | undefined = Object.values(serviceOperations).find((each) => each.name === name);
  if (route !== undefined) return { event: signedEvent(route), expected: answers(200) };
  switch (name) {
    case 'manage':
      return { event: operatorEvent(), expected: answers(200) };
    case 'publish-changes':
      return { event: streamEvent(), expected: ({ batchItemFailures }) => batchItemFailures?.length === 0 };
    case 'refuse-unknown-route':
      return { event: httpEvent('GET', '/nowhere'), expected: answers(404) };
    default:
      throw new Error(`There is no warm-up of functions/${name}.ts`);
  }
}

function answers(statusCode: number): WarmUpRequest['expected'] {
  return (answer) => answer.statusCode === statusCode;
}

function signedEvent({ name, method, path }: ServiceOperation): object {
  const target = path.replace('{userId}', 'ada');
  const body = bodies[name] && JSON.stringify(bodies[name]);
  const url = `https://warm-up.example.com${target}`;
  const signing = { ...warmUpKey, created: Math.floor(Date.now() / 1000), nonce: randomUUID() };
  const signed = signRequest({ method, url, ...(body && { body }) }, signing);
  const headers = { ...(body && { 'content-type': 'application/json' }), ...signed };
  return httpEvent(method, target, { headers, body });
}

function operatorEvent(): object {
  const authorizer = { iam: { userArn: 'arn:aws:iam::111122223333:user/warm-up' } };
  return httpEvent('GET', '/api/manage/users/ada', { context: { authorizer } });
}

interface HttpParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly context?: object;
}

/** In payload format 2.0 (API Gateway guide, "Create AWS Lambda proxy integrations for HTTP APIs"). */
function httpEvent(method: string, path: string, { headers = {}, body, context }: HttpParts = {}): object {
  return {
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers,
    body,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'warm-up',
      domainName: 'warm-up.example.com',
      stage: '$default',
      http: { method, path, sourceIp: '127.0.0.1' },
      ...context,
    },
  };
}

function streamEvent(): object {
  const image = {
    id: { S: '01JD0000000000000000000000' },
    at: { S: '2026-01-01T00:00:00.000Z' },
    action: { S: 'user.created' },
    userId: { S: 'ada' },
  };
  return { Records: [{ dynamodb: { SequenceNumber: '1', Keys: {}, NewImage: image } }] };
}
