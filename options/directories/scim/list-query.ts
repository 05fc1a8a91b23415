import { type AttributeSchema, isObject } from './attribute.ts';
import { isPath, readPath } from './attribute-path.ts';
import type { DirectoryUser, GroupConditions, IndexPage, JsonValue, UserConditions } from './directory.ts';
import { type Comparison, invalidFilter, readFilter } from './filter.ts';
import { groupSchemas } from './group-schema.ts';
import { maxPageSize } from './resource.ts';
import { scimError } from './scim-error.ts';
import { emailsOf, foldCase } from './user-attributes.ts';
import { userSchemas } from './user-document.ts';
import { enterpriseSchema } from './user-schema.ts';

/** A request for a list of users. */
export interface UserQuery extends IndexPage {
  readonly conditions: UserConditions;
  /** What must also hold, of the few users whom the conditions find. */
  readonly alsoHolds: ((user: DirectoryUser) => boolean) | undefined;
}

/** Reads the page and the filter of a list of users; 400 for a filter that it does not support. */
export function readUserQuery(query: URLSearchParams): UserQuery {
  const conditions: { -readonly [Name in keyof UserConditions]: string } = {};
  const checks: ((user: DirectoryUser) => boolean)[] = [];
  for (const comparison of comparisonsOf(query)) {
    const name = nameOf(comparison, userSchemas);
    const value = textOf(comparison);
    const { within } = comparison;
    if ((name === 'manager' || name === 'manager.value') && within.length === 0) {
      checks.push((user) => managerOf(user) === value);
      continue;
    }
    setOnce(conditions, userConditionOf(name), value);
    if (within.length > 0) checks.push(hasEmailOf(within, value));
  }
  if (checks.length > 0 && Object.keys(conditions).length === 0) {
    throw invalidFilter('compares the manager, which is possible only with the id');
  }
  const alsoHolds = checks.length === 0 ? undefined : (user: DirectoryUser) => checks.every((check) => check(user));
  return { ...readPage(query), conditions, alsoHolds };
}

/** Of these only an e-mail address can be compared within brackets: the others have no parts. */
function userConditionOf(name: string): keyof UserConditions {
  if (name === 'emails.value' || name === 'emails') return 'email';
  if (name === 'id') return 'id';
  if (name === 'externalid') return 'externalId';
  return name === 'username' ? 'userName' : refuse(name);
}

/** `emails[type eq "work"].value` does not find an address for another purpose. */
function hasEmailOf(within: readonly Comparison[], address: string): (user: DirectoryUser) => boolean {
  const [condition, ...more] = within;
  if (condition?.path.toLowerCase() !== 'type' || more.length > 0)
    throw invalidFilter('selects e-mail addresses not by type');
  const type = textOf(condition).toLowerCase();
  return ({ attributes: { emails } }) => {
    const isOfType = (each: JsonValue) => isObject(each) && String(each.type).toLowerCase() === type;
    const found = emailsOf({ emails: Array.isArray(emails) ? emails.filter(isOfType) : null });
    return found.map(foldCase).includes(foldCase(address));
  };
}

function managerOf({ attributes }: DirectoryUser): JsonValue | undefined {
  const enterprise = attributes[enterpriseSchema.id];
  const manager = isObject(enterprise) ? enterprise.manager : undefined;
  return isObject(manager) ? manager.value : undefined;
}

/** A request for a list of groups. */
export interface GroupQuery extends IndexPage {
  readonly conditions: GroupConditions;
}

/** Reads the page and the filter of a list of groups; 400 for a filter that it does not support. */
export function readGroupQuery(query: URLSearchParams): GroupQuery {
  const conditions: { -readonly [Name in keyof GroupConditions]: string } = {};
  for (const comparison of comparisonsOf(query)) {
    const name = nameOf(comparison, groupSchemas);
    if (comparison.within.length > 0) throw invalidFilter(`selects an element of ${name}, which is not supported`);
    setOnce(conditions, groupConditionOf(name), textOf(comparison));
  }
  return { ...readPage(query), conditions };
}

function groupConditionOf(name: string): keyof GroupConditions {
  if (name === 'members' || name === 'members.value') return 'member';
  if (name === 'id') return 'id';
  if (name === 'externalid') return 'externalId';
  return name === 'displayname' ? 'displayName' : refuse(name);
}

function comparisonsOf(query: URLSearchParams): readonly Comparison[] {
  const filter = readFilterText(query);
  return filter === undefined ? [] : readFilter(filter);
}

/** The filter of a list; an empty one is none, as some clients send it with every list. */
export function readFilterText(query: URLSearchParams): string | undefined {
  return query.get('filter')?.trim() || undefined;
}

/** The name of what is compared, without its schema and in lower case. */
function nameOf({ path }: Comparison, schemas: readonly AttributeSchema[]): string {
  const target = isPath(path) ? readPath(path, schemas) : refuse(path);
  if ('schema' in target || target.isUnknown) return refuse(path);
  const { name, subAttribute } = target;
  return subAttribute === undefined ? name : `${name}.${subAttribute.name.toLowerCase()}`;
}

function textOf({ path, value }: Comparison): string {
  if (typeof value === 'string') return value;
  throw invalidFilter(`must compare ${path} with text`);
}

function setOnce<Name extends string>(conditions: { [Each in Name]?: string }, name: Name, value: string): void {
  if (conditions[name] !== undefined) throw invalidFilter(`compares ${name} twice`);
  conditions[name] = value;
}

function refuse(name: string): never {
  throw invalidFilter(`compares ${name}, which is not supported`);
}

/** RFC 7644 section 3.4.2.4: a smaller index is 1, a negative count 0. */
export function readPage(query: URLSearchParams): IndexPage {
  const startIndex = readInteger(query, 'startIndex') ?? 1;
  const count = readInteger(query, 'count') ?? maxPageSize;
  return { startIndex: Math.max(1, startIndex), count: Math.min(Math.max(0, count), maxPageSize) };
}

function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw scimError('invalidValue', `${name} must be an integer`);
}
