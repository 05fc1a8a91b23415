import type { MiddlewareObj } from '@middy/core';
import { manageScope } from '#shared/contract/operation.ts';
import { operatorIssuer } from '#shared/core/config.ts';
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

/** Read at cold start: without it the function must fail, and not take the tokens of any issuer. */
const issuer = operatorIssuer();

/**
 * Accepts a request only from where AWS has authenticated it: a function URL with IAM, or an HTTP API with a JWT
 * authorizer. Both write their result to the request context, which no caller can; headers are not looked at. Issuer and
 * scope of a token are compared once more, because one setting of the route would make every token an operator's.
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
  if (isText(userArn)) return { kind: 'operator', via: 'iam', id: userArn };
  const { iss, sub, email, scope, scp } = authorizer?.jwt?.claims ?? {};
  if (isText(sub) && iss === issuer && scopesIn(scope ?? scp).includes(manageScope)) {
    return { kind: 'operator', via: 'token', issuer, id: sub, ...(isText(email) ? { email } : {}) };
  }
  throw new ServiceError('signature_missing', {
    detail: `Sign the request to the function URL with AWS Signature Version 4, or send a bearer token with the scope ${manageScope} to the HTTP API.`,
  });
}

/** Of `scope` (RFC 9068 section 2.2.3) or the list `scp`, which API Gateway writes as `[one two]`. */
function scopesIn(claim: unknown): string[] {
  return isText(claim) ? claim.replace(/^\[(.*)\]$/, '$1').split(' ') : [];
}

/** The part that is read; of unknown content, because it comes from outside this code. */
interface AuthorizerContext {
  readonly iam?: { readonly userArn?: unknown };
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
