import * as v from 'valibot';
import { fieldErrors, inputSchemas, type Place, pathNames, pointerTo } from '#shared/contract/fields.ts';
import type { Operation, ParsedInput } from '#shared/contract/operation.ts';
import type { FieldError } from '#shared/contract/problems.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { HttpEvent } from './http-event.ts';

/** Parses one request to an operation: the values of its path parameters, and the rest from the event. */
export type InputParser<Described extends Operation> = (
  path: Readonly<Record<string, unknown>>,
  event: HttpEvent,
) => ParsedInput<Described>;

/**
 * Builds the parser of an operation's whole input, once per operation. It reports all invalid fields together; later code
 * can trust its types.
 */
export function inputParser<Described extends Operation>(operation: Described): InputParser<Described> {
  const known = queryNames(operation);
  const schemas = inputSchemas(operation);
  return (path, event) => {
    const parsed = {
      path: v.safeParse(schemas.path, path),
      query: v.safeParse(schemas.query, readQuery(event.rawQueryString, known)),
      body: v.safeParse(schemas.body, event.body),
    };
    const errors = [
      ...fieldErrors(parsed.path.issues, 'path:'),
      ...fieldErrors(parsed.query.issues, 'query:'),
      ...fieldErrors(parsed.body.issues, '#'),
    ];
    if (errors.length > 0) throw invalidRequest(errors);
    return {
      path: parsed.path.output,
      query: parsed.query.output,
      body: parsed.body.output,
      ifMatch: readIfMatch(event.headers['if-match']),
    } as ParsedInput<Described>;
  };
}

function queryNames({ query }: Operation): string[] {
  return Object.keys(query?.entries ?? {});
}

/** A parameter that the operation does not know, or that is given twice, is refused. */
function readQuery(rawQueryString: string, known: readonly string[]): Readonly<Record<string, string>> {
  const query = new URLSearchParams(rawQueryString);
  for (const name of query.keys()) {
    if (!known.includes(name)) throw invalidRequest([{ pointer: `query:${name}`, detail: 'unknown field' }]);
    if (query.getAll(name).length > 1)
      throw invalidRequest([{ pointer: `query:${name}`, detail: 'must be given once' }]);
  }
  return Object.fromEntries(query);
}

/** Why a request is made; `null` where its operation takes no reason, or none is given. */
export function readReason({ body }: { readonly body?: unknown }): RequestReason {
  const { reason = null, ticket = null } = (body ?? {}) as Partial<RequestReason>;
  return { reason, ticket };
}

interface RequestReason {
  readonly reason: string | null;
  readonly ticket: string | null;
}

/** The error for a request with invalid fields: 400 `invalid_request`. */
export function invalidRequest(errors: readonly FieldError[]): ServiceError {
  const detail = errors.map((error) => `${error.pointer} ${error.detail}`).join('; ');
  return new ServiceError('invalid_request', { detail, errors });
}

/** An error that names a field, with the place where the operation accepts that field. */
export function withPointer(error: unknown, operation: Operation, event: Pick<HttpEvent, 'rawQueryString'>): unknown {
  if (!(error instanceof ServiceError) || error.options.field === undefined) return error;
  const { name, detail } = error.options.field;
  return invalidRequest([{ pointer: pointerTo(placeOf(name, operation, event), [name]), detail }]);
}

/** A field accepted in both the query and the body is looked up in the query first. */
function placeOf(field: string, operation: Operation, { rawQueryString }: Pick<HttpEvent, 'rawQueryString'>): Place {
  if (pathNames(operation).includes(field)) return 'path:';
  if (!queryNames(operation).includes(field)) return '#';
  return operation.body === undefined || new URLSearchParams(rawQueryString).has(field) ? 'query:' : '#';
}

const entityTags = /^(?:W\/)?"[!#-~]*"(?:\s*,\s*(?:W\/)?"[!#-~]*")*$/;

/** The versions that an If-Match allows (RFC 9110 section 13.1.1); undefined is any. Weak and foreign tags never match. */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  const text = header?.trim();
  if (text === undefined || text === '*') return undefined;
  if (text.length > 1024 || !entityTags.test(text)) {
    throw invalidRequest([{ pointer: 'header:if-match', detail: 'must be "<version>" or *' }]);
  }
  return text
    .split(',')
    .map((tag) => /^"(0|[1-9]\d{0,14})"$/.exec(tag.trim())?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
}

const keyPattern = /^(?:"([!#-[\]-~]{1,128})"|([\w.~-]{1,128}))$/;

/**
 * The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header section 2.1), a structured-field string;
 * many clients omit its quotes. Undefined when there is none.
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, quoted, bare] = keyPattern.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  throw invalidRequest([
    { pointer: 'header:idempotency-key', detail: 'must be a string of 1 to 128 characters in quotes, such as a UUID' },
  ]);
}
