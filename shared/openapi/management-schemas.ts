import type * as v from 'valibot';
import type { DescribedOperation } from './described-operations.ts';
import type { JsonSchema } from './json-schema.ts';
import { describeSchemas, pascalCase, schemaAt, withoutDefault } from './schemas.ts';
import { shareObjects } from './shared-objects.ts';
import { declareSchema, typeOf } from './typescript-types.ts';

/** The names of types by their JSON Schema, or by their text. */
export type Names = ReadonlyMap<string, string>;

/** The schemas with a name that these operations use, also by way of others, and those of answers. */
export function declareSchemas(described: readonly DescribedOperation[], answers: Names): string[] {
  const own = [...answers].map(([schema, name]) => [name, JSON.parse(schema)]).filter(([, { $ref }]) => !$ref);
  const named: Readonly<Record<string, JsonSchema>> = { ...namedSchemas(described), ...Object.fromEntries(own) };
  const shared = shareObjects(Object.fromEntries(Object.entries(named).filter(([name]) => !isBody(name))));
  const schemas = { ...named, ...shared };
  // A small part of another answer is not what an answer is a kind of.
  const isBase = (name: string) => name in named || Object.keys(schemas[name]?.properties ?? {}).length > 3;
  const bases = Object.fromEntries(Object.entries(schemas).filter(([name]) => isBase(name)));
  return Object.entries(schemas).map(([name, schema]) => {
    const declared = declareSchema(name, schema, { schemas: bases, absent: isBody(name) ? absentInput : '' });
    return `/** ${useOf(name, { described, answers, schemas })} */\n${declared}`;
  });
}

interface Uses {
  readonly described: readonly DescribedOperation[];
  readonly answers: Names;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Where a type occurs, as its doc comment. */
function useOf(name: string, { described, answers, schemas }: Uses): string {
  const answering = described.filter((operation) => answers.get(answerKey(operation)) === name);
  if (answering.length > 0) return `The answer of ${listed(answering.map((operation) => operation.name))}.`;
  const taking = described.filter(({ body }) => body && typeOf(schemaAt(withoutDefault(body))) === name);
  if (taking.length > 0) return `The body of ${listed(taking.map((operation) => operation.name))}.`;
  const containing = Object.keys(schemas).filter(
    (other) => other !== name && referencesOf(schemas[other]).includes(name),
  );
  return `A part of ${listed(containing)}.`;
}

/** Two of these names, and how many others there are. */
export function listed(names: readonly string[]): string {
  const [first, second, ...others] = names.map((name) => `\`${name}\``);
  if (second === undefined) return `${first}`;
  return others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${others.length} more`;
}

/** What two operations with the same answer have in common. */
export function answerKey({ documentation }: DescribedOperation): string {
  return JSON.stringify(schemaAt(documentation.answer));
}

/** The name of each answer: that of its schema, or of what an operation gets, and otherwise of the first that answers it. */
export function answerNames(described: readonly DescribedOperation[]): Names {
  const named = [...Map.groupBy(described, answerKey)].map(([key, [first, ...others]]): [string, string] => {
    const getting = [first, ...others].find((operation) => operation?.name.startsWith('get-'));
    const own = getting ? pascalCase(getting.name.slice('get-'.length)) : `${pascalCase(`${first?.name}`)}Answer`;
    const { $ref }: JsonSchema = JSON.parse(key);
    return [key, $ref === undefined ? own : typeOf({ $ref })];
  });
  return new Map(named);
}

function namedSchemas(described: readonly DescribedOperation[]): Readonly<Record<string, JsonSchema>> {
  const schemas = describeSchemas();
  const found = new Set(described.flatMap((operation) => schemasOf(operation).flatMap(referencesOf)));
  // Iterating over a set includes elements that are added during the iteration.
  for (const name of found) for (const next of referencesOf(schemas[name])) found.add(next);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function referencesOf(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"(?:#\/components\/schemas\/)?(\w+)"/g)].map(
    ([, name = '']) => name,
  );
}

function schemasOf({ body, query, documentation }: DescribedOperation): JsonSchema[] {
  const all = [documentation.answer, ...Object.values(query?.entries ?? {}), ...(body ? [withoutDefault(body)] : [])];
  return all.map((schema) => schemaAt(schema as v.GenericSchema));
}

/** In a body, an optional member may be passed as undefined, which JSON leaves out. */
export const absentInput = ' | undefined';

function isBody(name: string): boolean {
  return name.endsWith('Body');
}
