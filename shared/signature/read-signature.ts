import { type ParsedSignature, parseSignature } from './parse-signature.ts';
import { componentValue, headerValue } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';
import type { SignedMessage } from './signed-message.ts';

/** Reads a request's signature and refuses one that covers too little (RFC 9421 section 3.2); nothing it returns is authenticated yet. */
export function readSignature(message: SignedMessage): ParsedSignature {
  const input = requireHeader(message, 'signature-input');
  const parsed = parseSignature(input, requireHeader(message, 'signature'));
  rejectUncovered(message, parsed.components);
  rejectAbsent(message, parsed.components);
  return parsed;
}

function requireHeader(message: SignedMessage, name: string): string {
  const value = headerValue(message.headers, name);
  if (value === undefined) throw new SignatureError('signature_missing', `the request carries no "${name}" header`);
  return value;
}

function rejectUncovered(message: SignedMessage, components: readonly string[]): void {
  for (const name of requiredComponents(message)) {
    if (components.includes(name)) continue;
    throw new SignatureError('component_missing', `Signature-Input: "${name}" must be covered`);
  }
}

function requiredComponents({ query, body }: SignedMessage): string[] {
  const required = ['@method', '@authority', '@path'];
  if (query !== '') required.push('@query');
  if (body.byteLength > 0) required.push('content-digest');
  return required;
}

/** Any one encoding of the path will do here: only what is absent or can stand in no signature base is looked for. */
function rejectAbsent(message: SignedMessage, components: readonly string[]): void {
  const [authority = ''] = message.authorities;
  const [path = ''] = message.paths;
  const source = { method: message.method, authority, path, query: message.query, headers: message.headers };
  for (const name of components) componentValue(name, source);
}
