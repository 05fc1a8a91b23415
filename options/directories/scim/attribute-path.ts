import { type Attribute, type AttributeSchema, findAttribute } from './attribute.ts';
import { type Comparison, readValueFilter } from './filter.ts';
import { scimError } from './scim-error.ts';

/** What a path of a PATCH, a key of its value or an attribute of a filter names. */
export interface Target {
  /** The name without its schema, in lower case. */
  readonly name: string;
  /** Undefined if it is not declared. */
  readonly attribute: Attribute | undefined;
  /** Undefined for the attribute as a whole. */
  readonly subAttribute: Attribute | undefined;
  /** Whether it names a sub-attribute that is not declared. */
  readonly isUnknown: boolean;
  /** The conditions in brackets; undefined without. */
  readonly filter: readonly Comparison[] | undefined;
}

/** Whether it is an attribute of every resource that only the service sets. */
export function isCommon({ name }: Target): boolean {
  return name === 'id' || name === 'meta' || name === 'schemas';
}

/** A path that is a schema as a whole. */
export interface SchemaTarget {
  readonly schema: AttributeSchema;
}

/** RFC 7644 section 3.5.2, figure 7, without the schema. */
const pathPattern = /^(\$?[A-Za-z][\w-]*)(?:\[(.+)\])?(?:\.(\$?[A-Za-z][\w-]*))?$/s;
/** The name of an attribute does not contain a colon, so all before the last one outside of brackets is the schema. */
const urnPattern = /^(urn:[^[]*):([^:[]+(?:\[.*)?)$/is;

/** Reads a path, in any case, with or without its schema; 400 `invalidPath` if it is malformed. */
export function readPath(path: string, schemas: readonly AttributeSchema[]): Target | SchemaTarget {
  const whole = schemaOf(path, schemas);
  if (whole !== undefined) return { schema: whole };
  const [, urn, local = path] = urnPattern.exec(path) ?? [];
  const [, name, filter, sub] = pathPattern.exec(local) ?? [];
  if (name === undefined) throw scimError('invalidPath', `The path ${withoutConditions(path)} is malformed.`);
  const attribute = urn === undefined ? attributeIn(schemas, name) : attributeIn([schemaOf(urn, schemas)], name);
  const subAttribute = sub === undefined ? undefined : findAttribute(attribute?.subAttributes, sub);
  return {
    name: name.toLowerCase(),
    attribute,
    subAttribute,
    isUnknown: sub !== undefined && subAttribute === undefined,
    filter: filter === undefined ? undefined : readValueFilter(filter),
  };
}

function schemaOf(urn: string, schemas: readonly AttributeSchema[]): AttributeSchema | undefined {
  if (!/^urn:/i.test(urn)) return undefined;
  const lower = urn.toLowerCase();
  return schemas.find(({ id }) => id.toLowerCase() === lower);
}

function attributeIn(schemas: readonly (AttributeSchema | undefined)[], name: string): Attribute | undefined {
  for (const schema of schemas) {
    const found = findAttribute(schema?.attributes, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text names an attribute, or one of its parts, without conditions. */
export function isPath(text: string): boolean {
  return /^(?:urn:[^[]*:)?[A-Za-z][\w-]*(?:\.\$?[A-Za-z][\w-]*)?$/i.test(text);
}

/** Conditions may name a person, whom an error does not. */
function withoutConditions(path: string): string {
  const [head = ''] = path.slice(0, 100).split('[');
  return head === path ? path : `${head}…`;
}
