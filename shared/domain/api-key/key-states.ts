import { maxKeysPerApplication } from '#shared/contract/api-key.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import type { Application, KeyState } from '#shared/table/items/application-item.ts';
import { isActive } from './authorize-caller.ts';

const retentionMilliseconds = 30 * 86_400_000;

type Keys = Application['keys'];

/** The keys without those that ended thirty days ago, so that the item stays within one read unit. */
export function withoutLongEnded(keys: Keys, at: Date): Keys {
  const limit = new Date(at.getTime() - retentionMilliseconds);
  const kept = Object.entries(keys).filter(
    ([, key]) => !hasPassed(key.revokedAt, limit) && !hasPassed(key.expiresAt, limit),
  );
  return Object.fromEntries(kept);
}

/** Refuses more active keys than an application may have: 409 `too_many_keys`. */
export function requireKeyLimit(keys: Keys, at: Date): void {
  const active = Object.values(keys).filter((key) => isActive(key, at)).length;
  if (active <= maxKeysPerApplication) return;
  throw new ServiceError('too_many_keys', {
    detail: `An application has at most ${maxKeysPerApplication} unexpired keys. Revoke one first.`,
  });
}

/** The state of a key of the application, or 404 `key_not_found`. */
export function requireKey({ keys }: Application, keyId: string): KeyState {
  const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  if (key !== undefined) return key;
  throw new ServiceError('key_not_found', { detail: 'The application has no API key with this id.' });
}
