import { createHash, createHmac } from 'node:crypto';
import { createSignatureSync } from 'http-message-sig';
import { createSigner, httpbis } from 'http-message-signatures';

export interface RequestToSign {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface SigningKey {
  readonly keyId: string;
  readonly secret: string;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly created: number;
}

/** Signs with an independent library; returns the headers to add. */
export type IndependentSigner = (request: RequestToSign, key: SigningKey) => Promise<Record<string, string>>;

/** The signers by package name. */
export const independentSigners: Readonly<Record<string, IndependentSigner>> = {
  'http-message-sig': async (request, { keyId, secret, nonce, created }) => {
    const { signature, signatureInput } = createSignatureSync(
      { kind: 'request', method: request.method, targetUri: request.url, fields: fieldsOf(request.headers) },
      {
        components: componentsOf(request),
        parameters: { created, nonce, keyid: keyId, alg: 'hmac-sha256' },
        signer: {
          algorithm: 'hmac-sha256',
          sign: (data: Uint8Array) => createHmac('sha256', secret).update(data).digest(),
        },
      },
    );
    return { signature, 'signature-input': signatureInput };
  },
  'http-message-signatures': async (request, { keyId, secret, nonce, created }) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, values]) => [name, [values].flat()]),
    );
    const config = {
      key: createSigner(secret, 'hmac-sha256', keyId),
      fields: componentsOf(request),
      params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
      paramValues: { created: new Date(created * 1000), nonce, tag: 'a "tag"' },
    };
    const message = await httpbis.signMessage(config, { method: request.method, url: request.url, headers });
    const { Signature: signature, 'Signature-Input': signatureInput } = message.headers;
    return { signature: String(signature), 'signature-input': String(signatureInput) };
  },
};

/** Returns the components of a client that covers everything it sends. */
export function componentsOf({ url, headers }: RequestToSign): string[] {
  const query = url.includes('?') ? ['@query'] : [];
  return ['@method', '@authority', '@path', ...query, ...Object.keys(headers)];
}

export function fieldsOf(headers: RequestToSign['headers']): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}

/** Adds the Content-Digest of the body, if the request has one. */
export function withDigest(request: RequestToSign): RequestToSign {
  if (request.body === undefined) return request;
  const digest = createHash('sha256').update(request.body).digest('base64');
  return { ...request, headers: { ...request.headers, 'content-digest': `sha-256=:${digest}:` } };
}
