import { type Attribute, invalidValue, isObject } from './attribute.ts';
import { isCommon, isPath, readPath, type Target } from './attribute-path.ts';
import type { DirectoryUserState, JsonValue } from './directory.ts';
import { type PatchOperation, readPatch } from './patch-request.ts';
import { scimError } from './scim-error.ts';
import { documentOf, stateOf, type UserDocument, userSchemas } from './user-document.ts';
import { assignEdit, removeEdit, type UserEdit } from './user-edit.ts';
import { activeAttribute, externalIdAttribute, refusedAttributes } from './user-schema.ts';

/** What a user becomes; pure, and throws for what only the current state shows to be wrong. */
export type UserChange = (current: DirectoryUserState) => DirectoryUserState;

/** The user of a POST; active unless it says otherwise. */
export function readNewUser(body: object): DirectoryUserState {
  return edited(new Map(), editsOfBody(body));
}

/**
 * The change of a PUT (RFC 7644 section 3.5.1). What it omits is cleared, except what identifies the user or decides about
 * access: a PUT without `active` neither activates nor deactivates.
 */
export function readReplacement(body: object): UserChange {
  const edits = editsOfBody(body);
  return ({ externalId, active }) =>
    edited(new Map<Attribute, JsonValue>([[activeAttribute, active]]).set(externalIdAttribute, externalId), edits);
}

/** The change of a PATCH (RFC 7644 section 3.5.2): all of its operations, or none. */
export function readUserPatch(body: object): UserChange {
  const edits = readPatch(body).flatMap(editsOfOperation);
  return (current) => edited(documentOf(current), edits);
}

function edited(document: UserDocument, edits: readonly UserEdit[]): DirectoryUserState {
  for (const edit of edits) edit(document);
  return stateOf(document);
}

/** Where an attribute is named: what a client only sends back in a whole body does not ask to change it. */
type Place = 'body' | 'value' | 'path';

/** In a body, `null` is the same as absent (RFC 7643 section 2.5). */
function editsOfBody(body: object): readonly UserEdit[] {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  return editsOfMembers('replace', given, 'body');
}

function editsOfOperation({ op, path, value }: PatchOperation): readonly UserEdit[] {
  return path === undefined
    ? editsOfMembers(op, Object.entries(value ?? {}), 'value')
    : editsOfPath(op, path, value, 'path');
}

type Member = readonly [path: string, value: JsonValue];

function editsOfMembers(op: PatchOperation['op'], members: readonly Member[], place: Place): readonly UserEdit[] {
  const names = new Set<string>();
  for (const [path] of members) {
    const name = path.toLowerCase();
    if (names.has(name)) throw scimError('invalidSyntax', `${name} is given twice`);
    names.add(name);
  }
  return members.flatMap(([path, value]) => editsOfPath(op, path, value, place));
}

function editsOfPath(op: PatchOperation['op'], path: string, value: JsonValue | undefined, place: Place) {
  // A key of a body that cannot be a name is one of an attribute that this service does not know.
  if (place === 'body' && !isPath(path)) return [];
  const target = readPath(path, userSchemas);
  if ('name' in target) return editsOfTarget(op, target, value, place);
  const { id, attributes } = target.schema;
  if (op === 'remove' || value === null) {
    return attributes.flatMap(({ name }): readonly UserEdit[] =>
      editsOfPath('remove', `${id}:${name}`, undefined, place),
    );
  }
  if (!isObject(value)) throw invalidValue(id, 'must be an object');
  const members = Object.entries(value).map(([name, each]): Member => [`${id}:${name}`, each]);
  return editsOfMembers(op, members, place);
}

function editsOfTarget(
  op: PatchOperation['op'],
  target: Target,
  value: JsonValue | undefined,
  place: Place,
): readonly UserEdit[] {
  const isEmpty = isUnassigned(value);
  if (!isEmpty && op !== 'remove') requireUnderstood(target);
  if (isReadOnly(target)) return ignoreReadOnly(target, place);
  const { attribute } = target;
  if (attribute === undefined) return [];
  requireParts(attribute, target);
  if (target.isUnknown) return [];
  const declared = { ...target, attribute };
  if (op !== 'remove' && !isEmpty) return [assignEdit(op, declared, value)];
  if (attribute.required) throw scimError('mutability', `${attribute.name} cannot be removed`);
  return op === 'add' ? [] : [removeEdit(declared, op === 'remove' ? value : undefined)];
}

/** `null` and an empty list mean no value (RFC 7643 section 2.5). */
function isUnassigned(value: JsonValue | undefined): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Refuses what would look like access that was given, or taken. */
function requireUnderstood({ name }: Target): void {
  const refusal = refusedAttributes.get(name);
  if (refusal !== undefined) throw invalidValue(name, refusal);
}

function isReadOnly(target: Target): boolean {
  return isCommon(target) || target.attribute?.mutability === 'readOnly';
}

function ignoreReadOnly(target: Target, place: Place): readonly UserEdit[] {
  if (place === 'body' || (place === 'value' && isCommon(target))) return [];
  throw scimError('mutability', `${target.attribute?.name ?? target.name} cannot be changed`);
}

function requireParts({ name, type }: Attribute, { isUnknown, filter }: Target): void {
  if (type === 'complex' || (!isUnknown && filter === undefined)) return;
  throw scimError('invalidPath', `${name} has no parts`);
}
