import { isUserId, type UserId } from '#shared/contract/fields.ts';
import { type Attribute, invalidValue, isObject } from './attribute.ts';
import { isCommon, readPath, type Target } from './attribute-path.ts';
import type { GroupChange, JsonValue } from './directory.ts';
import { groupSchemas } from './group-schema.ts';
import { memberOf, type PatchOperation, readPatch } from './patch-request.ts';
import { scimError } from './scim-error.ts';
import { externalIdAttribute } from './user-schema.ts';

/** A group as a directory creates it. */
export interface NewGroup {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly UserId[];
}

const maxTextLength = 256;

/** The group of a POST. */
export function readNewGroup(body: object): NewGroup {
  return {
    displayName: readText('displayName', memberOf(body, 'displayName')),
    externalId: readExternalId(memberOf(body, 'externalId')),
    members: readMembers(memberOf(body, 'members') ?? []),
  };
}

/** The change of a PUT: the name and all members. It keeps the members and the `externalId` if it does not name them. */
export function readGroupReplacement(body: object): GroupChange {
  const [externalId, members] = [memberOf(body, 'externalId'), memberOf(body, 'members')];
  return {
    displayName: readText('displayName', memberOf(body, 'displayName')),
    ...(externalId !== undefined && { externalId: readExternalId(externalId) }),
    ...(members !== undefined && { members: { set: readMembers(members ?? []) } }),
  };
}

/** The change of a PATCH, made without the group: who is added and removed by all of its operations, or who remains. */
export function readGroupPatch(body: object): GroupChange {
  let change: GroupChange = {};
  for (const { op, path, value } of readPatch(body)) {
    const members: [string, JsonValue | undefined][] =
      path === undefined ? Object.entries(value ?? {}) : [[path, value]];
    for (const [named, each] of members)
      change = withPart(change, { op, path: named, value: each }, path === undefined);
  }
  return change;
}

interface NamedPart extends PatchOperation {
  readonly path: string;
}

function withPart(change: GroupChange, { op, path, value }: NamedPart, isPathless: boolean): GroupChange {
  const target = readPath(path, groupSchemas);
  if ('schema' in target) throw scimError('invalidPath', 'The path must name an attribute');
  if (isCommon(target)) {
    // Okta sends the id with each change of the name.
    if (isPathless) return change;
    throw scimError('mutability', `${target.name} cannot be changed`);
  }
  if (target.attribute?.name === 'members')
    return { ...change, members: withMembers(change.members, op, target, value) };
  if (target.attribute === undefined) return change;
  return { ...change, ...changedText(target.attribute, op, target, value) };
}

function withMembers(
  before: GroupChange['members'],
  op: PatchOperation['op'],
  { subAttribute, isUnknown, filter }: Target,
  value: JsonValue | undefined,
) {
  if (subAttribute !== undefined || isUnknown) throw scimError('invalidPath', 'The members change as a whole');
  return membersAfter(before, op, filter === undefined ? value : selected(op, filter));
}

function changedText(
  attribute: Attribute,
  op: PatchOperation['op'],
  { isUnknown, filter }: Target,
  value: JsonValue | undefined,
): GroupChange {
  if (filter !== undefined || isUnknown) throw scimError('invalidPath', `${attribute.name} has no parts`);
  if (attribute === externalIdAttribute) return { externalId: op === 'remove' ? null : readExternalId(value) };
  if (op === 'remove') throw scimError('mutability', 'displayName cannot be removed');
  return { displayName: readText('displayName', value) };
}

/** The member that `members[value eq "…"]` names. */
function selected(op: PatchOperation['op'], filter: readonly { readonly path: string; readonly value: JsonValue }[]) {
  const [condition, ...more] = filter;
  if (op !== 'remove' || condition?.path.toLowerCase() !== 'value' || more.length > 0) {
    throw scimError('invalidPath', 'Members can be selected only to remove them, by their value');
  }
  return [{ value: condition.value }];
}

function membersAfter(
  before: GroupChange['members'],
  op: PatchOperation['op'],
  value: JsonValue | undefined,
): NonNullable<GroupChange['members']> {
  if (op === 'replace') return { set: readMembers(value ?? []) };
  if (op === 'remove' && value === undefined) return { set: [] };
  const named = readMembers(value ?? null);
  if (before !== undefined && 'set' in before) {
    return { set: op === 'add' ? distinct([...before.set, ...named]) : without(before.set, named) };
  }
  const { add, remove } = before ?? { add: [], remove: [] };
  return op === 'add'
    ? { add: distinct([...add, ...named]), remove: without(remove, named) }
    : { add: without(add, named), remove: distinct([...remove, ...named]) };
}

/** Only listed members are ever removed, so what is not a list of them is refused. */
function readMembers(value: JsonValue): readonly UserId[] {
  const list = Array.isArray(value) ? value : [value];
  return distinct(list.map(readMember));
}

function readMember(member: JsonValue): UserId {
  const value = isObject(member) ? memberOf(member, 'value') : member;
  if (typeof value !== 'string' || !isUserId(value))
    throw invalidValue('members', 'must have the ids of users as values');
  if (isObject(member) && isOfGroup(member)) {
    throw invalidValue('members', 'cannot be groups: assign the users of a nested group directly');
  }
  return value;
}

function isOfGroup(member: object): boolean {
  const [type, ref] = [memberOf(member, 'type'), memberOf(member, '$ref')];
  return String(type).toLowerCase() === 'group' || /\/groups\/[^/]*$/i.test(String(ref));
}

function readExternalId(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : readText('externalId', value);
}

function readText(name: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) throw invalidValue(name, 'is required');
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxTextLength || !value.isWellFormed()) {
    throw invalidValue(name, `must be text of 1 to ${maxTextLength} characters`);
  }
  return value;
}

function distinct(ids: readonly UserId[]): readonly UserId[] {
  return [...new Set(ids)];
}

function without(ids: readonly UserId[], removed: readonly UserId[]): readonly UserId[] {
  const gone = new Set(removed);
  return ids.filter((id) => !gone.has(id));
}
