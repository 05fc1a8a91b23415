import * as v from 'valibot';
import { type DescribedOperation, operations } from './described-operations.ts';
import { type JsonSchema, memberDescription } from './json-schema.ts';
import { describeSchemas, schemaAt, withoutDefault } from './schemas.ts';
import { declareMember, declareSchema, typeOf } from './typescript-types.ts';

/** The Management API as TypeScript that imports nothing: where each operation is, what it takes and what it answers. */
export function describeManagementContract(): string {
  const described = operations.filter(({ scope }) => scope === undefined);
  const schemas = namedSchemas(described);
  const operationTypes = described.map(declareOperation);
  const routes = described.map(
    ({ name, method, path }) => `${JSON.stringify(name)}: ${JSON.stringify([method, path])},`,
  );
  return [
    '// Generated from shared/contract by npm run build:docs.',
    ...Object.entries(schemas).map(([name, schema]) =>
      declareSchema(name, schema, { schemas, absent: absentIn(name) }),
    ),
    '/** The input and the answer of each operation of the Management API. */',
    `export interface ManagementOperations {\n${operationTypes.join('\n')}\n}`,
    '/** The method and the path of each operation. */',
    `export const managementRoutes = {\n${routes.join('\n')}\n} as const;`,
  ].join('\n\n');
}

/** The schemas with a name that these operations use, also by way of others, in the order of the description of the API. */
function namedSchemas(described: readonly DescribedOperation[]): Readonly<Record<string, JsonSchema>> {
  const schemas = describeSchemas();
  const found = new Set(described.flatMap((operation) => schemasOf(operation).flatMap(referencesOf)));
  // Iterating over a set includes elements that are added during the iteration.
  for (const name of found) for (const next of referencesOf(schemas[name])) found.add(next);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function referencesOf(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

function schemasOf({ body, query, documentation }: DescribedOperation): JsonSchema[] {
  const all = [documentation.answer, ...Object.values(query?.entries ?? {}), ...(body ? [withoutDefault(body)] : [])];
  return all.map((schema) => schemaAt(schema as v.GenericSchema));
}

/** In a body, an optional member may be passed as undefined, which JSON leaves out. */
function absentIn(name: string): string {
  return name.endsWith('Body') ? absentInput : '';
}

const absentInput = ' | undefined';

function declareOperation(operation: DescribedOperation): string {
  const { name, documentation } = operation;
  const input = [declarePath(operation), declareQuery(operation), declareBody(operation)];
  const members = [
    `readonly input: {\n${input.join('\n')}\n};`,
    `readonly answer: ${typeOf(schemaAt(documentation.answer))};`,
  ];
  return `/** ${documentation.summary}. */\nreadonly ${JSON.stringify(name)}: {\n${members.join('\n')}\n};`;
}

function declarePath({ path }: DescribedOperation): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `readonly ${name}: string;`);
  return names.length === 0 ? noPart('path') : `readonly path: { ${names.join(' ')} };`;
}

/** A query has texts in the URL, which stand for numbers and booleans too. */
function declareQuery({ query }: DescribedOperation): string {
  const members = Object.entries(query?.entries ?? {}).map(([name, entry]) => {
    const schema = schemaAt(entry as v.GenericSchema);
    const isSwitch = schema.enum?.includes('true');
    const type = `${isSwitch ? 'boolean | ' : ''}${schema.type === 'integer' ? 'number | string' : typeOf(schema)}`;
    const description = memberDescription(entry, name);
    return declareMember(`${name}?`, `${type}${absentInput}`, description === undefined ? {} : { description });
  });
  return members.length === 0 ? noPart('query') : `readonly query?: {\n${members.join('\n')}\n};`;
}

function declareBody({ body }: DescribedOperation): string {
  if (body === undefined) return noPart('body');
  const type = typeOf(schemaAt(withoutDefault(body)), absentInput);
  const { entries = {} } = withoutDefault(body) as { readonly entries?: Readonly<Record<string, v.GenericSchema>> };
  const mayBeEmpty = Object.values(entries).every((entry) => v.is(v.strictObject({ entry }), {}));
  return mayBeEmpty ? `readonly body?: ${type};` : `readonly body: ${type};`;
}

/** A part that the operation does not take. */
function noPart(name: string): string {
  return `readonly ${name}?: never;`;
}
