import * as catalog from '#options/catalog.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';
import type { SuccessStatus } from '#shared/contract/operation.ts';
import { codesOf, type DescribedOperation, operations } from './described-operations.ts';
import { headersOf, sharedHeaders } from './headers.ts';
import { parametersOf, sharedParameters } from './parameters.ts';
import { problemExamples } from './problem-examples.ts';
import { gatewayResponses, problemResponses } from './responses.ts';
import { describeSchemas, schemaAt, withoutDefault } from './schemas.ts';
import { securityOf, securitySchemes } from './security.ts';
import { info, manageServers, servers, tags } from './texts.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 description of both APIs. */
export function describeApis(version: string): Json {
  const paths = describePaths();
  const responses = { ...sharedResponses(), ...gatewayResponses };
  return {
    openapi: '3.1.1',
    info: { ...info, version },
    servers,
    tags: [...tags, ...membersOf(catalog, 'tags').flat()],
    paths,
    components: {
      securitySchemes,
      parameters: usedOf(sharedParameters, 'parameters', paths),
      headers: sharedHeaders,
      examples: usedOf(problemExamples, 'examples', responses),
      responses,
      schemas: describeSchemas(),
    },
  };
}

/** Those that are referred to: others are of endpoints for connections, which other documents describe, or of options that are not there. */
function usedOf(components: Json, kind: 'examples' | 'parameters', within: Json): Json {
  const text = JSON.stringify(within);
  const isUsed = (name: string) => text.includes(`"#/components/${kind}/${name}"`);
  return Object.fromEntries(Object.entries(components).filter(([name]) => isUsed(name)));
}

function describePaths(): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries([...byPath].map(([path, ofPath]) => [path, describePath(ofPath)]));
}

/** Only the Management API has a second address. */
function describePath(ofPath: readonly DescribedOperation[]): Json {
  const methods = ofPath.map((operation) => [operation.method.toLowerCase(), describeOperation(operation)]);
  const ownServers = ofPath.every(({ scope }) => scope === undefined) ? { servers: manageServers } : {};
  return { ...ownServers, ...Object.fromEntries(methods) };
}

function sharedResponses(): Json {
  const named = operations.flatMap((operation) => [...problemResponses(operation).values()]);
  return Object.fromEntries(named.map(({ name, response }) => [name, response]));
}

/** An operation object of OpenAPI. */
function describeOperation(operation: DescribedOperation): Json {
  const { name, documentation, scope, role } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: name,
    tags: [documentation.tag],
    summary: documentation.summary,
    description: describeText(operation),
    security: securityOf(operation),
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    ...(role === undefined ? {} : { 'x-required-role': role }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation) }),
    responses: describeResponses(operation),
  };
}

function describeText(operation: DescribedOperation): string {
  const { documentation, scope, role } = operation;
  const { summary, description } = documentation;
  const needed = [
    ...(scope === undefined ? [] : [`The API key needs the scope \`${scope}\`.`]),
    ...(role === undefined ? [] : [`The operator needs the role \`${role}\`${reachOf(operation)}.`]),
  ];
  return [description ?? `${summary}.`, ...needed].join('\n\n');
}

/** How far the required role must reach. */
function reachOf({ path, forLimited }: DescribedOperation): string {
  if (path.includes('{appId}') || forLimited === 'named') return ' in the application';
  if (forLimited === undefined) return ', not limited to applications';
  return forLimited === 'whole' ? '' : '; a role that is limited to applications sees only their data';
}

function describeBody({ documentation, body }: DescribedOperation): Json {
  if (body === undefined) return {};
  const { example } = documentation;
  return {
    required: body.type !== 'optional',
    content: { 'application/json': { schema: schemaAt(withoutDefault(body)), example: example.body } },
  };
}

function describeResponses(operation: DescribedOperation): Json {
  const { statuses = [200] } = operation;
  const [first] = statuses;
  const successes = [...statuses]
    .sort()
    .map((status) => [status, describeSuccess(operation, status, status === first)]);
  const problems = [...problemResponses(operation)].map(([status, { name }]) => [status, reference(name)]);
  const ofAws = operation.scope === undefined ? refusedAtEntry(operation) : {};
  return {
    ...Object.fromEntries(successes),
    ...Object.fromEntries(problems),
    ...ofAws,
    429: reference(operation.scope === undefined ? 'TooManyRequests' : 'TooManyRequestsOfApplication'),
    default: reference('NotAnswered'),
  };
}

/** The responses of AWS itself, which share statuses with the service. */
function refusedAtEntry(operation: DescribedOperation): Json {
  const needsRole = codesOf(operation).includes('role_required');
  return { 401: reference('TokenRefused'), 403: reference(needsRole ? 'EntryOrRoleRefused' : 'EntryRefused') };
}

const meanings: Readonly<Record<SuccessStatus, string>> = {
  200: 'The state after the request.',
  201: 'Created.',
  202: 'The request ran out of time. Repeat it to continue where it stopped.',
};

function describeSuccess(
  { documentation, method, scope }: DescribedOperation,
  status: SuccessStatus,
  isExample: boolean,
): Json {
  const { answer } = documentation;
  const hasVersion = 'entries' in answer && 'version' in (answer.entries as object);
  const headers = headersOf({
    ETag: hasVersion ? 'ETag' : undefined,
    'Retry-After': status === 202 ? 'RetryAfter' : undefined,
    'Request-Nonce': scope === undefined ? undefined : 'RequestNonce',
  });
  const example = isExample ? { example: documentation.example.answer } : {};
  return {
    description: method === 'GET' ? 'The current state.' : meanings[status],
    headers,
    content: { 'application/json': { schema: schemaAt(answer), ...example } },
  };
}

function reference(name: string): Json {
  return { $ref: `#/components/responses/${name}` };
}
