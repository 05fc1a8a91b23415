import type { AppId, KeyId } from '#shared/contract/ids.ts';
import { maxKeysPerApplication } from '#shared/contract/limits.ts';
import type { Scope } from '#shared/contract/routes.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deriveSecret } from '#shared/keys/derive-secret.ts';
import { formatKeyId } from '#shared/keys/key-id.ts';
import { latestRootVersion, rootKey } from '#shared/keys/root-keys.ts';
import { type Application, type KeyState, readApplication, setKeysEntry } from '#shared/table/application.ts';
import { putChangeEntry } from '#shared/table/change.ts';
import { transact } from '#shared/table/client.ts';
import { hasPassed } from './decide-access.ts';
import { presentApplication } from './present-application.ts';
import { recordChange } from './record-change.ts';
import type { RequestContext } from './request-context.ts';
import { retryWhileMoving } from './retry-while-moving.ts';

export interface NewKey {
  readonly appId: AppId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

export interface IssuedKey extends KeyState {
  readonly keyId: KeyId;
  /** Derived, not stored: this is the only answer that ever shows it. */
  readonly secret: string;
}

/** Issues a key of an application; 409 `too_many_keys` when ten are unexpired. */
export async function issueKey(wanted: NewKey, context: RequestContext): Promise<IssuedKey> {
  return retryWhileMoving(async () => {
    const application = presentApplication(await readApplication(wanted.appId));
    const at = now();
    refuseTooMany(application, at);
    const keyId = formatKeyId(latestRootVersion, wanted.appId, createUlid(at));
    const secret = await secretOf(keyId);
    const state: KeyState = {
      scopes: wanted.scopes,
      createdAt: at.toISOString(),
      expiresAt: wanted.expiresAt,
      revokedAt: null,
    };
    const record = recordChange(context, {
      action: 'key.issued',
      at: state.createdAt,
      appId: wanted.appId,
      keyId,
      before: null,
      after: { scopes: state.scopes.join(' '), expiresAt: state.expiresAt, version: application.version + 1 },
      reason: null,
    });
    const keys = { ...application.keys, [keyId]: state };
    const outcome = await transact([setKeysEntry(application, keys, state.createdAt), putChangeEntry(record)]);
    return outcome.kind === 'committed' ? { ...state, keyId, secret } : 'moved';
  });
}

async function secretOf(keyId: KeyId): Promise<string> {
  const root = await rootKey(latestRootVersion);
  if (root === undefined) throw new Error('ROOT_KEYS has no latest version');
  return deriveSecret(root, keyId);
}

function refuseTooMany({ keys }: Application, at: Date): void {
  const unexpired = Object.values(keys).filter((key) => key.revokedAt === null && !hasPassed(key.expiresAt, at));
  if (unexpired.length < maxKeysPerApplication) return;
  throw new ServiceError('too_many_keys', {
    detail: `The application has ${unexpired.length} unexpired keys, the most there can be. Revoke one first.`,
  });
}
