import type { AppId } from '#shared/contract/ids.ts';
import type { Changed, KeyView } from '#shared/contract/management.ts';
import { readKeyUses } from '#shared/table/key-use.ts';
import { changeApplication } from './change-application.ts';
import { presentKey, withoutLongEnded } from './key-states.ts';
import { keyView } from './key-view.ts';
import type { RequestContext } from './request-context.ts';

/** Revokes a key, at once: its state is read with every request. One that is revoked stays as it is. */
export async function revokeKey(
  { appId, keyId }: { readonly appId: AppId; readonly keyId: string },
  context: RequestContext,
): Promise<Changed<KeyView>> {
  const { application, changed } = await changeApplication({ appId }, context, (current, at) => {
    const key = presentKey(current, keyId);
    if (key.revokedAt !== null) return undefined;
    const revokedAt = at.toISOString();
    const keys = { ...withoutLongEnded(current.keys, at), [keyId]: { ...key, revokedAt } };
    return { action: 'key.revoked', keyId, next: { keys }, before: { revokedAt: null }, after: { revokedAt } };
  });
  const uses = await readKeyUses(appId);
  return { ...keyView(keyId, presentKey(application, keyId), uses.get(keyId) ?? null), changed };
}
