import { errorCatalogue } from '#shared/contract/error-codes.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent, HttpResult } from '#shared/http/http-event.ts';
import { answerHeaders } from '#shared/http/problem-response.ts';
import { scimPath } from '../contract/scim-endpoints.ts';
import type { JsonObject } from '../scim/directory.ts';
import type { BaseUrl } from '../scim/resource.ts';

/** A response of SCIM 2.0 (RFC 7644 section 3.1); without a document it has no body. */
export function scimResponse(
  status: number,
  document?: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): HttpResult {
  return {
    statusCode: status,
    headers: { ...answerHeaders, 'content-type': 'application/scim+json', ...headers },
    ...(document && { body: JSON.stringify(document) }),
  };
}

/** What an answer says of an error (RFC 7644 section 3.12). */
export interface ScimError {
  readonly status: number;
  /** `null` if it is none of those that the RFC lists. */
  readonly scimType: string | null;
  /** Directories show it to administrators. */
  readonly detail: string;
}

/** The error as SCIM represents it, the only place that decides this. */
export function scimErrorOf(error: ServiceError, { requestContext }: Pick<HttpEvent, 'requestContext'>): ScimError {
  const { detail, headers } = error.options;
  // An error with `Allow` is about the method: 405 (RFC 9110 section 15.5.6).
  const status = headers?.allow === undefined ? errorCatalogue[error.code].status : 405;
  return {
    status,
    scimType: scimTypeOf(error),
    detail: status >= 500 ? `${detail} (request ${requestContext.requestId})` : detail,
  };
}

/** The response to an error. */
export function scimErrorResponse(error: ServiceError, event: Pick<HttpEvent, 'requestContext'>): HttpResult {
  const { status, scimType, detail } = scimErrorOf(error, event);
  const document = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== null && { scimType }),
    detail,
  };
  return scimResponse(status, document, { ...(status === 503 && { 'retry-after': '1' }), ...error.options.headers });
}

function scimTypeOf({ code, options }: ServiceError): string | null {
  const { scimType } = options.members ?? {};
  if (typeof scimType === 'string') return scimType;
  if (code === 'already_exists') return 'uniqueness';
  // The body is not JSON, or not an object.
  if (code === 'malformed_json' || options.errors?.[0]?.pointer === '#') return 'invalidSyntax';
  return errorCatalogue[code].status === 400 ? 'invalidValue' : null;
}

/** The error for a method that a path does not support. */
export function methodNotAllowed(method: string, allowed: readonly string[]): ServiceError {
  const allow = allowed.join(', ');
  return new ServiceError('route_not_found', {
    detail: `This path does not support ${method}. Allowed: ${allow}.`,
    headers: { allow },
  });
}

/** Where the resources are, at the host that API Gateway was asked for. */
export function baseOf({ requestContext }: Pick<HttpEvent, 'requestContext'>): BaseUrl {
  return `https://${requestContext.domainName}${scimPath}`;
}
