import type { Changed, Page } from '#shared/contract/answers.ts';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deriveSecret, formatKeyId, parseKeyId } from '#shared/keys/key-id.ts';
import { latestRootVersion, rootKey } from '#shared/keys/root-keys.ts';
import {
  type KeyState,
  lifetimeSeconds,
  readExistingApplication,
  readKeyUsage,
} from '#shared/table/items/application-item.ts';
import { foreignCursor } from '#shared/table/queries/cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { changeApplication } from '../application/applications.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';
import { isActive } from './authorize-caller.ts';
import { requireKey, requireKeyLimit, withoutLongEnded } from './key-states.ts';

/** What an operator sees of an API key. */
function keyView(keyId: string, state: KeyState, lastUsedOn: string | null): KeyView {
  const { scopes, createdAt, expiresAt, revokedAt } = state;
  return { keyId, scopes, createdAt, expiresAt, revokedAt, lastUsedOn };
}

export interface NewKey {
  readonly appId: AppId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** Issues a key of an application; its secret is in this answer alone. 409 when ten are active. */
export async function issueKey(request: NewKey, context: RequestContext): Promise<IssuedKeyView> {
  const { appId, scopes, expiresAt } = request;
  const { keyId, createdAt } = createKey(appId);
  const state = newState({ scopes, createdAt, expiresAt });
  const issued = await changeApplication({ appId }, context, {
    decide: (application, at) => {
      validateExpiry('expiresAt', expiresAt);
      const keys = { ...withoutLongEnded(application.keys, at), [keyId]: state };
      requireKeyLimit(keys, at);
      const after = { scopes: scopes.join(' '), expiresAt };
      return { action: 'key.issued', keyId, next: { keys }, before: {}, after };
    },
    answerOf: ({ application }) => keyView(keyId, requireKey(application, keyId), null),
  });
  return withSecret(issued);
}

function newState(key: Pick<KeyState, 'scopes' | 'createdAt' | 'expiresAt'>): KeyState {
  return { ...key, lifetimeSeconds: lifetimeSeconds(key), revokedAt: null };
}

/** Makes a key id of the latest root version; the key has no effect before the application has it. */
function createKey(appId: AppId): { readonly keyId: KeyId; readonly createdAt: string } {
  const at = now();
  return { keyId: formatKeyId(latestRootVersion, appId, createUlid(at)), createdAt: at.toISOString() };
}

/** The secret is derived from the id, so another attempt of the call that issued the key is answered with the same. */
async function withSecret(key: KeyView): Promise<IssuedKeyView> {
  const parts = parseKeyId(key.keyId);
  const root = parts && (await rootKey(parts.rootVersion));
  if (parts === undefined || root === undefined) throw new Error('ROOT_KEYS lacks the version of an issued key');
  return { ...key, secret: deriveSecret(root, parts.keyId) };
}

export interface KeyRotation {
  readonly appId: AppId;
  readonly keyId: string;
  readonly overlapSeconds: number;
  /** The end of the new key. Default: after the lifetime that the old one was issued with. */
  readonly expiresAt?: string | null | undefined;
}

/** Issues a key with the scopes and the lifetime of another one, which itself stays valid for the overlap and no longer. */
export async function rotateKey(rotation: KeyRotation, context: RequestContext): Promise<IssuedKeyView> {
  const { appId, keyId: oldKeyId, overlapSeconds, expiresAt } = rotation;
  const { keyId, createdAt } = createKey(appId);
  const rotated = await changeApplication({ appId }, context, {
    decide: (current, at) => {
      validateExpiry('expiresAt', expiresAt ?? null);
      const old = requireKey(current, oldKeyId);
      if (!isActive(old, at)) {
        throw new ServiceError('key_not_found', { detail: 'This API key is revoked or has expired. Issue a new one.' });
      }
      const overlapEnd = new Date(at.getTime() + overlapSeconds * 1000).toISOString();
      const oldExpiresAt = old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
      const keys = {
        ...withoutLongEnded(current.keys, at),
        [oldKeyId]: { ...old, expiresAt: oldExpiresAt },
        [keyId]: newState({
          scopes: old.scopes,
          createdAt,
          expiresAt: expiresAt === undefined ? renewed(old, createdAt) : expiresAt,
        }),
      };
      requireKeyLimit(keys, at);
      return {
        action: 'key.rotated',
        keyId,
        next: { keys },
        before: { keyId: oldKeyId, expiresAt: old.expiresAt },
        after: { keyId: oldKeyId, expiresAt: oldExpiresAt },
      };
    },
    answerOf: ({ application }) => keyView(keyId, requireKey(application, keyId), null),
  });
  return withSecret(rotated);
}

/** The end of a key that is created at this time with the lifetime of another one. */
function renewed({ lifetimeSeconds: seconds }: KeyState, createdAt: string): string | null {
  return seconds === null ? null : new Date(Date.parse(createdAt) + seconds * 1000).toISOString();
}

/** Revokes a key, at once: its state is read with every request. One that is revoked stays as it is. */
export async function revokeKey(
  { appId, keyId }: { readonly appId: AppId; readonly keyId: string },
  context: RequestContext,
): Promise<Changed<KeyView>> {
  const { state, changed } = await changeApplication({ appId }, context, {
    decide: (current, at) => {
      const key = requireKey(current, keyId);
      if (key.revokedAt !== null) return undefined;
      const revokedAt = at.toISOString();
      const keys = { ...withoutLongEnded(current.keys, at), [keyId]: { ...key, revokedAt } };
      return { action: 'key.revoked', keyId, next: { keys }, before: { revokedAt: null }, after: { revokedAt } };
    },
    answerOf: ({ application, changed }) => ({ state: requireKey(application, keyId), changed }),
  });
  const usage = await readKeyUsage(appId);
  return { ...keyView(keyId, state, usage.get(keyId) ?? null), changed };
}

/** The keys of an application, the newest first. They are in one item, so a cursor is the id of a key. */
export async function listKeys({
  appId,
  limit,
  cursor,
}: PageRequest & { readonly appId: AppId }): Promise<Page<KeyView>> {
  const { keys } = await readExistingApplication(appId);
  const newestFirst = Object.entries(keys).sort(([, one], [, other]) => (one.createdAt < other.createdAt ? 1 : -1));
  const start = cursor === undefined ? 0 : newestFirst.findIndex(([keyId]) => keyId === cursor) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const usage = await readKeyUsage(appId);
  const items = newestFirst
    .slice(start, start + limit)
    .map(([keyId, state]) => keyView(keyId, state, usage.get(keyId) ?? null));
  return { items, cursor: start + limit < newestFirst.length ? (items.at(-1)?.keyId ?? null) : null };
}
