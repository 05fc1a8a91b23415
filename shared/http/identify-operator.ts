import type { MiddlewareObj } from '@middy/core';
import type { Caller } from '#shared/contract/caller.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { ManageEvent } from './manage-event.ts';

/**
 * Lets a request in only by a door that AWS guards: a function URL with IAM, or an HTTP API with a JWT authorizer. Both
 * leave their finding in the request context, which no caller can write; headers are not looked at.
 */
export function identifyOperator(): MiddlewareObj<ManageEvent> {
  return {
    before: ({ event }) => {
      event.operator = operatorOf(event.requestContext);
    },
  };
}

function operatorOf(requestContext: unknown): Caller {
  const { authorizer } = requestContext as { authorizer?: GuardedContext };
  const userArn = authorizer?.iam?.userArn;
  if (isText(userArn)) return { kind: 'operator', id: userArn };
  const { sub, email } = authorizer?.jwt?.claims ?? {};
  if (isText(sub)) return { kind: 'operator', id: sub, ...(isText(email) ? { email } : {}) };
  throw new ServiceError('signature_missing', {
    detail:
      'Sign the request to the function URL with AWS Signature Version 4, or send a bearer token to the HTTP API.',
  });
}

/** As far as it concerns us; of unknown content, because it comes from outside this code. */
interface GuardedContext {
  readonly iam?: { readonly userArn?: unknown };
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
