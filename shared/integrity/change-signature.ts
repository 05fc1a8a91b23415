import { type KeyObject, sign } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The private key that is derived from one version of the root. */
export interface SigningKey {
  /** The version of the root; the `kid` of the public key. */
  readonly root: string;
  readonly key: KeyObject;
}

/** A change as somebody receives it, with the signature of all of it. */
export type Signed<Received extends object> = Received & { readonly signature: string };

/**
 * Signs a change in the form in which it is handed out: a JWS with detached content (RFC 7515, appendix F), whose content is
 * the change without the signature, serialized by RFC 8785. Ed25519 (RFC 8037) is deterministic, so each delivery of the same
 * form is equal.
 */
export function signChange<Received extends object>(change: Received, { root, key }: SigningKey): Signed<Received> {
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: root })).toString('base64url');
  const content = Buffer.from(canonicalJson(change)).toString('base64url');
  const signature = sign(null, Buffer.from(`${header}.${content}`), key).toString('base64url');
  return { ...change, signature: `${header}..${signature}` };
}
