import type { SampleRequest } from './sample-request.ts';

/** Signs a request by RFC 9421 with `hmac-sha256`, and returns the headers to add. */
export async function signInBrowser(
  { method, url, body, ifMatch }: SampleRequest,
  { keyId, secret }: { readonly keyId: string; readonly secret: string },
): Promise<Record<string, string>> {
  const digest = body === '' ? undefined : `sha-256=:${base64(await crypto.subtle.digest('SHA-256', bytes(body)))}:`;
  const components: readonly (readonly [string, string])[] = [
    ['@method', method],
    ['@authority', url.host],
    ['@path', url.pathname],
    ...(url.search === '' ? [] : [['@query', url.search] as const]),
    ...(digest === undefined ? [] : [['content-digest', digest] as const]),
    ...(ifMatch === undefined ? [] : [['if-match', ifMatch] as const]),
  ];
  const names = components.map(([name]) => `"${name}"`).join(' ');
  const created = Math.floor(Date.now() / 1000);
  const params = `(${names});created=${created};nonce="${nonce()}";keyid="${keyId}"`;
  const lines = components.map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${params}`].join('\n');
  return {
    ...(digest === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Digest': digest }),
    'Signature-Input': `sig=${params}`,
    Signature: `sig=:${base64(await mac(base, secret))}:`,
  };
}

/** The MAC key is the secret's ASCII bytes. */
async function mac(text: string, secret: string): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  return await crypto.subtle.sign('HMAC', key, bytes(text));
}

/** 128 random bits. */
function nonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytes(text: string) {
  return new TextEncoder().encode(text);
}

function base64(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)));
}
