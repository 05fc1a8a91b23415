import { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Connection } from '#options/connections/table/connection-item.ts';
import type { FieldChanges } from '#shared/contract/field-forms.ts';
import { isUserId, type UserId, userIdCharacters } from '#shared/contract/fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import {
  changeUserEntries,
  decideFields,
  decideStatus,
  type Recording,
  type UserChange,
} from '#shared/domain/user/change-user.ts';
import { type Item, readItems, type TransactEntry } from '#shared/table/client.ts';
import { requireUnchangedUserEntry, type User } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import type { DirectoryUserState } from '../scim/directory.ts';
import { emailsOf, nameForPeople, withLoginName } from '../scim/user-attributes.ts';
import { type Account, putAccountEntries } from '../table/account-item.ts';
import type { Subject } from './open-directory.ts';

const maxNameLength = 256;
const maxEmails = 20;
const maxAttributeBytes = 8192;

/** Refuses what cannot be stored of a user: 400 with the attribute. */
export function requireState({ userName, externalId, attributes }: DirectoryUserState): void {
  if (userName.trim() === '') throw invalidField('userName', 'is required');
  if (userName.length > maxNameLength) throw invalidField('userName', `must have at most ${maxNameLength} characters`);
  if (externalId !== null && (externalId === '' || externalId.length > maxNameLength)) {
    throw invalidField('externalId', `must have 1 to ${maxNameLength} characters`);
  }
  if (emailsOf(attributes).length > maxEmails) throw invalidField('emails', `must have at most ${maxEmails}`);
  if (Buffer.byteLength(JSON.stringify(attributes)) > maxAttributeBytes) {
    throw new ServiceError('invalid_request', { detail: 'The attributes of the user have more than 8 KB as JSON.' });
  }
}

/** The attribute of a user that becomes the `userId`: 400 if it is missing or is not a valid id. */
export function userIdFrom(
  state: DirectoryUserState,
  { userIdAttribute }: Pick<Connection, 'userIdAttribute'>,
): UserId {
  const [name, value] = namedValue(state, userIdAttribute);
  if (value === undefined) throw invalidField(name, 'is required: it becomes the userId');
  if (isUserId(value)) return value;
  throw invalidField(name, `becomes the userId, so it must be 1 to 128 of ${userIdCharacters} and not . or ..`);
}

function namedValue({ userName, externalId, attributes }: DirectoryUserState, name: Connection['userIdAttribute']) {
  switch (name) {
    case 'userName':
      return [name, userName] as const;
    case 'externalId':
      return [name, externalId ?? undefined] as const;
    case 'email':
      return ['emails', emailsOf(attributes)[0]] as const;
    case null:
      throw new Error('A directory without an attribute for the userId');
    default:
      return name satisfies never;
  }
}

/** Every id that the user may get, so that one request reads them before the connection is known. */
export function possibleUserIds(state: DirectoryUserState): UserId[] {
  const values = [state.userName, state.externalId ?? '', emailsOf(state.attributes)[0] ?? ''];
  return [...new Set(values)].filter(isUserId);
}

const { displayName: nameField, email: emailField } = userFields;

/**
 * Refuses addresses that the directory has not sent before and that are not e-mail addresses: 400, because they would be answered
 * and not kept. None keeps a directory from deactivating a user.
 */
export function requireAddresses(
  { active, attributes }: DirectoryUserState,
  earlier: Pick<DirectoryUserState, 'attributes'> | undefined,
): void {
  const known = new Set(earlier && emailsOf(earlier.attributes));
  const sent = active ? emailsOf(attributes).filter((address) => !known.has(address)) : [];
  if (!sent.every((address) => v.is(emailField.input, address))) {
    throw invalidField('emails', 'must have e-mail addresses as values');
  }
}

/**
 * What operators see of a directory's user. A name that is too long is cut, and the e-mail address is undefined if what the
 * directory says is not one: neither may keep it from deactivating the user. The directory gets back what it sent.
 */
function userFieldsOf({ attributes }: DirectoryUserState) {
  const name = nameForPeople(attributes)?.trim().slice(0, 100);
  const email = emailsOf(attributes)[0] ?? null;
  return {
    displayName: v.is(nameField.input, name) ? name : null,
    email: email === null || v.is(emailField.input, email) ? email : undefined,
  };
}

/** The name and the e-mail address of a user whom the directory creates. */
export function newUserFields(state: DirectoryUserState) {
  const { displayName, email = null } = userFieldsOf(state);
  return { displayName, email };
}

/** The fields that the directory changes: what somebody else has set stays until then, and an address that is replaced by none. */
export function changedFields(before: DirectoryUserState | undefined, after: DirectoryUserState) {
  const earlier = before === undefined ? { displayName: null, email: null } : userFieldsOf(before);
  const later = userFieldsOf(after);
  const changes: FieldChanges<typeof userFields> = {
    ...(later.displayName !== earlier.displayName && { displayName: later.displayName }),
    ...(later.email !== undefined && later.email !== earlier.email && { email: later.email }),
  };
  return changes;
}

export interface AccountChange {
  readonly account: Account;
  /** Undefined if nothing changes. */
  readonly entries: readonly TransactEntry[] | undefined;
}

/**
 * The entries that change an account to what its directory says, and with it the user: only the fields and the status
 * that the directory changes. What others have set in between stays.
 */
export function changeAccountEntries(
  { account, user }: Subject,
  said: DirectoryUserState & { readonly removed?: boolean },
  recording: Recording,
): AccountChange {
  const { removed = false } = said;
  const { userName, externalId, active, attributes } = withLoginName(account, said);
  const next = { ...account, userName, externalId, active, attributes, removed };
  if (isDeepStrictEqual(next, account)) return { account, entries: undefined };
  const status = active ? 'active' : 'inactive';
  const decided = [
    decideFields(user, changedFields(account, next)),
    active === account.active ? undefined : decideStatus(user, { status }, recording.context),
  ].filter((change) => change !== undefined);
  const written = { ...next, version: account.version + 1, updatedAt: monotonicTimestamp(account) };
  return {
    account: written,
    entries: [...userEntries(user, decided, recording), ...putAccountEntries(account, written)],
  };
}

/**
 * Without a change of the user, the write still depends on the user as read: otherwise a status that was set in between, which
 * the read of the account already has, would stay.
 */
function userEntries(user: User, [first, ...others]: readonly UserChange[], recording: Recording) {
  return first === undefined
    ? [requireUnchangedUserEntry(user)]
    : changeUserEntries(user, [first, ...others], recording).entries;
}

/** The error for a name or an external id that another user or group of the directory has: 409. */
export function nameTaken(owner: 'user' | 'group', ...names: readonly [string, ...string[]]): ServiceError {
  const [name] = names;
  return new ServiceError('already_exists', {
    detail: `Another ${owner} of the directory has this ${names.join(' or this ')}.`,
    field: { name, detail: 'is taken' },
  });
}

/** A name or an external id, with the key that only one user or group of the directory has. */
export type Place = readonly [name: string, key: Key];

/** 409 if one of the places is taken, unless by what is exempt. */
export async function requireFree(
  owner: 'user' | 'group',
  places: readonly Place[],
  isExempt: (item: Item) => boolean | Promise<boolean>,
): Promise<void> {
  const items = await readItems(places.map(([, key]) => key));
  for (const [at, [name]] of places.entries()) {
    const item = items[at];
    if (item !== undefined && !(await isExempt(item))) throw nameTaken(owner, name);
  }
}
