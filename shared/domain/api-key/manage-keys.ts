import type { Changed } from '#shared/contract/answers.ts';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import {
  equalFields,
  type FieldChanges,
  keyFields,
  mergeFields,
  pickFields,
} from '#shared/contract/resource-fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deriveSecret, formatKeyId, parseKeyId } from '#shared/keys/key-id.ts';
import { latestRootVersion, rootKey } from '#shared/keys/root-keys.ts';
import { type KeyState, readKeyUses } from '#shared/table/items/application-item.ts';
import { type ApplicationChange, changeApplication } from '../application/applications.ts';
import type { RequestContext } from '../request/request-context.ts';
import { validateExpiry } from '../request/validate-expiry.ts';
import { keyView, requireKey, requireKeyLimit, withoutLongEndedKeys } from './application-keys.ts';
import { issuedLifecycle, rotateState, successorOf } from './key-lifecycle.ts';

export interface NewKey extends FieldChanges<typeof keyFields> {
  readonly appId: AppId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/**
 * Issues a key for an application; only this answer contains its secret. 409 if the application already has ten active
 * keys.
 */
export async function issueKey(request: NewKey, context: RequestContext): Promise<IssuedKeyView> {
  const { appId, scopes, expiresAt } = request;
  const fields = pickFields(keyFields, request);
  const { keyId, createdAt } = createKey(appId);
  const state = { scopes, ...fields, ...issuedLifecycle({ createdAt, expiresAt }, context) };
  const issued = await changeApplication({ appId }, context, {
    decide: (application, at) => {
      validateExpiry('expiresAt', expiresAt);
      const keys = { ...withoutLongEndedKeys(application.keys, at), [keyId]: state };
      requireKeyLimit(keys, at);
      const after = { scopes: scopes.join(' '), expiresAt, ...fields };
      return { action: 'key.issued', keyId, next: { keys }, before: {}, after };
    },
    answerOf: ({ application }) => keyView(keyId, requireKey(application, keyId), { replacedBy: null }),
  });
  return withSecret(issued, context);
}

/** Creates a key id of the latest root version; the key is not valid until it is stored in the application. */
function createKey(appId: AppId): { readonly keyId: KeyId; readonly createdAt: string } {
  const at = now();
  const keyId = formatKeyId({ rootVersion: latestRootVersion, appId, ulid: createUlid(at) });
  return { keyId, createdAt: at.toISOString() };
}

/**
 * Adds the secret, which is derived from the id, so every attempt of the same call returns the same secret. A dry run issues
 * no key and returns an empty secret.
 */
async function withSecret(key: KeyView, { dryRun = false }: RequestContext): Promise<IssuedKeyView> {
  if (dryRun) return { ...key, secret: '' };
  const parts = parseKeyId(key.keyId);
  const root = parts && (await rootKey(parts.rootVersion));
  if (parts === undefined || root === undefined)
    throw new Error('ROOT_KEYS does not list the root version of an issued key');
  return { ...key, secret: deriveSecret(root, parts.keyId) };
}

export interface KeyRotation {
  readonly appId: AppId;
  readonly keyId: string;
  readonly overlapSeconds: number;
  /** When the new key expires. Default: after the lifetime with which the old key was issued. */
  readonly expiresAt?: string | null | undefined;
  /** A root version from which the new key must not be derived. Default: none. */
  readonly avoidRoot?: string | undefined;
}

/** Replaces a key: issues one with the same scopes, label and lifetime; the old key expires after the overlap at the latest. */
export async function rotateKey(rotation: KeyRotation, context: RequestContext): Promise<IssuedKeyView> {
  const { appId, keyId: oldKeyId, overlapSeconds, expiresAt, avoidRoot } = rotation;
  const { keyId, createdAt } = createKey(appId);
  const rotated = await changeApplication({ appId }, context, {
    decide: (application, at) => {
      validateExpiry('expiresAt', expiresAt ?? null);
      if (avoidRoot === latestRootVersion) {
        throw invalidField('avoidRoot', 'is still the latest root version. Release a new one first');
      }
      const current = requireKey(application, oldKeyId);
      const { old, next } = rotateState(current, { oldKeyId, createdAt, overlapSeconds, expiresAt }, context, at);
      const keys = { ...withoutLongEndedKeys(application.keys, at), [oldKeyId]: old, [keyId]: next };
      requireKeyLimit(keys, at);
      return {
        action: 'key.rotated',
        keyId,
        next: { keys },
        before: { keyId: oldKeyId, expiresAt: current.expiresAt },
        after: { keyId: oldKeyId, expiresAt: old.expiresAt, newExpiresAt: next.expiresAt },
      };
    },
    answerOf: ({ application }) => keyView(keyId, requireKey(application, keyId), { replacedBy: null }),
  });
  return withSecret(rotated, context);
}

/** Changes the fields of a key, which does not affect its permissions; undefined keeps a value, `null` clears it. */
export async function updateKey(
  command: NamedKey & FieldChanges<typeof keyFields>,
  context: RequestContext,
): Promise<Changed<KeyView>> {
  return changeKey(command, context, (key) => {
    const before = pickFields(keyFields, key);
    const after = mergeFields(keyFields, before, command);
    if (equalFields(keyFields, before, after)) return undefined;
    return { action: 'key.updated', next: { ...key, ...after }, before, after };
  });
}

/** Revokes a key with immediate effect, because every request reads its state. A revoked key does not change. */
export async function revokeKey(named: NamedKey, context: RequestContext): Promise<Changed<KeyView>> {
  return changeKey(named, context, (key, at) => {
    if (key.revokedAt !== null) return undefined;
    const revokedAt = at.toISOString();
    return { action: 'key.revoked', next: { ...key, revokedAt }, before: { revokedAt: null }, after: { revokedAt } };
  });
}

interface NamedKey {
  readonly appId: AppId;
  readonly keyId: string;
}

interface KeyChange extends Pick<ApplicationChange, 'action' | 'before' | 'after'> {
  readonly next: KeyState;
}

/** Changes one key; `decide` returns undefined if nothing changes. */
async function changeKey(
  { appId, keyId }: NamedKey,
  context: RequestContext,
  decide: (key: KeyState, at: Date) => KeyChange | undefined,
): Promise<Changed<KeyView>> {
  const { state, replacedBy, changed } = await changeApplication({ appId }, context, {
    decide: (current, at) => {
      const decided = decide(requireKey(current, keyId), at);
      if (decided === undefined) return undefined;
      const keys = { ...withoutLongEndedKeys(current.keys, at), [keyId]: decided.next };
      return { ...decided, keyId, next: { keys } };
    },
    answerOf: ({ application, changed }) => ({
      state: requireKey(application, keyId),
      replacedBy: successorOf(application.keys, keyId),
      changed,
    }),
  });
  const [lastUsedOn] = await readKeyUses([{ appId, keyId }]);
  return { ...keyView(keyId, state, { lastUsedOn, replacedBy }), changed };
}
