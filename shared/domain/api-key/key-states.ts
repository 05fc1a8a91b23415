import { maxKeysPerApplication } from '#shared/contract/api-key.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { Application, KeyState } from '#shared/table/items/application-item.ts';
import { isActive } from '../request/authorize.ts';

const retentionMilliseconds = 30 * 86_400_000;
/** As many as can be active, so that after all were replaced each one that was is still explained. */
const maxEndedKeys = maxKeysPerApplication;

type Keys = Application['keys'];

/**
 * The active keys, and of the others the ten that ended last, for thirty days: every request reads them. A key that is gone
 * is refused too, as revoked.
 */
export function withoutLongEnded(keys: Keys, at: Date): Keys {
  const entries = Object.entries(keys);
  const explained = entries
    .filter(([, key]) => !isActive(key, at) && endOf(key) > at.getTime() - retentionMilliseconds)
    .sort(([, one], [, other]) => endOf(other) - endOf(one))
    .slice(0, maxEndedKeys);
  const kept = new Set(explained.map(([keyId]) => keyId));
  return Object.fromEntries(entries.filter(([keyId, key]) => isActive(key, at) || kept.has(keyId)));
}

/** In milliseconds since the epoch; infinite for a key without an end. */
function endOf({ revokedAt, expiresAt }: KeyState): number {
  return Math.min(...[revokedAt, expiresAt].filter((end) => end !== null).map((end) => Date.parse(end)));
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
