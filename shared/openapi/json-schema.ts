import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { descriptionOf } from '#shared/contract/documents.ts';

export type { JsonSchema };

/** Schemas by the names under which the document refers to them. */
export type NamedSchemas = Readonly<Record<string, GenericSchema>>;

/** The named schemas, and the prefix of references to them, such as `#/components/schemas/`. */
export interface JsonSchemaOptions {
  readonly named: NamedSchemas;
  readonly base: string;
}

/** A schema of the contract as JSON Schema 2020-12, for input before it is parsed. */
export function describeSchema(schema: GenericSchema, { named, base }: JsonSchemaOptions): JsonSchema {
  const { $schema: _, $defs: __, ...described } = toJsonSchema(schema, { ...conversion(base), definitions: named });
  return simplify(described);
}

/** All named schemas, by name. */
export function describeNamed({ named, base }: JsonSchemaOptions): Record<string, JsonSchema> {
  const described = Object.entries(toJsonSchemaDefs(named, conversion(base)));
  return Object.fromEntries(described.map(([name, schema]) => [name, simplify(schema)]));
}

/** Checks are code: `v.metadata` describes those that JSON Schema can express. A brand exists only in TypeScript. */
const undescribed = new Set(['check', 'brand']);

function conversion(base: string): ConversionConfig {
  return {
    typeMode: 'input',
    target: 'draft-2020-12',
    overrideSchema: ({ valibotSchema, jsonSchema }) => withDescriptions(valibotSchema, jsonSchema),
    overrideAction: ({ valibotAction, jsonSchema }) => (undescribed.has(valibotAction.type) ? jsonSchema : undefined),
    overrideRef: ({ referenceId }) => `${base}${referenceId}`,
  };
}

/** An object's schema with the descriptions of its members. */
function withDescriptions(schema: unknown, described: JsonSchema): JsonSchema | undefined {
  const { entries } = schema as { entries?: Readonly<Record<string, unknown>> };
  const { properties, additionalProperties } = described;
  if (entries === undefined || properties === undefined) return undefined;
  if (typeof additionalProperties === 'object') return describeRecord(entries, described);
  const explained = mapValues(properties as Record<string, JsonSchema>, ({ default: absent, ...member }, name) => {
    const description = [memberDescription(entries[name], name), defaultDescription(absent)].filter(Boolean).join(' ');
    return { ...member, ...(description && { description }) };
  });
  return { ...described, properties: explained };
}

/**
 * In TypeScript, each member of an object with additional members must fit their type. An optional member does not, so these
 * members are described in words.
 */
function describeRecord(
  entries: Readonly<Record<string, unknown>>,
  { properties: _, ...record }: JsonSchema,
): JsonSchema {
  const known = Object.entries(entries).map(([name, entry]) => `\`${name}\`: ${memberDescription(entry, name)}`);
  return { ...record, description: known.join(' ') };
}

/**
 * Generators require a member with a `default` to be sent, so the default is described in words; `null` is the same as absent.
 */
function defaultDescription(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return `Default: ${[value]
    .flat()
    .map((item) => `\`${item}\``)
    .join(', ')}.`;
}

/** The description of a member, optional, nullable or neither. */
export function memberDescription(schema: unknown, name: string): string | undefined {
  const known = descriptionOf(schema, name);
  if (known !== undefined || typeof schema !== 'object' || schema === null || !('wrapped' in schema)) return known;
  return memberDescription(schema.wrapped, name);
}

/** Rewrites a schema in the form that most tools support: a list of types rather than `anyOf` with a type in each option. */
function simplify(schema: JsonSchema): JsonSchema {
  const { required, anyOf, ...others } = mapSubschemas(schema, simplify);
  const kept = { ...others, ...(required?.length ? { required } : {}) };
  if (anyOf === undefined) return withFittingDefault(kept);
  const [first, ...rest] = (anyOf as JsonSchema[]).toSorted((one, other) => size(other) - size(one));
  const bare = rest.every((option) => size(option) === 1 && option.type !== undefined);
  if (first?.type === undefined || first.enum !== undefined || !bare) return { ...kept, anyOf };
  const type = [first, ...rest].flatMap((option) => option.type ?? []);
  return { ...first, ...kept, type };
}

/** A numeric query parameter is parsed from text, so its default is text; it is described as a number. */
function withFittingDefault(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'integer' || typeof schema.default !== 'string') return schema;
  return { ...schema, default: Number(schema.default) };
}

/** Applies a function to each schema directly inside one. */
export function mapSubschemas(schema: JsonSchema, map: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  const mapAll = (all: unknown) => (all as JsonSchema[]).map(map);
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties as Record<string, JsonSchema>, map) }),
    ...(items !== undefined && { items: map(items as JsonSchema) }),
    ...(anyOf && { anyOf: mapAll(anyOf) }),
    ...(oneOf && { oneOf: mapAll(oneOf) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties as JsonSchema) }),
  } as JsonSchema;
}

/** Applies a function to each value of a record. */
export function mapValues<Name extends string, Value, Mapped>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Mapped,
): Record<Name, Mapped> {
  const mapped = Object.entries<Value>(values).map(([name, value]) => [name, map(value, name as Name)]);
  return Object.fromEntries(mapped);
}

function size(schema: JsonSchema): number {
  return Object.keys(schema).length;
}
