import { isUserId, type UserId } from '#shared/contract/fields.ts';
import { type Attribute, invalidValue, isObject, isStorable } from './attribute.ts';
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
  const members = new MembersPatch();
  const names: GroupChange = {};
  for (const { op, path, value } of readPatch(body)) {
    const parts: [string, JsonValue | undefined][] = path === undefined ? Object.entries(value ?? {}) : [[path, value]];
    for (const [named, each] of parts) {
      const part = { op, path: named, value: each };
      Object.assign(names, changedNames(part, path === undefined, members));
    }
  }
  return { ...names, ...(members.change && { members: members.change }) };
}

interface NamedPart extends PatchOperation {
  readonly path: string;
}

/** The names that a part of a PATCH changes; the members that it changes are added to the others. */
function changedNames({ op, path, value }: NamedPart, isPathless: boolean, members: MembersPatch): GroupChange {
  const target = readPath(path, groupSchemas);
  if ('schema' in target) throw scimError('invalidPath', 'The path must name an attribute');
  if (isCommon(target)) {
    // Okta sends the id with each change of the name.
    if (isPathless) return {};
    throw scimError('mutability', `${target.name} cannot be changed`);
  }
  if (target.attribute?.name === 'members') {
    members.apply(op, membersOf(op, target, value));
    return {};
  }
  if (target.attribute !== undefined) return changedText(target.attribute, op, target, value);
  // Among the attributes of a value, as in a whole group, those of other servers are ignored. A path is meant.
  if (isPathless) return {};
  throw scimError('invalidPath', `A group has no attribute ${target.name}`);
}

/** The members that an operation names; undefined if it names none. */
function membersOf(
  op: PatchOperation['op'],
  { subAttribute, isUnknown, filter }: Target,
  value: JsonValue | undefined,
): readonly UserId[] | undefined {
  if (subAttribute !== undefined || isUnknown) throw scimError('invalidPath', 'The members change as a whole');
  if (filter !== undefined) return readMembers(selected(op, filter));
  if (op === 'replace') return readMembers(value ?? []);
  return value === undefined ? undefined : readMembers(value);
}

/** What the operations of a PATCH make of the members, in time that grows with the number of those that they name. */
class MembersPatch {
  /** Who remains; undefined as long as the others stay as they are. */
  #set: Set<UserId> | undefined;
  readonly #add = new Set<UserId>();
  readonly #remove = new Set<UserId>();
  #isChanged = false;

  apply(op: PatchOperation['op'], named: readonly UserId[] | undefined): void {
    this.#isChanged = true;
    if (op === 'replace' || named === undefined) {
      this.#set = new Set(named);
      return;
    }
    const [joined, left] =
      op === 'add' ? [this.#set ?? this.#add, this.#remove] : [this.#remove, this.#set ?? this.#add];
    for (const userId of named) {
      joined.add(userId);
      left.delete(userId);
    }
  }

  get change(): GroupChange['members'] {
    if (!this.#isChanged) return undefined;
    return this.#set === undefined ? { add: [...this.#add], remove: [...this.#remove] } : { set: [...this.#set] };
  }
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
  const [type, ref] = [memberOf(member, 'type'), memberOf(member, '$ref')].map(textOf);
  return type?.toLowerCase() === 'group' || /\/groups\/[^/]*$/i.test(ref ?? '');
}

/** Nothing else is turned into text: that of a deeply nested list would overflow the stack. */
function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readExternalId(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : readText('externalId', value);
}

function readText(name: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) throw invalidValue(name, 'is required');
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxTextLength) {
    throw invalidValue(name, `must be text of 1 to ${maxTextLength} characters`);
  }
  if (!isStorable(value)) throw invalidValue(name, 'must be a string without NUL and unpaired surrogates');
  return value;
}

function distinct(ids: readonly UserId[]): readonly UserId[] {
  return [...new Set(ids)];
}
