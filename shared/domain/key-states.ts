import { maxKeysPerApplication } from '#shared/contract/limits.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { Application, KeyState } from '#shared/table/application.ts';
import { hasPassed } from './decide-access.ts';

const keptMilliseconds = 30 * 86_400_000;

type Keys = Application['keys'];

/** Whether a key lets anybody in. */
export function isActive(key: KeyState, at: Date): boolean {
  return key.revokedAt === null && !hasPassed(key.expiresAt, at);
}

/** The keys without those that ended thirty days ago, so that the item stays within one read unit. */
export function withoutLongEnded(keys: Keys, at: Date): Keys {
  const edge = new Date(at.getTime() - keptMilliseconds);
  const kept = Object.entries(keys).filter(
    ([, key]) => !hasPassed(key.revokedAt, edge) && !hasPassed(key.expiresAt, edge),
  );
  return Object.fromEntries(kept);
}

/** Refuses more unexpired keys than an application may have. */
export function refuseTooManyKeys(keys: Keys, at: Date): void {
  const active = Object.values(keys).filter((key) => isActive(key, at)).length;
  if (active <= maxKeysPerApplication) return;
  throw new ServiceError('too_many_keys', {
    detail: `An application has at most ${maxKeysPerApplication} unexpired keys. Revoke one first.`,
  });
}

/** The state of a key of the application, or 404 `key_not_found`. */
export function presentKey({ keys }: Application, keyId: string): KeyState {
  const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  if (key !== undefined) return key;
  throw new ServiceError('key_not_found', { detail: 'The application has no API key with this id.' });
}
