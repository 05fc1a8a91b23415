import type { JsonValue } from './directory.ts';
import { scimError } from './scim-error.ts';

/** The declaration of an attribute (RFC 7643 section 7), from which schemas, parsing, PATCH and comparisons derive. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'reference' | 'complex';
  readonly description: string;
  /** Default: false. */
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  /** Default: readWrite. */
  readonly mutability?: 'readOnly' | 'immutable';
  /** Default: none. */
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A schema: the attributes under a URN. */
export interface AttributeSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** The attribute of this name, which has no case (RFC 7643 section 2.1); undefined if it is not declared. */
export function findAttribute(attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined {
  return attributes && byName(attributes).get(name.toLowerCase());
}

const named = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** The attributes by their names in lower case, formed once: a body may have 100,000 names. */
function byName(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  const known = named.get(attributes);
  if (known !== undefined) return known;
  const formed = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
  named.set(attributes, formed);
  return formed;
}

/** The most values of an attribute with several. */
const maxValues = 100;

/**
 * A value for an attribute, with canonical names and without members that are not declared; 400 `invalidValue` if it has
 * another type. A value that is given where several can be is a list of one, and the other way round. `null` in a complex value
 * takes a member away.
 */
export function readValue(attribute: Attribute, value: unknown, place = attribute.name): JsonValue {
  if (attribute.multiValued) {
    const values = Array.isArray(value) ? value : [value];
    requireFew(values, place);
    return values.map((each) => readElement(attribute, each, place));
  }
  if (!Array.isArray(value)) return readElement(attribute, value, place);
  if (value.length !== 1) throw invalidValue(place, 'must be one value');
  return readElement(attribute, value[0], place);
}

/** One value of an attribute. */
export function readElement(attribute: Attribute, value: unknown, place = attribute.name): JsonValue {
  switch (attribute.type) {
    case 'boolean':
      return readBoolean(value) ?? refuse(place, 'must be true or false');
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) : refuse(place, 'must be an integer');
    case 'string':
    case 'reference':
      return isStorable(value) ? value : refuse(place, 'must be a string without NUL and unpaired surrogates');
    case 'complex':
      return readComplex(attribute, value, place);
    default:
      return attribute.type satisfies never;
  }
}

/** Entra ID sends booleans as text; undefined for what is neither. */
export function readBoolean(value: unknown): boolean | undefined {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  return text === false || text === 'false' ? false : undefined;
}

/** DynamoDB cannot store unpaired surrogates, and NUL ends a text in many programs. */
export function isStorable(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** A text stands for the `value` of a complex attribute that has one, as Entra ID sends a manager. */
function readComplex({ subAttributes }: Attribute, value: unknown, place: string): JsonValue {
  if (typeof value === 'string' && findAttribute(subAttributes, 'value')) return { value: readText(value, place) };
  if (!isObject(value)) throw invalidValue(place, 'must be an object');
  const members = new Map<string, JsonValue>();
  for (const [name, given] of Object.entries(value)) {
    const declared = findAttribute(subAttributes, name);
    if (declared === undefined) continue;
    if (members.has(declared.name)) throw scimError('invalidSyntax', `${place}.${declared.name} is given twice`);
    members.set(declared.name, given === null ? null : readValue(declared, given, `${place}.${declared.name}`));
  }
  return Object.fromEntries(members);
}

function readText(value: string, place: string): string {
  return isStorable(value) ? value : refuse(place, 'must be a string without NUL and unpaired surrogates');
}

export function requireFew(values: readonly unknown[], place: string): void {
  if (values.length > maxValues) throw invalidValue(place, `must have at most ${maxValues} values`);
}

/** RFC 7643 section 2.4. */
export function requireOnePrimary(values: readonly JsonValue[], place: string): void {
  const primary = values.filter((value) => isObject(value) && value.primary === true);
  if (primary.length > 1) throw invalidValue(place, 'must have at most one value that is primary');
}

export function isObject(value: unknown): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function invalidValue(place: string, detail: string) {
  return scimError('invalidValue', `${place} ${detail}`);
}

function refuse(place: string, detail: string): never {
  throw invalidValue(place, detail);
}
