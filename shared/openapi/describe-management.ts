import * as v from 'valibot';
import { type DescribedOperation, operations } from './described-operations.ts';
import { memberDescription } from './json-schema.ts';
import { absentInput, answerKey, answerNames, declareSchemas, listed, type Names } from './management-schemas.ts';
import { pascalCase, schemaAt, withoutDefault } from './schemas.ts';
import { declareMember, declareType, typeOf } from './typescript-types.ts';

/** The Management API as TypeScript that imports nothing: where each operation is, what it takes and what it answers. */
export function describeManagementContract(): string {
  const described = operations.filter(({ scope }) => scope === undefined);
  const routes = described.map(
    ({ name, method, path }) => `${JSON.stringify(name)}: ${JSON.stringify([method, path])},`,
  );
  const names = { answers: answerNames(described), queries: queryNames(described) };
  const operationTypes = described.map((operation) => declareOperation(operation, names));
  return [
    '// Generated from shared/contract by npm run build:docs.',
    ...declareSchemas(described, names.answers),
    ...[...names.queries].map(([type, name]) => {
      const takers = described.filter((operation) => queryType(operation) === type);
      return `/** The query of ${listed(takers.map((operation) => operation.name))}. */\n${declareType(name, type)}`;
    }),
    parts,
    '/** The input and the answer of each operation of the Management API. */',
    `export interface ManagementOperations {\n${operationTypes.join('\n')}\n}`,
    '/** @internal The method and the path of each operation. */',
    `export const managementRoutes = {\n${routes.join('\n')}\n} as const;`,
  ].join('\n\n');
}

/** What an operation consists of. */
const parts = `/** An operation of the API. */
export interface Operation<Input, Answer> {
  /** What it takes: parameters in the path, a query and a body. */
  readonly input: Input;
  /** The body of its answer. */
  readonly answer: Answer;
}

/** Parameters in the path, by name. */
export interface Path<Name extends string> {
  /** Each is one segment, which the client encodes. */
  readonly path: { readonly [Parameter in Name]: string };
}

/** Parameters after the path. */
export interface Query<Parameters> {
  /** Parameters that are left out or undefined are not sent. */
  readonly query?: Parameters;
}

/** A body, which must be passed. */
export interface Body<Content> {
  /** Sent as JSON. */
  readonly body: Content;
}

/** A body that may be left out. */
export interface OptionalBody<Content> {
  /** Sent as JSON. */
  readonly body?: Content;
}

/** A part of the input that the operation does not take. */
export type Without<Part extends 'path' | 'query' | 'body'> = { readonly [Name in Part]?: never };`;

interface TypeNames {
  readonly answers: Names;
  readonly queries: Names;
}

function declareOperation(operation: DescribedOperation, { answers, queries }: TypeNames): string {
  const { name, documentation } = operation;
  const query = queries.get(queryType(operation));
  const taken = [pathOf(operation), query && `Query<${query}>`, bodyOf(operation)];
  const missing = ['path', 'query', 'body'].filter((_, part) => !taken[part]);
  const without = missing.length > 0 && `Without<${missing.map((part) => `'${part}'`).join(' | ')}>`;
  const input = [...taken, without].filter(Boolean).join(' & ');
  const answer = answers.get(answerKey(operation));
  return `/** ${documentation.summary}. */\nreadonly ${JSON.stringify(name)}: Operation<${input}, ${answer}>;`;
}

function pathOf({ path }: DescribedOperation): string | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `'${name}'`);
  return names.length === 0 ? undefined : `Path<${names.join(' | ')}>`;
}

/** The queries by their types, each by the name of its parameters if they are few, and otherwise by the first operation that takes it. */
function queryNames(described: readonly DescribedOperation[]): Names {
  const queries = new Map<string, string>();
  for (const operation of described) {
    const names = Object.keys(operation.query?.entries ?? {});
    const name = names.length > 2 ? pascalCase(operation.name) : names.map(pascalCase).join('And');
    const type = queryType(operation);
    if (names.length > 0 && !queries.has(type)) queries.set(type, `${name}Query`);
  }
  return queries;
}

/** A query has texts in the URL, which stand for numbers and booleans too. */
function queryType({ query }: DescribedOperation): string {
  const members = Object.entries(query?.entries ?? {}).map(([name, entry]) => {
    const schema = schemaAt(entry as v.GenericSchema);
    const isSwitch = schema.enum?.includes('true');
    const type = `${isSwitch ? 'boolean | ' : ''}${schema.type === 'integer' ? 'number | string' : typeOf(schema)}`;
    const description = memberDescription(entry, name);
    return declareMember(`${name}?`, `${type}${absentInput}`, description === undefined ? {} : { description });
  });
  return `{\n${members.join('\n')}\n}`;
}

function bodyOf({ body }: DescribedOperation): string | undefined {
  if (body === undefined) return undefined;
  const type = typeOf(schemaAt(withoutDefault(body)), absentInput);
  const { entries = {} } = withoutDefault(body) as { readonly entries?: Readonly<Record<string, v.GenericSchema>> };
  const mayBeEmpty = Object.values(entries).every((entry) => v.is(v.strictObject({ entry }), {}));
  return mayBeEmpty ? `OptionalBody<${type}>` : `Body<${type}>`;
}
