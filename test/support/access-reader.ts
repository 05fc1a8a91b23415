import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { storedKey } from './stored-items.ts';
import { applicationItem } from './table-items.ts';

/*
 * An application that reads the access of its users.
 */

export const appId = 'billing' as AppId;
const keyId = 'svk_k1_billing_a' as KeyId;

/** A request of the application. */
export const context = {
  requestId: 'r',
  sourceIp: '192.0.2.7',
  requiredScope: 'access:read',
  caller: { kind: 'api-key', appId, keyId },
} as const;

/** The application with its key. */
export function readerItem() {
  return applicationItem({ keys: { [keyId]: storedKey() } });
}
