import type { JsonSchema } from './json-schema.ts';

interface Declaration {
  /** The schemas by name, one of which it may extend. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** As for `typeOf`. */
  readonly absent?: string;
}

/** Declares a schema by a name. One that has all members of others extends the largest. */
export function declareSchema(name: string, schema: JsonSchema, { schemas, absent = '' }: Declaration): string {
  if (schema.type !== 'object' || schema.properties === undefined)
    return `export type ${name} = ${typeOf(schema, absent)}`;
  const bases = Object.entries(schemas).filter(([, other]) => extendsSchema(schema, other));
  const [base] = bases.toSorted(([, one], [, other]) => memberCount(other) - memberCount(one));
  if (base === undefined) return declareType(name, typeOf(schema, absent));
  const [baseName, { properties: known = {} }] = base;
  const own = Object.entries(schema.properties).filter(([member]) => !(member in known));
  return declareType(`${name} extends ${baseName}`, typeOf({ ...schema, properties: Object.fromEntries(own) }, absent));
}

function extendsSchema(schema: JsonSchema, base: JsonSchema): boolean {
  const names = Object.keys(base.properties ?? {});
  return (
    names.length > 1 &&
    names.length < memberCount(schema) &&
    names.every((name) => typeOfMember(schema, name) === typeOfMember(base, name))
  );
}

function memberCount({ properties = {} }: JsonSchema): number {
  return Object.keys(properties).length;
}

function typeOfMember({ properties = {}, required = [] }: JsonSchema, name: string): string | undefined {
  const member = (properties as Record<string, JsonSchema>)[name];
  return member && `${required.includes(name)} ${typeOf(member)}`;
}

/** Declares a type by a name: an object as an interface. */
export function declareType(name: string, type: string): string {
  const keyword = type.startsWith('{') ? `interface ${name} ` : `type ${name} = `;
  return `export ${keyword}${type}`;
}

/**
 * A schema as a type of TypeScript: read-only, with the descriptions of members as their comments. `absent` is what an optional
 * member may be besides its type, such as ` | undefined` in what callers pass.
 */
export function typeOf(schema: JsonSchema, absent = ''): string {
  if (schema.$ref !== undefined) return String(schema.$ref).replace(/^.*\//, '');
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return unionOf((options as JsonSchema[]).map((option) => typeOf(option, absent)));
  const types = [schema.type].flat().map((type) => typeNamed(type, schema, absent));
  return unionOf(types);
}

function typeNamed(type: unknown, schema: JsonSchema, absent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items as JsonSchema, absent)})[]`;
    case 'object':
      return objectType(schema, absent);
    default:
      return String(type);
  }
}

/** An object with additional members declares only their types, because TypeScript requires all members to fit those. */
function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema, absent: string): string {
  if (typeof additionalProperties === 'object')
    return `Readonly<Record<string, ${typeOf(additionalProperties as JsonSchema, absent)}>>`;
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, member]) =>
    required.includes(name)
      ? declareMember(name, typeOf(member, absent), member)
      : declareMember(`${name}?`, typeOf(member, absent) + absent, member),
  );
  return `{\n${members.join('\n')}\n}`;
}

/** A member of an object, below its description. */
export function declareMember(name: string, type: string, { description }: JsonSchema): string {
  const comment = description === undefined ? '' : `/** ${description} */\n`;
  return `${comment}readonly ${name}: ${type};`;
}

/** Each type once. */
export function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
