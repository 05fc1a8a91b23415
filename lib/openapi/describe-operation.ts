import { manageScope } from '#shared/contract/manage-routes.ts';
import { examples } from './examples.ts';
import { headersOf } from './headers.ts';
import type { Operation, Success } from './operation.ts';
import { parametersOf } from './parameters.ts';
import { problemResponses } from './responses.ts';
import { schemaAt, withoutDefault } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** An operation object of OpenAPI. */
export function describeOperation(operation: Operation): Json {
  const { name, text, scope } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: name,
    tags: [text.tag],
    summary: text.summary,
    description: describeText(operation),
    security:
      scope === undefined ? [{ token: [manageScope] }, { sigV4: [] }] : [{ signature: [scope], signatureInput: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation) }),
    responses: describeResponses(operation),
  };
}

function describeText({ text: { summary, description }, scope }: Operation): string {
  const needed = scope === undefined ? [] : [`The API key needs the scope \`${scope}\`.`];
  return [description ?? `${summary}.`, ...needed].join('\n\n');
}

function describeBody({ name, body }: Operation): Json {
  if (body === undefined) return {};
  const example = examples[name as keyof typeof examples].body;
  return {
    required: body.type !== 'optional',
    content: { 'application/json': { schema: schemaAt(withoutDefault(body)), example } },
  };
}

function describeResponses(operation: Operation): Json {
  const { statuses = [200] } = operation.text;
  const [first] = statuses;
  const successes = [...statuses]
    .sort()
    .map((status) => [status, describeSuccess(operation, status, status === first)]);
  const problems = [...problemResponses(operation)].map(([status, { name }]) => [status, reference(name)]);
  const ofTheDoors =
    operation.scope === undefined ? { 401: reference('TokenRefused'), 403: reference('EntryRefused') } : {};
  return {
    ...Object.fromEntries(successes),
    ...Object.fromEntries(problems),
    ...ofTheDoors,
    429: reference('TooManyRequests'),
    default: reference('NotAnswered'),
  };
}

const meanings: Readonly<Record<Success, string>> = {
  200: 'It holds now.',
  201: 'It is new.',
  202: 'Time ran out. The same request goes on where this one ended.',
};

function describeSuccess({ name, method, answer }: Operation, status: Success, isExample: boolean): Json {
  const hasVersion = 'entries' in answer && 'version' in (answer.entries as object);
  const headers = headersOf({
    ETag: hasVersion ? 'ETag' : undefined,
    'Retry-After': status === 202 ? 'RetryAfter' : undefined,
  });
  const example = isExample ? { example: examples[name as keyof typeof examples].answer } : {};
  return {
    description: method === 'GET' ? 'What holds now.' : meanings[status],
    headers,
    content: { 'application/json': { schema: schemaAt(answer), ...example } },
  };
}

function reference(name: string): Json {
  return { $ref: `#/components/responses/${name}` };
}
