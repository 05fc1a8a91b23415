import { hkdfSync, type KeyObject } from 'node:crypto';
import type { KeyId } from '#shared/contract/ids.ts';

/**
 * The secret of a key: `svs_` and 43 characters of base64url, from HKDF-SHA256 (RFC 5869) over the root and the key id.
 * Its ASCII text is the MAC key, so that `openssl dgst -hmac "$SECRET"` works.
 */
export function deriveSecret(root: KeyObject, keyId: KeyId): string {
  const bytes = hkdfSync('sha256', root, '', `auth-service/api-key/${keyId}`, 32);
  return `svs_${Buffer.from(bytes).toString('base64url')}`;
}
