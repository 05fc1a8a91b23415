import { keyFields } from '#shared/contract/api-key-fields.ts';
import type { Change } from '#shared/contract/change.ts';
import { pickFields, recordedFields } from '#shared/contract/field-forms.ts';
import { type KeyState, lifetimeSeconds } from '#shared/table/items/key-state.ts';
import { isBeginning, isKept } from './compare-chain.ts';
import type { Step } from './record-steps.ts';

/** The keys of an application or a connection. */
type Keys<Scopes extends string> = Readonly<Record<string, KeyState<Scopes>>>;

/** The keys after a Change of one. That of a rotation does not say what the new key is like. */
export function keysAfter<Scopes extends string>(
  keys: Keys<Scopes>,
  { action, after, keyId = '', at, caller }: Change,
): Keys<Scopes> {
  const { scopes, expiresAt = null, revokedAt = null, keyId: oldKeyId } = after ?? {};
  if (action === 'key.issued') {
    const ends = expiresAt as string | null;
    const state: KeyState<Scopes> = {
      scopes: String(scopes).split(' ') as Scopes[],
      ...recordedFields(keyFields, after),
      issuedBy: caller.kind === 'operator' ? { via: caller.via, id: caller.id, email: caller.email ?? null } : null,
      createdAt: at,
      expiresAt: ends,
      revokedAt: null,
      lifetimeSeconds: lifetimeSeconds({ createdAt: at, expiresAt: ends }),
    };
    return { ...keys, [keyId]: state };
  }
  const changed = action === 'key.rotated' ? String(oldKeyId) : keyId;
  const key = keys[changed];
  if (key === undefined) return keys;
  const fields = action === 'key.updated' ? recordedFields(keyFields, after) : {};
  const end = action === 'key.rotated' ? { expiresAt: expiresAt as string | null } : {};
  const revocation = action === 'key.revoked' ? { revokedAt: revokedAt as string | null } : {};
  return { ...keys, [changed]: { ...key, ...fields, ...end, ...revocation } };
}

/** What must be recorded of keys whose Changes are missing. */
export function keyStepsOf(keys: Keys<string>, own: readonly Change[]): Step[] {
  const isNamed = (keyId: string, ...actions: readonly string[]) =>
    own.some((change) => change.keyId === keyId && actions.includes(change.action));
  return Object.entries(keys).flatMap(([keyId, key]): Step[] => {
    const { scopes, expiresAt, createdAt, revokedAt } = key;
    const issued = { scopes: scopes.join(' '), expiresAt, ...pickFields(keyFields, key) };
    const isNew = isKept(createdAt) && !isNamed(keyId, 'key.issued', 'key.rotated') && own.some(isBeginning);
    const isRevoked = revokedAt !== null && isKept(revokedAt) && !isNamed(keyId, 'key.revoked');
    return [
      ...(isNew ? [{ action: 'key.issued', keyId, before: {}, after: issued } as const] : []),
      ...(isRevoked
        ? [{ action: 'key.revoked', keyId, before: { revokedAt: null }, after: { revokedAt } } as const]
        : []),
    ];
  });
}
