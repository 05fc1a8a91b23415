/** Writes the signature base: a line per component, then the parameters (RFC 9421 section 2.5). */
export function layOutBase(
  components: readonly string[],
  params: string,
  read: (name: string) => string | undefined,
): string {
  let lines = '';
  for (const name of components) lines += `"${name}": ${read(name)}\n`;
  return `${lines}"@signature-params": ${params}`;
}

/** Writes the headers to add to a request (RFC 9421 section 4). */
export function signedHeaders(digest: string | undefined, params: string, mac: string, label = 'sig1'): SignedHeaders {
  return {
    ...(digest && { 'content-digest': digest }),
    'signature-input': `${label}=${params}`,
    signature: `${label}=:${mac}:`,
  };
}

export type SignedHeaders = Record<string, string> & { readonly 'signature-input': string; readonly signature: string };

/** Writes the `Content-Digest` of a SHA-256 (RFC 9530 section 2). */
export function formatContentDigest(sha256Base64: string): string {
  return `sha-256=:${sha256Base64}:`;
}
