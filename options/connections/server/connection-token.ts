import { hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { ConnectionId, KeyId } from '#shared/contract/fields.ts';
import { rootVersionPattern } from '#shared/contract/root-purposes.ts';
import { rootFor } from '#shared/keys/root-keys.ts';
import { connectionRoots } from '../contract/connection-names.ts';

/** A key of a connection; its secret is a bearer token. */
export interface ConnectionKeyIdParts {
  readonly keyId: KeyId;
  /** The root that the token is derived from, such as `c1`. */
  readonly rootVersion: string;
  readonly connectionId: ConnectionId;
}

const idEnd = `(${rootVersionPattern})_([a-z][a-z0-9-]{1,39})_[0-7][0-9A-HJKMNP-TV-Z]{25}`;
const keyIdPattern = new RegExp(`^svc_${idEnd}$`);
/** Secret scanners find tokens by the same expression without its ends. */
const tokenPattern = new RegExp(`^svt_(${idEnd})_[A-Za-z0-9_-]{43}$`);

/** Formats the id of a new key; it names the connection, so a valid token authenticates it before any read. */
export function formatConnectionKeyId(id: Omit<ConnectionKeyIdParts, 'keyId'> & { readonly ulid: string }): KeyId {
  return `svc_${id.rootVersion}_${id.connectionId}_${id.ulid}` as KeyId;
}

/** Parses `svc_<root version>_<connectionId>_<ULID>`; undefined for anything else. */
export function parseConnectionKeyId(text: string): ConnectionKeyIdParts | undefined {
  const [, rootVersion, connectionId] = keyIdPattern.exec(text) ?? [];
  if (!rootVersion || !connectionId) return undefined;
  return { keyId: text as KeyId, rootVersion, connectionId: connectionId as ConnectionId };
}

/**
 * Derives the token of a key: `svt_`, its id without the prefix, and 43 characters of base64url, from HKDF-SHA256 (RFC 5869)
 * over the root and the whole id. No API key and no chain uses the info string, so none of their secrets is a token.
 */
export function deriveToken(root: KeyObject, keyId: KeyId): string {
  const bytes = Buffer.from(hkdfSync('sha256', root, '', `auth-service/connection/${keyId}`, 32));
  return `svt_${keyId.slice('svc_'.length)}_${bytes.toString('base64url')}`;
}

/**
 * The key whose token this is; undefined if it is none. Compares the whole text in constant time and reads no table, so a
 * forged token costs no table request. Fails with 503 like `rootKey`.
 */
export async function verifyToken(token: string): Promise<ConnectionKeyIdParts | undefined> {
  const [, id] = tokenPattern.exec(token) ?? [];
  const key = id === undefined ? undefined : parseConnectionKeyId(`svc_${id}`);
  if (key === undefined) return undefined;
  const root = await rootFor(connectionRoots, key.rootVersion);
  if (root === undefined) return undefined;
  // Both match the same pattern and have the same id, so they have the same length.
  return timingSafeEqual(Buffer.from(token), Buffer.from(deriveToken(root, key.keyId))) ? key : undefined;
}
