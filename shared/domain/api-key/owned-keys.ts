import type { Page } from '#shared/contract/answers.ts';
import { type KeyView, maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { pickFields } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { type KeyState, readKeyUses } from '#shared/table/items/key-state.ts';
import type { KeyOwner } from '#shared/table/keys/api-key-item-keys.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { isActive } from '../request/authorize.ts';
import { type KeyLifecycle, type KeyStates, successorOf, withoutLongEnded } from './key-lifecycle.ts';

/** What the state of a key does not say about it. */
interface KeyFacts {
  /** Default: the key was never used. */
  readonly lastUsedOn?: string | null | undefined;
  readonly replacedBy: string | null;
}

/** A key as operators see it. */
export function keyView<Scopes extends string>(
  keyId: string,
  state: KeyState<Scopes>,
  { lastUsedOn = null, replacedBy }: KeyFacts,
): KeyView<Scopes> {
  const { scopes, createdAt, issuedBy, expiresAt, revokedAt, replaces = null } = state;
  const rotation = { replaces, replacedBy };
  const ends = { expiresAt, revokedAt };
  return { keyId, ...pickFields(keyFields, state), scopes, createdAt, issuedBy, ...ends, lastUsedOn, ...rotation };
}

/** The keys of an application, newest first. They are stored in one item, so a cursor is the id of a key. */
export async function listKeys({
  appId,
  limit,
  cursor,
}: PageRequest & { readonly appId: AppId }): Promise<Page<KeyView>> {
  const { keys } = await readExistingApplication(appId);
  const ids = newestFirst(keys);
  const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const items = await viewsOf({ appId }, keys, ids.slice(start, start + limit));
  return { items, cursor: start + limit < ids.length ? (items.at(-1)?.keyId ?? null) : null };
}

/** All keys of an application or a connection, newest first. */
export async function keyViews<Scopes extends string>(
  owner: KeyOwner,
  keys: KeyStates<KeyState<Scopes>>,
): Promise<KeyView<Scopes>[]> {
  return viewsOf(owner, keys, newestFirst(keys));
}

function newestFirst(keys: KeyStates<KeyLifecycle>): string[] {
  const entries = Object.entries(keys).sort(([, one], [, other]) => (one.createdAt < other.createdAt ? 1 : -1));
  return entries.map(([keyId]) => keyId);
}

async function viewsOf<Scopes extends string>(
  owner: KeyOwner,
  keys: KeyStates<KeyState<Scopes>>,
  ids: readonly string[],
): Promise<KeyView<Scopes>[]> {
  const uses = await readKeyUses(ids.map((keyId) => ({ ...owner, keyId })));
  return ids.map((keyId, n) =>
    keyView(keyId, requireKey(keys, keyId), { lastUsedOn: uses[n], replacedBy: successorOf(keys, keyId) }),
  );
}

/** The state of one of the keys, or 404 `key_not_found`. */
export function requireKey<State extends KeyLifecycle>(keys: KeyStates<State>, keyId: string): State {
  const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  if (key !== undefined) return key;
  throw new ServiceError('key_not_found', { detail: 'There is no key with this id here.' });
}

/** Refuses more active keys than an application or a connection may have: 409 `too_many_keys`. */
export function requireKeyLimit(keys: KeyStates<KeyLifecycle>, at: Date): void {
  const active = Object.values(keys).filter((key) => isActive(key, at)).length;
  if (active <= maxKeysPerOwner) return;
  throw new ServiceError('too_many_keys', {
    detail: `There can be at most ${maxKeysPerOwner} unexpired keys. Revoke one first.`,
  });
}

/** Equal to the limit of active keys, so that requests with a key are still told why it is refused after all were replaced. */
const maxEndedKeys = maxKeysPerOwner;

/**
 * Drops keys that ended more than thirty days ago, and all but the ten that ended last: every request reads all keys of
 * its application or connection. Requests with a dropped key are refused as if it were revoked.
 */
export function withoutLongEndedKeys<State extends KeyLifecycle>(keys: KeyStates<State>, at: Date): KeyStates<State> {
  return withoutLongEnded(keys, at, maxEndedKeys);
}
