import { type JsonSchema, mapSubschemas } from './json-schema.ts';
import { pascalCase } from './schemas.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** An object with members that has no name of its own, at a place such as `roles` of `User`. */
interface Unnamed {
  readonly owner: string;
  readonly member: string;
  readonly schema: JsonSchema;
}

/**
 * Gives a name to each object that stands in several places of these schemas, and refers to it there; also to a whole schema that
 * another one contains. Returns all schemas, those with new names last.
 */
export function shareObjects(schemas: Schemas): Schemas {
  const names = new Map(Object.entries(schemas).flatMap(([name, schema]) => keyed(schema).map((key) => [key, name])));
  const found = Object.entries(schemas).flatMap(([owner, schema]) => unnamedIn(schema, owner, owner));
  const shared: Record<string, JsonSchema> = {};
  for (const [key, [first, ...others]] of Map.groupBy(found, ({ schema }) => keyOf(schema))) {
    if (first === undefined || others.length === 0 || names.has(key)) continue;
    const name = nameOf(first);
    if (name in schemas || name in shared) throw new Error(`There are two types ${name}`);
    names.set(key, name);
    shared[name] = objectOf(first.schema);
  }
  const refer = (schema: JsonSchema): JsonSchema =>
    mapSubschemas(schema, (part) => reference(part, names) ?? refer(part));
  return Object.fromEntries(Object.entries({ ...schemas, ...shared }).map(([name, schema]) => [name, refer(schema)]));
}

function unnamedIn(schema: JsonSchema, owner: string, member: string): Unnamed[] {
  const found: Unnamed[] = [];
  const visit = (part: JsonSchema, place: string) => {
    if (part.properties !== undefined) found.push({ owner, member: place, schema: part });
    found.push(...unnamedIn(part, owner, place));
    return part;
  };
  const { properties = {}, ...others } = schema;
  for (const [name, part] of Object.entries(properties as Record<string, JsonSchema>)) visit(part, name);
  mapSubschemas(others, (part) => visit(part, member));
  return found;
}

/** What tells an object apart: its members. Its own description belongs to the place where it stands. */
function keyOf(schema: JsonSchema): string {
  return JSON.stringify(objectOf(schema));
}

function keyed(schema: JsonSchema): string[] {
  return schema.type === 'object' && schema.properties !== undefined ? [keyOf(schema)] : [];
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema): JsonSchema {
  return { type: 'object', properties, required, ...(additionalProperties !== undefined && { additionalProperties }) };
}

/** A reference, also for an object that may be null. */
function reference(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema | undefined {
  const name = schema.properties && names.get(keyOf(schema));
  if (name === undefined) return undefined;
  const { description } = schema;
  const target = { $ref: name };
  const isNullable = [schema.type].flat().includes('null');
  return { ...(isNullable ? { anyOf: [target, { type: 'null' }] } : target), ...(description && { description }) };
}

/** The name of its place, in the singular for an item of a list, such as `ConnectionKey` of `keys` of `Connection`. */
function nameOf({ owner, member }: Unnamed): string {
  return `${owner.replace(/(Page|Answer)$/, '')}${pascalCase(member.replace(/s$/, ''))}`;
}
