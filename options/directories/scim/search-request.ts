import type { JsonValue } from './directory.ts';
import { memberOf } from './patch-request.ts';
import { scimError } from './scim-error.ts';

const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** The query that a POST to `/.search` has in its body (RFC 7644 section 3.4.3), as a GET has it in its URL; 400 for anything else. */
export function readSearchRequest(body: object): URLSearchParams {
  const schemas = memberOf(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.includes(searchSchema)) {
    throw scimError('invalidSyntax', `schemas must have ${searchSchema}`);
  }
  const query = new URLSearchParams();
  for (const [name, read] of Object.entries(parameters)) {
    const value = memberOf(body, name) ?? null;
    if (value !== null) query.set(name, read(value) ?? refuse(name));
  }
  return query;
}

const parameters: Readonly<Record<string, (value: JsonValue) => string | undefined>> = {
  attributes: readNames,
  excludedAttributes: readNames,
  filter: (value) => (typeof value === 'string' ? value : undefined),
  startIndex: readNumber,
  count: readNumber,
};

function readNames(value: JsonValue): string | undefined {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value.join(',') : undefined;
}

function readNumber(value: JsonValue): string | undefined {
  return typeof value === 'number' ? String(value) : undefined;
}

function refuse(name: string): never {
  throw scimError('invalidValue', `${name} has another type than RFC 7644 section 3.4.3 says`);
}
