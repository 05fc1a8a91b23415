import type { AppId } from '#shared/contract/ids.ts';
import type { IssuedKeyView } from '#shared/contract/management.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { KeyState } from '#shared/table/application.ts';
import { changeApplication } from './change-application.ts';
import { createKey } from './create-key.ts';
import { isActive, presentKey, refuseTooManyKeys, withoutLongEnded } from './key-states.ts';
import { keyView } from './key-view.ts';
import type { RequestContext } from './request-context.ts';

export interface KeyRotation {
  readonly appId: AppId;
  readonly keyId: string;
  readonly overlapSeconds: number;
}

/** Issues a key with the scopes and the end of another one, which itself goes on for the overlap and no longer. */
export async function rotateKey(rotation: KeyRotation, context: RequestContext): Promise<IssuedKeyView> {
  const { appId, keyId: oldKeyId, overlapSeconds } = rotation;
  const created = await createKey(appId);
  const { keyId, secret, createdAt } = created;
  const { application } = await changeApplication({ appId }, context, (current, at) => {
    const old = presentKey(current, oldKeyId);
    if (!isActive(old, at)) {
      throw new ServiceError('key_not_found', { detail: 'This API key is revoked or has expired. Issue a new one.' });
    }
    const oldExpiresAt = earlierOf(old.expiresAt, new Date(at.getTime() + overlapSeconds * 1000).toISOString());
    const keys = {
      ...withoutLongEnded(current.keys, at),
      [oldKeyId]: { ...old, expiresAt: oldExpiresAt },
      [keyId]: { scopes: old.scopes, createdAt, expiresAt: old.expiresAt, revokedAt: null } satisfies KeyState,
    };
    refuseTooManyKeys(keys, at);
    const before = { keyId: oldKeyId, expiresAt: old.expiresAt };
    return {
      action: 'key.rotated',
      keyId,
      next: { keys },
      before,
      after: { keyId: oldKeyId, expiresAt: oldExpiresAt },
    };
  });
  return { ...keyView(keyId, presentKey(application, keyId), null), secret };
}

function earlierOf(one: string | null, other: string): string {
  return one !== null && one < other ? one : other;
}
