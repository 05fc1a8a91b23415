import { hash } from 'node:crypto';
import * as v from 'valibot';
import { appIdSchema, roleNameSchema, userIdSchema } from '#shared/contract/ids.ts';
import { examples, pathExamples } from './examples.ts';
import type { Operation } from './operation.ts';
import { schemaAt } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const paths = {
  appId: { schema: appIdSchema, description: 'The application.' },
  userId: {
    schema: userIdSchema,
    description: 'The user. Characters that a path cannot hold are percent-encoded; `:`, `@`, `=`, `+` and `|` may be.',
  },
  role: { schema: roleNameSchema, description: 'The role, by its name in the application.' },
  keyId: { schema: v.string(), description: 'The API key.' },
} as const;

const queries: Readonly<Record<string, string>> = {
  limit: 'How many items a page has at most.',
  cursor: 'The `cursor` of the page before, as it is.',
  after: 'The `cursor` of the answer before, as it is. Only what is newer follows.',
  prefix: 'Only ids that begin so.',
  status: 'Only those of this status.',
  force: 'Whether it is deleted also while it is in use.',
  role: 'The role, for clients and proxies that drop the body of a DELETE.',
};

const contentDigest = {
  name: 'Content-Digest',
  in: 'header',
  description:
    'The SHA-256 of the body (RFC 9530), covered by the signature. Needed beside a body, and left out without one. The example is that of `{"role":"editor"}`.',
  schema: { type: 'string' },
  example: `sha-256=:${hash('sha256', '{"role":"editor"}', 'base64')}:`,
} as const;

/** `components.parameters`: what stands in paths, and the headers of many operations. */
export const sharedParameters: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, pathParameter(name, path)])),
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of what was read: the request is refused with `version_mismatch` if somebody changed it since. Without it, or with `*`, the last one wins.',
    schema: { type: 'string' },
    example: '"3"',
  },
  ContentDigest: { ...contentDigest, required: true },
  ContentDigestOfAnyBody: contentDigest,
};

/** The parameters of an operation, in the order in which a reader meets them. */
export function parametersOf(operation: Operation): Json[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const headers = [...(operation.text.guarded ? ['IfMatch'] : []), ...digestOf(operation)];
  return [...names.map(reference), ...queryParameters(operation), ...headers.map(reference)];
}

/** Only signed requests need it. */
function digestOf({ scope, body }: Operation): string[] {
  if (scope === undefined || body === undefined) return [];
  return [body.type === 'optional' ? 'ContentDigestOfAnyBody' : 'ContentDigest'];
}

function queryParameters({ name, query }: Operation): Json[] {
  return Object.entries(query?.entries ?? {}).map(([parameter, schema]) => {
    const example = examples[name as keyof typeof examples].query?.[parameter];
    return {
      name: parameter,
      in: 'query',
      description: queries[parameter],
      schema: schemaAt(schema as v.GenericSchema),
      ...(example === undefined ? {} : { example }),
    };
  });
}

function pathParameter(name: string, { schema, description }: (typeof paths)[keyof typeof paths]): Json {
  const example = pathExamples[name as keyof typeof pathExamples];
  return { name, in: 'path', required: true, description, schema: schemaAt(schema), example };
}

function reference(name: string): Json {
  return { $ref: `#/components/parameters/${name}` };
}
