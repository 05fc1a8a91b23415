import * as v from 'valibot';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { readItems, updateItem } from '../client.ts';
import { updateOf } from '../expression.ts';
import { absentText, nullableText, parseItem, storedId } from '../item-schema.ts';
import { type KeyOwner, keyUseKey } from '../keys/api-key-item-keys.ts';

const keyIssuerSchema = v.object({ via: v.picklist(['iam', 'token']), id: v.string(), email: nullableText });

/** The stored state of a key of an application or a connection. */
// @__NO_SIDE_EFFECTS__
export function keyStateSchema<Scopes extends string>() {
  return v.object({
    /** May include scopes that only a newer version knows; here they permit nothing. */
    scopes: v.array(storedId<Scopes>()),
    ...fieldEntries(keyFields, 'stored'),
    issuedBy: v.nullable(keyIssuerSchema),
    createdAt: v.string(),
    expiresAt: nullableText,
    /** The lifetime with which the key was issued, even if a rotation shortened it. `null` if it was issued without an expiry. */
    lifetimeSeconds: v.nullable(v.number()),
    revokedAt: nullableText,
    /** The key that a rotation replaced with this one, even after that key was dropped. */
    replaces: absentText,
  });
}

/** Whole seconds from the creation of a key to its expiry; `null` if it does not expire. */
export function lifetimeSeconds({ createdAt, expiresAt }: Pick<KeyState, 'createdAt' | 'expiresAt'>): number | null {
  return expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000);
}

/** The stored state of a key, which does not include its secret. */
export interface KeyState<Scopes extends string = Scope>
  extends Readonly<Omit<v.InferOutput<ReturnType<typeof keyStateSchema<Scopes>>>, 'scopes'>> {
  readonly scopes: readonly Scopes[];
}

/** Stores the day on which a key was last used. The functions may write no other attribute of this item. */
export async function writeKeyUsage(owner: KeyOwner, keyId: string, lastUsedOn: string): Promise<void> {
  await updateItem(updateOf({ key: keyUseKey(owner, keyId), set: { lastUsedOn } }));
}

const keyUsageSchema = v.object({ lastUsedOn: v.string() });

/** The days on which keys were last used, one request per hundred keys; undefined for a key that was never used. */
export async function readKeyUses(
  keys: readonly (KeyOwner & { readonly keyId: string })[],
): Promise<readonly (string | undefined)[]> {
  const items = await readItems(keys.map((key) => keyUseKey(key, key.keyId)));
  return items.map((item) => item && parseItem(keyUsageSchema, item).lastUsedOn);
}
