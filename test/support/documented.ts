import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { decodePath } from '#shared/signature/path.ts';
import type { Answer, SentRequest } from './send-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test that reads the JSON checks its shape
export type Json = any;

/** The published OpenAPI document of both APIs. */
export const openapi: Json = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'));

/** An operation of the document. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

export const documentedOperations: readonly DocumentedOperation[] = Object.entries<Json>(openapi.paths).flatMap(
  ([path, { servers: _, ...methods }]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/**
 * Checks a response against the document: status, code, headers and members, all documented; and a successful request,
 * so that the document allows everything that the service accepts.
 */
export function expectDocumented(request: SentRequest, answer: Answer): void {
  const [path = '', query = ''] = request.target.split(/\?(.*)/s, 2);
  const isAnswered = path.startsWith('/api/') && request.method !== 'HEAD';
  if (!isAnswered) return;
  const found = findOperation(request.method, path);
  const wrong = found === undefined ? wrongRefusal(answer) : wrongAnswer(found, request, answer);
  if (found !== undefined && answer.status < 300) wrong.push(...wrongRequest(found, request, { path, query }));
  if (wrong.length === 0) return;
  const asked = `${request.method} ${request.target} → ${answer.status} ${JSON.stringify(answer.body)}`;
  throw new Error(`docs/openapi.json does not describe ${asked}:\n${wrong.join('\n')}`);
}

/** API Gateway decodes a path before it finds the route. */
function findOperation(method: string, path: string): DocumentedOperation | undefined {
  const ofMethod = documentedOperations.filter((one) => one.method === method);
  const matches = (one: DocumentedOperation, text: string) => patternOf(one.path).test(text);
  return ofMethod.find((one) => matches(one, path)) ?? ofMethod.find((one) => matches(one, decodePath(path) ?? path));
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

/** Errors of every request with a body, even if the document has no body. */
const generalErrors = ['malformed_json', 'body_too_large', 'unsupported_media_type'];

const answerOfAws = {
  anyOf: ['GatewayAnswer', 'FunctionUrlAnswer'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
};

/** Returns the problems of a response for a path or a method without an operation. */
function wrongRefusal({ headers, body }: Answer): string[] {
  if (!isProblem(headers)) return invalid(answerOfAws, body, 'answer');
  const isKnown = ['route_not_found', ...generalErrors].includes(body.code);
  return [
    ...invalid({ $ref: '#/components/schemas/Problem' }, body, 'answer'),
    ...(isKnown ? [] : [`code ${body.code} of no operation`]),
  ];
}

function wrongAnswer({ operation }: DocumentedOperation, request: SentRequest, answer: Answer): string[] {
  const { status, headers, body } = answer;
  const isUnexpectedBody =
    request.body !== undefined && operation.requestBody === undefined && generalErrors.includes(body?.code);
  if (isUnexpectedBody) return wrongRefusal(answer);
  const type = String(headers['content-type']).split(';', 1)[0] ?? '';
  const { responses } = operation;
  const response = responseFor(responses, status, type);
  const content = response?.content?.[type];
  if (content === undefined) return [`status ${status} of the type ${type}`];
  return [...invalid(content.schema, body, 'answer'), ...wrongHeaders(response, headers)];
}

/** Responses by AWS have a different type from the service's. */
function responseFor(responses: Json, status: number, type: string): Json {
  const ofStatus = resolved(responses[status]);
  return ofStatus?.content?.[type] === undefined && status >= 400 ? resolved(responses.default) : ofStatus;
}

function wrongHeaders(response: Json, headers: Answer['headers']): string[] {
  return ['ETag', 'Retry-After', 'Request-Nonce'].flatMap((name) => {
    const value = headers[name.toLowerCase()];
    const documented = resolved(response.headers?.[name]);
    if (value === undefined) return documented?.required ? [`no header ${name}`] : [];
    return documented === undefined
      ? [`header ${name}`]
      : invalid(documented.schema, asTyped(documented.schema, value), name);
  });
}

function wrongRequest({ path: template, operation }: DocumentedOperation, request: SentRequest, sent: Sent): string[] {
  const parameters: Json[] = (operation.parameters ?? []).map(resolved);
  const values = new Map<string, string>([
    ...Object.entries(patternOf(template).exec(sent.path)?.groups ?? {}).map(
      ([name, value]) => [`path ${name}`, decodeURIComponent(value)] as const,
    ),
    ...[...new URLSearchParams(sent.query)].map(([name, value]) => [`query ${name}`, value] as const),
  ]);
  const wrong = [...values].flatMap(([place, value]) => {
    const parameter = parameters.find((one) => `${one.in} ${one.name}` === place);
    if (parameter === undefined) return [place];
    return invalid(parameter.schema, asTyped(parameter.schema, value), place);
  });
  return [...wrong, ...wrongBody(operation, request)];
}

interface Sent {
  readonly path: string;
  readonly query: string;
}

function wrongBody({ requestBody }: Json, { body }: SentRequest): string[] {
  const text = body === undefined ? '' : Buffer.from(body).toString();
  if (text === '') return requestBody?.required ? ['no body'] : [];
  if (requestBody === undefined) return ['a body'];
  return invalid(requestBody.content['application/json'].schema, JSON.parse(text), 'body');
}

/** Converts a parameter or header, which is text, to the type of its schema. */
function asTyped({ type }: Json, value: unknown): unknown {
  return type === 'integer' ? Number(value) : value;
}

function isProblem(headers: Answer['headers']): boolean {
  return headers['content-type'] === 'application/problem+json';
}

/** Returns the target of a reference, or the value itself. */
export function resolved(place: Json): Json {
  const reference: string | undefined = place?.$ref;
  if (reference === undefined) return place;
  return reference
    .slice(2)
    .split('/')
    .reduce((within, name) => within[name], openapi);
}

/** Compiling the schemas takes as long as many tests, so all test files of a worker share what is compiled. */
const shared = globalThis as { compiledOpenapi?: ReturnType<typeof createCompiled> };
shared.compiledOpenapi ??= createCompiled();
const compiled = shared.compiledOpenapi;

function createCompiled() {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  // RFC 6531, of which ajv-formats has only the part in ASCII.
  ajv.addFormat('idn-email', /^[^\s@"<>,;:()]+@[^\s@"<>,;:()[\]]+$/u);
  ajv.addSchema({ $id: 'openapi', $defs: strictly(openapi.components.schemas) });
  return { ajv, validators: new Map<string, ValidateFunction>() };
}

/** Explains why a value does not match a schema of the document; each schema is compiled once. */
export function invalid(schema: Json, value: unknown, place: string): string[] {
  const key = JSON.stringify(schema);
  const validate = compiled.validators.get(key) ?? compiled.ajv.compile(strictly(schema));
  compiled.validators.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    (error) => `${place}${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

/**
 * Makes unknown members errors in the schema, although clients ignore them; in an `allOf`, each part accepts the
 * members of the others.
 */
function strictly(schema: Json, name?: string): Json {
  if (Array.isArray(schema)) return schema.map((one) => strictly(one, name));
  if (typeof schema !== 'object' || schema === null) return schema;
  const within = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    keyword === '$ref' ? toCompiledReference(value) : strictly(value, keyword),
  ]);
  const isOpen = schema.type === 'object' && name !== 'allOf' && schema.additionalProperties === undefined;
  return { ...Object.fromEntries(within), ...(isOpen ? { unevaluatedProperties: false } : {}) };
}

function toCompiledReference(reference: unknown): string {
  return String(reference).replace('#/components/schemas/', 'openapi#/$defs/');
}
