import type * as v from 'valibot';
import { pathExamples } from '#shared/contract/examples.ts';
import { pathDescriptions, pathSchemas } from '#shared/contract/fields.ts';
import type { DescribedOperation } from './described-operations.ts';
import { memberDescription } from './json-schema.ts';
import { schemaAt } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;
type PathName = keyof typeof pathSchemas;

const pathNames = Object.keys(pathDescriptions) as PathName[];

/** Generators use one namespace for parameters and schemas, in which `Role` is a schema. */
const componentNames = {
  appId: 'AppId',
  connectionId: 'ConnectionId',
  webhookId: 'WebhookId',
  userId: 'UserId',
  role: 'RoleName',
  keyId: 'KeyId',
  changeId: 'ChangeId',
  bulkId: 'BulkId',
} as const satisfies Record<PathName, string>;

/** `components.parameters`: path parameters, and the headers of many operations. */
export const sharedParameters: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(pathNames.map((name) => [componentNames[name], pathParameter(name)])),
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of what was read: the request is refused with `version_mismatch` if the resource has changed since. Without it, or with `*`, the last write wins. In the Service API the signature covers it.',
    schema: { type: 'string' },
    example: '"3"',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Identifies the call (draft-ietf-httpapi-idempotency-key-header): for 24 hours another request with the same key and content gets the outcome of the first, and nothing happens twice. Without it, a request that is sent twice is two calls.',
    schema: { type: 'string', minLength: 1, maxLength: 130 },
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
  },
};

/** The parameters of an operation: path, query, headers. */
export function parametersOf(operation: DescribedOperation): Json[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => componentNames[name as PathName]);
  const headers = [...(operation.ifMatch ? ['IfMatch'] : []), ...idempotencyKeyOf(operation)];
  return [...names.map(reference), ...queryParameters(operation), ...headers.map(reference)];
}

/** The nonce of a signed request identifies its call. */
function idempotencyKeyOf({ scope, method }: DescribedOperation): string[] {
  return scope === undefined && method !== 'GET' ? ['IdempotencyKey'] : [];
}

function queryParameters({ query, documentation }: DescribedOperation): Json[] {
  const examples: Readonly<Record<string, unknown>> = documentation.example.query ?? {};
  return Object.entries(query?.entries ?? {}).map(([parameter, schema]) => {
    const example = examples[parameter];
    return {
      name: parameter,
      in: 'query',
      description: memberDescription(schema, parameter),
      schema: schemaAt(schema as v.GenericSchema),
      ...(example === undefined ? {} : { example }),
    };
  });
}

function pathParameter(name: PathName): Json {
  const [description, schema] = [pathDescriptions[name], schemaAt(pathSchemas[name])];
  return { name, in: 'path', required: true, description, schema, example: pathExamples[name] };
}

function reference(name: string): Json {
  return { $ref: `#/components/parameters/${name}` };
}
