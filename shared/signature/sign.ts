import { algorithmOf } from './algorithm.ts';
import {
  createSigningInput,
  headerValue,
  type RequestHead,
  requireValue,
  type SigningParameters,
  signedHeaders,
} from './base.ts';
import { createContentDigest } from './digest.ts';
import { computeMac, createMacKey } from './mac.ts';
import { parseSignature } from './scan.ts';

/**
 * Signs a request by this profile (RFC 9421 section 3.1) and returns the headers to add, or throws the error that the
 * server would return.
 */
export function signRequest(request: RequestToSign, options: SigningOptions): Record<string, string> {
  const digest = digestOf(request.body);
  const headers = lowerCaseNames(request.headers);
  const { params, base } = createSigningInput(request, { ...options, headers, digest }, (values, name) =>
    requireValue(name, headerValue(values, name)),
  );
  const mac = computeMac(base, createMacKey(options.secret), algorithmOf(options.keyId)).toString('base64');
  const added = signedHeaders(digest, params, mac, options.label);
  parseSignature(added['signature-input'], added.signature);
  return added;
}

/** A request as it will be sent; header names are case-insensitive. */
export interface RequestToSign extends RequestHead {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is encoded as UTF-8. */
  readonly body?: string | Uint8Array;
}

export interface SigningOptions extends SigningParameters {
  /** Its ASCII bytes are the MAC key. */
  readonly secret: string;
  /** Defaults to `sig1`. */
  readonly label?: string;
}

function digestOf(body: string | Uint8Array = ''): string | undefined {
  const bytes = Buffer.from(body);
  return bytes.byteLength > 0 ? createContentDigest(bytes) : undefined;
}

function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
