import type { MiddlewareObj } from '@middy/core';
import { ServiceError } from '#shared/core/errors.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import type { HttpEvent } from '../http-event.ts';

type Operator = OperatorContext['caller'];

/** An event of the Management API. */
export interface ManageEvent extends HttpEvent {
  /** Set by `requireOperator`. */
  operator?: Operator;
  /** The operation that the router chose, for the log. */
  routeName?: string;
}

/**
 * Accepts a request only from where AWS has authenticated it: a function URL with IAM, or an HTTP API with a JWT
 * authorizer. Both write their result to the request context, which no caller can; headers are not looked at.
 */
export function requireOperator(): MiddlewareObj<ManageEvent> {
  return {
    before: ({ event }) => {
      event.operator = operatorOf(event.requestContext);
    },
  };
}

function operatorOf(requestContext: unknown): Operator {
  const { authorizer } = requestContext as { authorizer?: AuthorizerContext };
  const userArn = authorizer?.iam?.userArn;
  if (isText(userArn)) return { kind: 'operator', id: userArn };
  const { sub, email } = authorizer?.jwt?.claims ?? {};
  if (isText(sub)) return { kind: 'operator', id: sub, ...(isText(email) ? { email } : {}) };
  throw new ServiceError('signature_missing', {
    detail:
      'Sign the request to the function URL with AWS Signature Version 4, or send a bearer token to the HTTP API.',
  });
}

/** The part that is read; of unknown content, because it comes from outside this code. */
interface AuthorizerContext {
  readonly iam?: { readonly userArn?: unknown };
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
