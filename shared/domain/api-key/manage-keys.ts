import type { Changed } from '#shared/contract/answers.ts';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import type { keyFields } from '#shared/contract/api-key-fields.ts';
import type { FieldChanges } from '#shared/contract/field-forms.ts';
import type { AppId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { apiKeyRoots } from '#shared/contract/root-purposes.ts';
import { deriveSecret, formatKeyId } from '#shared/keys/key-id.ts';
import { changeApplication } from '../application/applications.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type KeyRotation, Keyring, type NewKey } from './keyring.ts';

interface OfApplication {
  readonly appId: AppId;
}
interface NamedKey extends OfApplication {
  readonly keyId: string;
}

/** Issues an API key; only this answer contains the secret that signs requests. */
export async function issueKey(
  request: OfApplication & NewKey<Scope> & { readonly scopes: readonly Scope[] },
  context: RequestContext,
): Promise<IssuedKeyView> {
  return keysOf(request).issue(request, context);
}

export async function rotateKey(
  rotation: OfApplication & KeyRotation,
  context: RequestContext,
): Promise<IssuedKeyView> {
  return keysOf(rotation).rotate(rotation, context);
}

export async function updateKey(
  command: NamedKey & FieldChanges<typeof keyFields>,
  context: RequestContext,
): Promise<Changed<KeyView>> {
  return keysOf(command).update(command, context);
}

export async function revokeKey(named: NamedKey, context: RequestContext): Promise<Changed<KeyView>> {
  return keysOf(named).revoke(named.keyId, context);
}

/** The keys of an application. */
function keysOf({ appId }: OfApplication): Keyring<Scope> {
  return new Keyring({
    owner: { appId },
    roots: apiKeyRoots,
    formatId: (id) => formatKeyId({ ...id, appId }),
    deriveSecret,
    change: (context, { decide, answerOf }) =>
      changeApplication({ appId }, context, {
        decide,
        answerOf: ({ application, changed }) => answerOf(application.keys, changed),
      }),
  });
}
