import { SignatureError } from '#shared/signature/error.ts';
import type { ParsedSignature } from '#shared/signature/scan.ts';
import { readSignature, type SignedMessage } from '#shared/signature/verify.ts';
import type { MistakeId } from './mistakes.ts';

/** A request's signature as the service parses it, or the error with which it rejects the headers. */
export interface Reading {
  readonly refusal: SignatureError | undefined;
  /** Also set if only the encoding of the MAC is wrong, by a common mistake. */
  readonly parsed: ParsedSignature | undefined;
  readonly mistake: MistakeId | undefined;
}

export function readLeniently(message: SignedMessage): Reading {
  const { parsed, refusal } = read(message);
  if (parsed !== undefined) return { parsed, refusal, mistake: undefined };
  for (const [mistake, signature] of otherSpellings(message.headers.signature)) {
    const corrected = read({ ...message, headers: { ...message.headers, signature } }).parsed;
    if (corrected !== undefined) return { parsed: corrected, refusal, mistake };
  }
  return { parsed: undefined, refusal, mistake: undefined };
}

function read(message: SignedMessage): Omit<Reading, 'mistake'> {
  try {
    return { parsed: readSignature(message), refusal: undefined };
  } catch (error) {
    if (error instanceof SignatureError) return { parsed: undefined, refusal: error };
    throw error;
  }
}

/** The common wrong encodings that the MAC may be in, each with the corrected header. */
function otherSpellings(signature = ''): (readonly [MistakeId, string])[] {
  const [, start = '', mac = ''] = /^([^=]+=):([^:]*):$/.exec(signature) ?? [];
  const header = (bytes: Buffer) => `${start}:${bytes.toString('base64')}:`;
  const text = Buffer.from(mac, 'base64').toString('latin1');
  if (isHex(mac)) return [['mac_hex', header(Buffer.from(mac, 'hex'))]];
  if (isHex(text.trim())) return [['mac_hex_base64', header(Buffer.from(text.trim(), 'hex'))]];
  const isLoose = /^[\w+/-]{43}=?$/.test(mac) && /[_-]|[^=]$/.test(mac);
  return isLoose ? [['mac_base64url', header(Buffer.from(mac, 'base64url'))]] : [];
}

function isHex(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}
