import { isObject } from './attribute.ts';
import type { JsonObject, JsonValue } from './directory.ts';
import { groupSchema } from './group-schema.ts';
import { scimError } from './scim-error.ts';
import { enterpriseSchema, userSchema } from './user-schema.ts';

/** The attributes that a client wants of a resource (RFC 7644 section 3.9); of both lists at most one. */
export interface Selection {
  readonly attributes: readonly Path[] | undefined;
  readonly excluded: readonly Path[];
}

/** The names that lead to an attribute, in lower case. */
type Path = readonly string[];

export function readSelection(query: URLSearchParams): Selection {
  const attributes = readPaths(query.get('attributes') ?? '');
  const excluded = readPaths(query.get('excludedAttributes') ?? '');
  if (attributes.length > 0 && excluded.length > 0) {
    throw scimError('invalidValue', 'attributes and excludedAttributes exclude each other');
  }
  return { attributes: attributes.length > 0 ? attributes : undefined, excluded };
}

const coreUrns = [userSchema.id, groupSchema.id].map((id) => id.toLowerCase());
const extensionUrn = enterpriseSchema.id.toLowerCase();

/** The most names of a list; each is compared with every attribute of every result. */
const maxNames = 100;

function readPaths(list: string): readonly Path[] {
  const names = new Set(list.split(',').map((each) => each.trim().toLowerCase()));
  names.delete('');
  if (names.size > maxNames) throw scimError('invalidValue', `The request selects more than ${maxNames} attributes`);
  return [...names].map(readPath);
}

function readPath(name: string): Path {
  if (name === extensionUrn) return [extensionUrn];
  if (name.startsWith(`${extensionUrn}:`)) return [extensionUrn, ...name.slice(extensionUrn.length + 1).split('.')];
  const core = coreUrns.find((urn) => name.startsWith(`${urn}:`));
  return (core === undefined ? name : name.slice(core.length + 1)).split('.');
}

/** Whether the client wants this attribute, which has no case. */
export function selects({ attributes, excluded }: Selection, name: string): boolean {
  const lower = name.toLowerCase();
  if (attributes !== undefined) return attributes.some(([first]) => first === lower);
  return !excluded.some(([first, ...rest]) => first === lower && rest.length === 0);
}

const always = ['schemas', 'id'];

/** The selected part of a resource, always with its id. */
export function select(resource: JsonObject, { attributes, excluded }: Selection): JsonObject {
  if (attributes !== undefined) return pick(resource, [...always.map((name) => [name]), ...attributes]) as JsonObject;
  return omit(
    resource,
    excluded.filter(([first = '']) => !always.includes(first)),
  ) as JsonObject;
}

function pick(value: JsonValue, paths: readonly Path[]): JsonValue {
  return eachMember(value, (name, member) => {
    const rest = below(paths, name);
    if (rest.length === 0) return [];
    return [[name, rest.some((path) => path.length === 0) ? member : pick(member, rest)]];
  });
}

function omit(value: JsonValue, paths: readonly Path[]): JsonValue {
  return eachMember(value, (name, member) => {
    const rest = below(paths, name);
    return rest.some((path) => path.length === 0) ? [] : [[name, omit(member, rest)]];
  });
}

function below(paths: readonly Path[], name: string): readonly Path[] {
  return paths.filter(([first]) => first === name.toLowerCase()).map(([, ...rest]) => rest);
}

type MembersOf = (name: string, member: JsonValue) => readonly (readonly [string, JsonValue])[];

/** Applies a function to the members of an object, or of each object in a list. */
function eachMember(value: JsonValue, membersOf: MembersOf): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => eachMember(each, membersOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => membersOf(name, member)));
}
