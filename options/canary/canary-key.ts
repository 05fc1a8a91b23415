import type { AppId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { issueKey, revokeKey } from '#shared/domain/api-key/manage-keys.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { isActive } from '#shared/domain/request/authorize.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { deriveSecret, parseKeyId } from '#shared/keys/key-id.ts';
import { rootKey } from '#shared/keys/root-keys.ts';
import { type Application, readApplicationItem } from '#shared/table/items/application-item.ts';

/** A key of the canary with the secret that is derived from its id. */
export interface CanaryKey {
  readonly userId: string;
  /** A role that the user can be assigned. */
  readonly role: string;
  readonly keyId: string;
  readonly secret: string;
}

/**
 * Returns the key of the canary's application, and creates the application with its role and its user, both with this id, if
 * they do not exist. Each call returns the same key: its secret is derived and never stored. A key whose root is gone is
 * revoked; if none is left, another one is issued.
 */
export async function canaryKey(id: string, context: OperatorContext): Promise<CanaryKey> {
  const [appId, userId] = [id as AppId, id as UserId];
  const role = 'canary' as RoleName;
  const found = await readApplicationItem(appId);
  const application = found?.deleted ? undefined : found?.application;
  if (application === undefined) await ignoreConflict(createApplication({ appId, name: 'Canary' }, context));
  await ignoreConflict(createUser({ userId, displayName: 'Canary', email: null }, context));
  await defineRole({ appId, role, description: 'For checks of new versions' }, context);
  for (const keyId of activeKeys(application)) {
    const secret = await secretOf(keyId);
    if (secret !== undefined) return { userId, role, keyId, secret };
    await revokeKey({ appId, keyId }, context);
  }
  const scopes = ['access:read', 'access:write', 'roles:write'] as const;
  const { keyId, secret } = await issueKey({ appId, scopes, expiresAt: null, label: 'Canary' }, context);
  return { userId, role, keyId, secret };
}

/** The oldest first, because versions from before a new root key cannot verify its keys. */
function activeKeys(application: Application | undefined): string[] {
  const at = now();
  const active = Object.entries(application?.keys ?? {}).filter(([, key]) => isActive(key, at));
  return active.sort(([, one], [, other]) => one.createdAt.localeCompare(other.createdAt)).map(([keyId]) => keyId);
}

async function secretOf(keyId: string): Promise<string | undefined> {
  const parts = parseKeyId(keyId);
  const root = parts && (await rootKey(parts.rootVersion));
  return root && deriveSecret(root, keyId as KeyId);
}

/** It may exist already, or another process may create it at the same time. */
async function ignoreConflict(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.status !== 409) throw error;
  });
}
