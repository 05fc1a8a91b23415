import type { MiddlewareObj } from '@middy/core';
import { manageScope } from '#shared/contract/operation.ts';
import type { HeldRole } from '#shared/contract/operator-role.ts';
import { operatorIssuer, operatorRoleSettings } from '#shared/core/config.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { rolesOfArn, rolesOfToken } from '#shared/core/operator-roles.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import type { HttpEvent } from '../http-event.ts';

/** The operator before a role is chosen. */
type Operator = Omit<OperatorContext['caller'], 'role'>;

/** An event of the Management API. */
export interface ManageEvent extends HttpEvent {
  /** Set by `requireOperator`. */
  operator?: Operator;
  /** Set by `requireOperator`: the operator's roles. */
  heldRoles?: readonly HeldRole[];
  /** The matched operation, for the log. */
  routeName?: string;
}

/** Read at cold start: if missing, the function must fail rather than accept tokens of any issuer. */
const issuer = operatorIssuer();
const roleSettings = operatorRoleSettings();

/**
 * Accepts only requests that AWS has authenticated: through a function URL with IAM, or an HTTP API with a JWT
 * authorizer. Both write their result to the request context, which no caller can set. A token's issuer and scope are checked
 * again, because one wrong route setting would make every token an operator's.
 */
export function requireOperator(): MiddlewareObj<ManageEvent> {
  return {
    before: ({ event }) => {
      Object.assign(event, operatorOf(event));
    },
  };
}

function operatorOf({ requestContext, headers }: ManageEvent): Required<Pick<ManageEvent, 'operator' | 'heldRoles'>> {
  const { authorizer } = requestContext as { authorizer?: AuthorizerContext };
  const userArn = authorizer?.iam?.userArn;
  if (isText(userArn)) {
    return {
      operator: { kind: 'operator', via: 'iam', id: userArn },
      heldRoles: rolesOfArn(userArn, roleSettings),
    };
  }
  const claims = authorizer?.jwt?.claims ?? {};
  const { iss, sub, email, scope, scp } = claims;
  if (isText(sub) && iss === issuer && scopesIn(scope ?? scp).includes(manageScope)) {
    const operator = { kind: 'operator', via: 'token', issuer, id: sub, ...(isText(email) ? { email } : {}) } as const;
    return { operator, heldRoles: rolesOfToken(payloadOf(headers.authorization, claims), roleSettings.token) };
  }
  throw unauthorized();
}

function unauthorized(): ServiceError {
  return new ServiceError('signature_missing', {
    detail: `Sign the request to the function URL with AWS Signature Version 4, or send a bearer token with the scope ${manageScope} to the HTTP API.`,
  });
}

/** Reads `scope` (RFC 9068 section 2.2.3) or the list `scp`, which API Gateway formats as `[one two]`. */
function scopesIn(claim: unknown): string[] {
  return isText(claim) ? claim.replace(/^\[(.*)\]$/, '$1').split(' ') : [];
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims from the token itself, because API Gateway passes lists on as text. The authorizer has verified the
 * signature; this checks that the header contains exactly that token.
 */
function payloadOf(authorization: string | undefined, { iss, sub, jti }: Claims): Claims {
  const [, encoded] = /^(?:Bearer )?[\w-]+\.([\w-]+)\.[\w-]+$/i.exec(authorization ?? '') ?? [];
  const payload = readJson(encoded);
  const isVerified =
    payload?.iss === iss && payload?.sub === sub && (jti === undefined || String(payload?.jti) === jti);
  if (payload === undefined || !isVerified) throw unauthorized();
  return payload;
}

function readJson(encoded = ''): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/** The members that are read, as `unknown` because they come from outside. */
interface AuthorizerContext {
  readonly iam?: { readonly userArn?: unknown };
  readonly jwt?: { readonly claims?: Claims };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
