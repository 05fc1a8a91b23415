import type { KeyObject } from 'node:crypto';
import { SignatureError } from '#shared/signature/error.ts';
import { createMacKey } from '#shared/signature/mac.ts';
import { type SigningOptions, signRequest } from '#shared/signature/sign.ts';
import { readSignature, type SignedMessage, verifySignature } from '#shared/signature/verify.ts';
import { receiveRequest, type SentRequest } from './receive-request.ts';

export const createdSeconds = 1_795_201_200;

export const signing: SigningOptions = {
  keyId: 'svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX',
  secret: 'svs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  created: createdSeconds,
  nonce: 'n0nce-n0nce-n0nce-n0nce',
};

/**
 * Returns the key that `signed` signs with; created inside a test, so that mutation testing knows which tests use it.
 */
export function macKey(): KeyObject {
  return createMacKey(signing.secret);
}

export const getAccess: SentRequest = {
  method: 'GET',
  url: 'https://auth.example.com/api/service/users/ada/access',
  headers: { accept: 'application/json' },
};

export const setAccess: SentRequest = {
  method: 'PUT',
  url: 'https://auth.example.com/api/service/users/ada/access',
  headers: { 'content-type': 'application/json', 'if-match': '"3"' },
  body: '{"status":"disabled","reason":"unpaid"}',
};

export const revokeRole: SentRequest = {
  method: 'DELETE',
  url: 'https://auth.example.com/api/service/users/ada/revoke?role=editor',
  headers: { accept: 'application/json' },
};

/** Returns the request as received, signed by this project's signer. */
export function signed(request: SentRequest, options: Partial<SigningOptions> = {}): SignedMessage {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const added = signRequest({ ...request, headers }, { ...signing, ...options });
  return receiveRequest({ ...request, headers: { ...request.headers, ...added } });
}

/** Verifies like a function that found the key. */
export function verify(message: SignedMessage, key: KeyObject = macKey(), nowSeconds = createdSeconds): void {
  verifySignature(message, readSignature(message), key, nowSeconds);
}

/** Returns the refusal that an action throws; anything else fails the test. */
export function refusalOf(action: () => unknown): SignatureError {
  try {
    action();
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
