import type { Page } from '#shared/contract/answers.ts';
import { type KeyView, maxKeysPerApplication } from '#shared/contract/api-key.ts';
import type { AppId } from '#shared/contract/fields.ts';
import { keyFields, pickFields } from '#shared/contract/resource-fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import {
  type Application,
  type KeyState,
  readExistingApplication,
  readKeyUses,
} from '#shared/table/items/application-item.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { isActive } from '../request/authorize.ts';
import { successorOf, withoutLongEnded } from './key-lifecycle.ts';

/** What the state of a key does not say about it. */
interface KeyFacts {
  /** Default: the key was never used. */
  readonly lastUsedOn?: string | null | undefined;
  readonly replacedBy: string | null;
}

/** An API key as operators see it. */
export function keyView(keyId: string, state: KeyState, { lastUsedOn = null, replacedBy }: KeyFacts): KeyView {
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
  const newestFirst = Object.entries(keys).sort(([, one], [, other]) => (one.createdAt < other.createdAt ? 1 : -1));
  const start = cursor === undefined ? 0 : newestFirst.findIndex(([keyId]) => keyId === cursor) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const page = newestFirst.slice(start, start + limit);
  const uses = await readKeyUses(page.map(([keyId]) => ({ appId, keyId })));
  const items = page.map(([keyId, state], n) => {
    return keyView(keyId, state, { lastUsedOn: uses[n], replacedBy: successorOf(keys, keyId) });
  });
  return { items, cursor: start + limit < newestFirst.length ? (items.at(-1)?.keyId ?? null) : null };
}

type Keys = Application['keys'];

/** The state of a key of the application, or 404 `key_not_found`. */
export function requireKey({ keys }: Application, keyId: string): KeyState {
  const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  if (key !== undefined) return key;
  throw new ServiceError('key_not_found', { detail: 'The application has no API key with this id.' });
}

/** Refuses more active keys than an application may have: 409 `too_many_keys`. */
export function requireKeyLimit(keys: Keys, at: Date): void {
  const active = Object.values(keys).filter((key) => isActive(key, at)).length;
  if (active <= maxKeysPerApplication) return;
  throw new ServiceError('too_many_keys', {
    detail: `An application has at most ${maxKeysPerApplication} unexpired keys. Revoke one first.`,
  });
}

/** Equal to the limit of active keys, so that requests with a key are still told why it is refused after all were replaced. */
const maxEndedKeys = maxKeysPerApplication;

/**
 * Drops keys that ended more than thirty days ago, and all but the ten that ended last: every request reads all keys of
 * its application. Requests with a dropped key are refused as if it were revoked.
 */
export function withoutLongEndedKeys(keys: Keys, at: Date): Keys {
  return withoutLongEnded(keys, at, maxEndedKeys);
}
