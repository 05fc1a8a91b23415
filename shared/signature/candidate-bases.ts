import type { ParsedSignature } from './parse-signature.ts';
import { createSignatureBase, type HeaderValues, headerValue } from './signature-base.ts';
import type { SignedMessage } from './signed-message.ts';

const bareComma = /,(?! )/g;

/** Yields every signature base (RFC 9421 section 2.5) that names what the request names, the canonical one first. */
export function* candidateBases(message: SignedMessage, parsed: ParsedSignature): Generator<string, void> {
  const { method, query } = message;
  for (const headers of headerVariants(message.headers, parsed.components)) {
    for (const authority of message.authorities) {
      for (const path of message.paths) {
        const source = { method, authority, path, query, headers };
        yield createSignatureBase(parsed.components, parsed.signatureParams, source);
      }
    }
  }
}

/** API Gateway joins repeated headers with `,` where RFC 9421 section 2.1 joins them with `, `. */
function headerVariants(headers: HeaderValues, components: readonly string[]): HeaderValues[] {
  const respaced: Record<string, string> = {};
  for (const name of components) {
    const value = headerValue(headers, name);
    if (value?.includes(',')) respaced[name] = value.replace(bareComma, ', ');
  }
  const changed = Object.entries(respaced).some(([name, value]) => value !== headers[name]);
  return changed ? [headers, { ...headers, ...respaced }] : [headers];
}
