import type { AppId } from '#shared/contract/ids.ts';
import type { IssuedKeyView } from '#shared/contract/management.ts';
import type { Scope } from '#shared/contract/routes.ts';
import type { KeyState } from '#shared/table/application.ts';
import { changeApplication } from './change-application.ts';
import { createKey } from './create-key.ts';
import { refuseTooManyKeys, withoutLongEnded } from './key-states.ts';
import { keyView } from './key-view.ts';
import { refuseUnsoundEnd } from './refuse-unsound-end.ts';
import type { RequestContext } from './request-context.ts';

export interface NewKey {
  readonly appId: AppId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** Issues a key of an application; its secret is in this answer and in no later one. 409 when ten are unexpired. */
export async function issueKey(wanted: NewKey, context: RequestContext): Promise<IssuedKeyView> {
  const { appId, scopes, expiresAt } = wanted;
  refuseUnsoundEnd('#/expiresAt', expiresAt, context);
  const { keyId, secret, createdAt } = await createKey(appId);
  const state: KeyState = { scopes, createdAt, expiresAt, revokedAt: null };
  await changeApplication({ appId }, context, (application, at) => {
    const keys = { ...withoutLongEnded(application.keys, at), [keyId]: state };
    refuseTooManyKeys(keys, at);
    const after = { scopes: scopes.join(' '), expiresAt };
    return { action: 'key.issued', keyId, next: { keys }, before: {}, after };
  });
  return { ...keyView(keyId, state, null), secret };
}
